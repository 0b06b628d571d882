#include <mtoken.h>
#include <stdio.h>

/* Tells the user what went wrong and what to do. */
void report(const mtoken_error *error)
{
    fprintf(stderr, "%s (%s): %s\n", mtoken_error_name(error->code), error->reason,
            error->message);
    if (error->outcome == MTOKEN_OUTCOME_UNKNOWN)
        puts("The bank may have received it. Look at the list of operations before you "
             "repeat it.");
    else if (mtoken_error_is_operation_over(error))
        puts("The operation is no longer open: take it off the screen.");
    else if (error->code == MTOKEN_ERROR_AUTHENTICATION &&
             error->remaining_attempts >= 0)
        printf("Wrong PIN, %d attempts left.\n", (int)error->remaining_attempts);
    else if (error->network_fault != MTOKEN_NETWORK_NONE ||
             error->tls_fault != MTOKEN_TLS_FAULT_NONE)
        puts("The bank cannot be reached.");
    else if (error->server_code_number != MTOKEN_SERVER_CODE_UNKNOWN)
        printf("The bank says %s.\n",
               mtoken_server_code_name(error->server_code_number));
    if (error->is_retriable) puts("Try again.");
}

/* Describes a status without an error. The host frees the error of a call. */
void call_failed(mtoken_status status, mtoken_error *error)
{
    if (error)
        report(error);
    else
        fprintf(stderr, "%s\n", mtoken_error_description(status));
    mtoken_error_free(error);
}
