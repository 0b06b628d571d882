/* Stores that fail: what cannot be stored is not used, what was changed by others is refused, and nothing is lost. */
#include "calls.h"

static const int32_t kinds[] = {MTOKEN_TESTING_FAIL_BEFORE, MTOKEN_TESTING_FAIL_TORN, MTOKEN_TESTING_FAIL_AFTER};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void fail(world *world, int32_t calls_, size_t nth, int32_t how)
{
    CHECK_OK(mtoken_testing_store_fail(world->store, calls_, nth, 0, how, NULL));
}

/* The stored state, to be freed. */
static buffer stored(const world *world, const char *name)
{
    buffer copy = {NULL, 0};
    mtoken_testing_data *data = NULL;
    if (mtoken_testing_store_read(world->store, name, MTOKEN_NUL_TERMINATED, &data, NULL) == MTOKEN_OK)
        buffer_add(&copy, data->bytes, data->length);
    mtoken_testing_data_free(data);
    return copy;
}

static void put(world *world, const char *name, const buffer *content)
{
    CHECK_OK(mtoken_testing_store_write(world->store, name, MTOKEN_NUL_TERMINATED, content->data, content->size, NULL));
}

static void header_is_not_given_before_the_counter_is_stored(void)
{
    world world = world_open_active();
    for (size_t i = 0; i < KINDS; i++) {
        mtoken_header *header = (mtoken_header *)1;
        mtoken_text *code = (mtoken_text *)1;
        mtoken_error *error = NULL;
        const uint8_t nonce[16] = {1};
        buffer before = stored(&world, "alice.state");
        fail(&world, MTOKEN_TESTING_SAVE, 1, kinds[i]);
        mtoken_status status = brief_sign(world.client, "POST", "/test", bytes("x"), &world.pin, &header, &error);
        CHECK_STATUS(status, MTOKEN_ERROR_STORAGE);
        CHECK(header == NULL);
        if (CHECK(error)) {
            CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
            CHECK_TEXT(error->reason, "storageFailed");
        }
        mtoken_error_free(error);
        buffer after = stored(&world, "alice.state");
        bool same = before.size == after.size && memcmp(before.data, after.data, after.size) == 0;
        CHECK_INT(same, kinds[i] == MTOKEN_TESTING_FAIL_BEFORE);
        fail(&world, MTOKEN_TESTING_SAVE, 1, kinds[i]);
        CHECK_STATUS(
            brief_sign_offline(world.client, "/test", bytes(NULL), MTOKEN_BYTES(nonce, 16), &world.pin, 0, &code, NULL),
            MTOKEN_ERROR_STORAGE);
        CHECK(code == NULL);
        /* The values that were not given out are the next ones. */
        long counter = world.bank->counter;
        CHECK(world_signs(&world, &world.pin));
        CHECK_INT(world.bank->counter, counter + 1);
        buffer_clear(&before);
        buffer_clear(&after);
    }
    world_close(&world);
}

static void signed_request_is_not_sent_before_the_counter_is_stored(void)
{
    for (size_t c = 0; c < call_count; c++) {
        if (!calls[c].is_signed) continue;
        for (size_t i = 0; i < KINDS; i++) {
            world world = world_for(&calls[c]);
            mtoken_task *task = NULL;
            CHECK_OK(mtoken_testing_store_fail(world.store, MTOKEN_TESTING_SAVE, 1, 1, kinds[i], NULL));
            size_t first = mtoken_testing_request_count(world.runtime);
            CHECK_OK(calls[c].start(&world, &task, NULL));
            CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_STORAGE);
            if (CHECK(mtoken_task_error(task))) CHECK_INT(mtoken_task_error(task)->outcome, MTOKEN_OUTCOME_NOT_SENT);
            mtoken_task_free(task);
            for (size_t number = first; number < mtoken_testing_request_count(world.runtime); number++) {
                mtoken_testing_request *request = NULL;
                CHECK_OK(mtoken_testing_request_get(world.runtime, number, 0, &request, NULL));
                CHECK(request && !header_of(request, "X-PowerAuth-Authorization"));
                mtoken_testing_request_free(request);
            }
            fail(&world, MTOKEN_TESTING_SAVE, 0, 0);
            CHECK_INT(world_open_signatures(&world), 0); /* no counter was used */
            CHECK_OK(calls[c].start(&world, &task, NULL));
            CHECK_OK(bank_finish_free(world.bank, task));
            world_close(&world);
        }
    }
}

