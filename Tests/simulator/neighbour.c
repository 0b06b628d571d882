/* Another application with an activation of its own in the same process and store: whatever happens to the user's, it
 * goes on. */
#include "simulator.h"

#define NEIGHBOURS_PIN "97531"

bool is_neighbours(const mtoken_testing_request *request)
{
    return strncmp(request->url, BANK_SECOND_URL, strlen(BANK_SECOND_URL)) == 0;
}

static mtoken_status open_client(life *life)
{
    mtoken_client_options options = bank_client_options(life->neighbour.bank, life->world.store);
    options.id = text("bob");
    options.base_url = text(BANK_SECOND_URL);
    return mtoken_client_new(life->world.runtime, &options, &life->neighbour.client, NULL);
}

void neighbour_move_in(life *life)
{
    bank_at_work++;
    bank *bank = life->neighbour.bank = bank_new(life->world.runtime);
    bank_at_work--;
    bank->protocol = life->world.bank->protocol;
    bank->next = life->world.bank->next;
    CHECK_OK(open_client(life));
    CHECK_OK(bank_activate(bank, life->neighbour.client, NEIGHBOURS_PIN, NULL));
    life->world.bank->next = bank->next;
}

bank_answer neighbour_answer(life *life, const mtoken_testing_request *request)
{
    return bank_respond(life->neighbour.bank, request);
}

/* Sees to the task that has ended. */
static void land_neighbour(life *life)
{
    mtoken_task *task = life->neighbour.task;
    if (!task || mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING) return;
    const mtoken_error *error = mtoken_task_error(task);
    tell(life, "the neighbour's call ends with %s", mtoken_error_name(mtoken_task_result(task)));
    must(life, !error || error->code != MTOKEN_ERROR_AUTHENTICATION, "the right PIN is never called wrong",
         "the neighbour's: %s", error ? error->message : "");
    mtoken_task_free(task);
    life->neighbour.task = NULL;
}

void neighbour_look(life *life)
{
    const bank *bank = life->neighbour.bank;
    if (!bank) return;
    must(life, bank->reused == 0 && bank->unknown == 0, "no counter value is used twice", "of the neighbour's");
    must(life, bank->failed == 0, "the right PIN costs no attempt", "the neighbour's");
    must(life, json_array_size(bank->operations) == life->neighbour.operations, "the banks are two",
         "operations moved");
    land_neighbour(life);
}

void neighbour_moves(life *life, stream *stream)
{
    mtoken_client *client = life->neighbour.client;
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    mtoken_task **task = &life->neighbour.task;
    char id[ID_SIZE];
    if (!client) return;
    land_neighbour(life);
    if (*task) {
        if (percent(stream, 30)) CHECK_OK(mtoken_task_cancel(*task));
        return;
    }
    auth.pin = bytes(NEIGHBOURS_PIN);
    mtoken_status status = MTOKEN_OK;
    switch (below(stream, 4)) {
    case 0: status = mtoken_operations_list(client, task, NULL); break;
    case 1: status = mtoken_client_fetch_status(client, task, NULL); break;
    case 2: status = mtoken_client_validate_pin(client, auth.pin.data, auth.pin.length, task, NULL); break;
    default:
        bank_operation(life->neighbour.bank, id_of(life->neighbour.operations++, id), "A1");
        status = brief_authorize(client, id, "A1", &auth, NULL, task, NULL);
    }
    if (status != MTOKEN_OK) tell(life, "refused at once with %s", mtoken_error_name(status));
}

void neighbour_stop(life *life)
{
    mtoken_client_free(life->neighbour.client);
    life->neighbour.client = NULL;
}

void neighbour_start_again(life *life)
{
    if (!life->neighbour.bank) return;
    land_neighbour(life);
    must(life, !life->neighbour.task, "the end of the runtime cancels its tasks", "the neighbour's");
    bank_move(life->neighbour.bank, life->world.runtime);
    memory_runs_out(0);
    mtoken_status status = open_client(life);
    must(life, status == MTOKEN_OK, "a stored activation opens", "the neighbour's: %s", mtoken_error_name(status));
}

void neighbour_calms_down(life *life)
{
    mtoken_task *task = life->neighbour.task;
    if (!life->neighbour.client) return;
    if (task) await(life, task);
    land_neighbour(life);
    CHECK_OK(mtoken_client_validate_pin(life->neighbour.client, (const uint8_t *)NEIGHBOURS_PIN, strlen(NEIGHBOURS_PIN),
                                        &task, NULL));
    mtoken_status status = await(life, task);
    must(life, status == MTOKEN_OK, "after a calm the next signature is accepted", "the neighbour's: %s: %s",
         mtoken_error_name(status), mtoken_task_error(task) ? mtoken_task_error(task)->message : "");
    mtoken_task_free(task);
}

void neighbour_moves_out(life *life)
{
    neighbour_stop(life);
    mtoken_task_free(life->neighbour.task);
    bank_free(life->neighbour.bank);
}