static void persisting_can_be_tried_again(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        for (size_t nth = 1; nth <= 2; nth++) { /* the key, then the state */
            world world = world_open();
            mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
            mtoken_task *task = NULL;
            options.code = text(world.bank->code_qr);
            CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL));
            CHECK_OK(bank_finish_free(world.bank, task));
            fail(&world, MTOKEN_TESTING_SAVE, nth, kinds[i]);
            CHECK_STATUS(mtoken_client_persist(world.client, &world.pin, NULL), MTOKEN_ERROR_STORAGE);
            CHECK_INT(world_state(&world), MTOKEN_CLIENT_PENDING);
            CHECK_OK(mtoken_client_persist(world.client, &world.pin, NULL));
            CHECK(world_settles(&world));
            CHECK(world_signs(&world, &world.pin));
            CHECK_OK(world_restart(&world));
            CHECK(world_signs(&world, &world.pin));
            world_close(&world);
        }
    }
}

/* The bank has acted, and the caller does not learn it from a result: what it has is an error that says so. */
static void may_have_happened(mtoken_task *task)
{
    const mtoken_error *error = mtoken_task_error(task);
    if (!CHECK(error)) return;
    CHECK_INT(error->outcome, MTOKEN_OUTCOME_UNKNOWN);
    CHECK_INT(error->is_retriable, 0);
}

static void answer_that_cannot_be_stored_is_not_taken_for_a_refusal(void)
{
    world world = world_open_active();
    mtoken_task *task = NULL;
    /* A token: the first save is the counter's, the second the token's. */
    fail(&world, MTOKEN_TESTING_SAVE, 2, MTOKEN_TESTING_FAIL_BEFORE);
    CHECK_OK(mtoken_token_create(world.client, "a", 1, &world.pin, &task, NULL));
    CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_STORAGE);
    may_have_happened(task);
    mtoken_task_free(task);
    CHECK_INT(mtoken_token_is_stored(world.client, "a", 1), 0);
    /* The removal of one. */
    CHECK_OK(mtoken_token_create(world.client, "a", 1, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    fail(&world, MTOKEN_TESTING_SAVE, 2, MTOKEN_TESTING_FAIL_BEFORE);
    CHECK_OK(mtoken_token_remove(world.client, "a", 1, &task, NULL));
    CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_STORAGE);
    may_have_happened(task);
    mtoken_task_free(task);
    CHECK_INT(mtoken_token_is_stored(world.client, "a", 1), 1);
    CHECK(world_validates(&world));
    /* A status that moves the counter only asks. */
    world.bank->counter += 3;
    fail(&world, MTOKEN_TESTING_SAVE, 1, MTOKEN_TESTING_FAIL_BEFORE);
    CHECK_OK(mtoken_client_fetch_status(world.client, &task, NULL));
    CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_STORAGE);
    CHECK_INT(mtoken_task_error(task) ? mtoken_task_error(task)->outcome : -1, MTOKEN_OUTCOME_ANSWERED);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_fetch_status(world.client, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK(world_validates(&world));
    /* A removal. */
    fail(&world, MTOKEN_TESTING_REMOVE, 1, MTOKEN_TESTING_FAIL_BEFORE);
    CHECK_OK(mtoken_client_remove(world.client, &world.pin, &task, NULL));
    CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_STORAGE);
    may_have_happened(task);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_remove_local(world.client, NULL));
    buffer state = stored(&world, "alice.state"), key = stored(&world, "alice.key");
    CHECK(!state.data && !key.data);
    world_close(&world);
}

static void local_removal_can_be_tried_again(void)
{
    for (size_t nth = 1; nth <= 2; nth++) {
        world world = world_open_active();
        fail(&world, MTOKEN_TESTING_REMOVE, nth, MTOKEN_TESTING_FAIL_BEFORE);
        CHECK_STATUS(mtoken_client_remove_local(world.client, NULL), MTOKEN_ERROR_STORAGE);
        CHECK_OK(mtoken_client_remove_local(world.client, NULL));
        CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
        CHECK_OK(world_restart(&world));
        CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
        world_close(&world);
    }
}

static void client_whose_state_cannot_be_loaded_is_not_made(void)
{
    world world = world_open_active();
    for (size_t nth = 1; nth <= 2; nth++) {
        fail(&world, MTOKEN_TESTING_LOAD, nth, MTOKEN_TESTING_FAIL_BEFORE);
        CHECK_STATUS(world_restart(&world), MTOKEN_ERROR_STORAGE);
        CHECK(world.client == NULL);
        CHECK_INT(mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_CLIENT), 0);
    }
    CHECK_OK(world_restart(&world));
    CHECK(world_signs(&world, &world.pin));
    world_close(&world);
}

static void changed_state_is_refused_and_left_alone(void)
{
    world world = world_open_active();
    buffer good = stored(&world, "alice.state"), key = stored(&world, "alice.key");
    size_t step = sampled(3, 29);
    world_stop(&world);
    for (size_t i = 0; i < good.size; i += i < 8 ? 1 : step) { /* a bit in each byte */
        buffer bad = {NULL, 0};
        buffer_add(&bad, good.data, good.size);
        bad.data[i] ^= (uint8_t)(1u << (i % 8));
        put(&world, "alice.state", &bad);
        size_t saves = mtoken_testing_store_count(world.store, MTOKEN_TESTING_SAVE | MTOKEN_TESTING_REMOVE);
        if (!CHECK_STATUS(world_restart(&world), i == 4 ? MTOKEN_ERROR_UNSUPPORTED : MTOKEN_ERROR_TAMPERED))
            note("byte %zu", i);
        CHECK(world.client == NULL);
        world_stop(&world);
        CHECK_INT(mtoken_testing_store_count(world.store, MTOKEN_TESTING_SAVE | MTOKEN_TESTING_REMOVE), saves);
        buffer after = stored(&world, "alice.state");
        CHECK(after.size == bad.size && memcmp(after.data, bad.data, bad.size) == 0);
        buffer_clear(&after);
        buffer_clear(&bad);
    }
    for (size_t size = 0; size < good.size; size += step) { /* every length: torn saves */
        buffer bad = {NULL, 0};
        buffer_add(&bad, good.data, size);
        put(&world, "alice.state", &bad);
        if (!CHECK_STATUS(world_restart(&world), MTOKEN_ERROR_TAMPERED)) note("%zu bytes", size);
        buffer_clear(&bad);
    }
    put(&world, "alice.state", &good);
    key.data[0] ^= 1; /* the key of another device */
    put(&world, "alice.key", &key);
    CHECK_STATUS(world_restart(&world), MTOKEN_ERROR_TAMPERED);
    CHECK_OK(mtoken_testing_store_write(world.store, "alice.key", 9, NULL, 0, NULL)); /* none at all */
    CHECK_STATUS(world_restart(&world), MTOKEN_ERROR_TAMPERED);
    key.data[0] ^= 1;
    put(&world, "alice.key", &key);
    put(&world, "bob.state", &good); /* the state of another client */
    put(&world, "bob.key", &key);
    CHECK_OK(world_restart(&world));
    mtoken_client_options options = bank_client_options(world.bank, world.store);
    mtoken_client *bob = NULL;
    options.id = text("bob");
    CHECK_STATUS(mtoken_client_new(world.runtime, &options, &bob, NULL), MTOKEN_ERROR_TAMPERED);
    CHECK(world_signs(&world, &world.pin));
    buffer_clear(&good);
    buffer_clear(&key);
    world_close(&world);
}

/* What a store that tears its saves leaves behind is repaired by the next save, and refused until then. */
static void torn_save_is_repaired_by_the_next(void)
{
    world world = world_open_active();
    mtoken_header *header = NULL;
    fail(&world, MTOKEN_TESTING_SAVE, 1, MTOKEN_TESTING_FAIL_TORN);
    CHECK_STATUS(brief_sign(world.client, "POST", "/x", bytes(NULL), &world.possession, &header, NULL),
                 MTOKEN_ERROR_STORAGE);
    CHECK(world_signs(&world, &world.pin));
    CHECK_OK(world_restart(&world));
    CHECK(world_signs(&world, &world.pin));
    fail(&world, MTOKEN_TESTING_SAVE, 1, MTOKEN_TESTING_FAIL_TORN);
    CHECK_STATUS(brief_sign(world.client, "POST", "/x", bytes(NULL), &world.possession, &header, NULL),
                 MTOKEN_ERROR_STORAGE);
    CHECK_STATUS(world_restart(&world), MTOKEN_ERROR_TAMPERED);
    world_close(&world);
}

/* A disk that lied, or a backup that was put back: the status brings the counter to where the server is. */
static void older_state_is_brought_in_step_by_the_status(void)
{
    world world = world_open_active();
    mtoken_task *task = NULL;
    buffer old = stored(&world, "alice.state");
    for (int i = 0; i < 5; i++) CHECK(world_signs(&world, &world.pin));
    put(&world, "alice.state", &old);
    CHECK_OK(world_restart(&world));
    CHECK_OK(mtoken_client_fetch_status(world.client, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK(world_signs(&world, &world.pin));
    /* Without a status asked for, the first signature is refused; that brings the client in step, and the next is
     * accepted. */
    put(&world, "alice.state", &old);
    CHECK_OK(world_restart(&world));
    CHECK_OK(mtoken_client_validate_pin(world.client, (const uint8_t *)PIN, strlen(PIN), &task, NULL));
    CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_STATE);
    world.bank->reused = 0; /* that is what became of the lie */
    CHECK(world_validates(&world));
    buffer_clear(&old);
    world_close(&world);
}

static void slow_store_only_takes_time(void)
{
    world world = world_open_active();
    CHECK_OK(mtoken_testing_store_delay(world.store, MTOKEN_TESTING_SAVE, 60, NULL));
    int64_t start = milliseconds();
    CHECK(world_signs(&world, &world.possession));
    CHECK(milliseconds() - start >= 60);
    CHECK_OK(mtoken_testing_store_delay(world.store, MTOKEN_TESTING_SAVE, 0, NULL));
    world_close(&world);
}

/* The same over real files: a directory that cannot be written keeps the old state, byte for byte. */
static void directory_store_keeps_its_promise(void)
{
    char path[256], inner[300];
    make_directory(path, sizeof path);
    snprintf(inner, sizeof inner, "%s/store", path);
    world world = world_open();
    mtoken_store *directory = NULL, *faulty = NULL;
    CHECK_OK(mtoken_store_directory_new(inner, MTOKEN_NUL_TERMINATED, &directory, NULL));
    CHECK_OK(mtoken_testing_store_new(directory, &faulty, NULL));
    mtoken_client_free(world.client);
    mtoken_store_free(world.store);
    world.store = faulty;
    world.client = bank_client(world.bank, world.store);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    for (size_t i = 0; i < KINDS; i++) {
        mtoken_header *header = NULL;
        fail(&world, MTOKEN_TESTING_SAVE, 1, kinds[i]);
        CHECK_STATUS(brief_sign(world.client, "POST", "/x", bytes(NULL), &world.possession, &header, NULL),
                     MTOKEN_ERROR_STORAGE);
        CHECK(world_signs(&world, &world.pin));
        CHECK_OK(world_restart(&world));
        CHECK(world_signs(&world, &world.pin));
    }
    mtoken_store_free(directory);
    world_close(&world);
    remove_directory(path);
}

static const test tests[] = {
    {"a header is not given before the counter is stored", header_is_not_given_before_the_counter_is_stored},
    {"a signed request is not sent before the counter is stored",
     signed_request_is_not_sent_before_the_counter_is_stored},
    {"persisting can be tried again", persisting_can_be_tried_again},
    {"an answer that cannot be stored is not taken for a refusal",
     answer_that_cannot_be_stored_is_not_taken_for_a_refusal},
    {"local removal can be tried again", local_removal_can_be_tried_again},
    {"a client whose state cannot be loaded is not made", client_whose_state_cannot_be_loaded_is_not_made},
    {"changed state is refused and left alone", changed_state_is_refused_and_left_alone},
    {"a torn save is repaired by the next", torn_save_is_repaired_by_the_next},
    {"older state is brought in step by the status", older_state_is_brought_in_step_by_the_status},
    {"a slow store only takes time", slow_store_only_takes_time},
    {"a directory store keeps its promise", directory_store_keeps_its_promise},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
