/* Logins at OpenID Connect providers: requests, answers, and the receiver on the loopback interface. */
#include "plain.h"

#include <arpa/inet.h>
#include <mtoken/extra.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static mtoken_oidc_options new_options(void)
{
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    options.provider_id = text("bank");
    options.client_id = text("client");
    options.scopes = text("openid");
    options.authorize_uri = text("https://idp.example/authorize");
    options.redirect_uri = text("mtoken://oidc");
    return options;
}

static void proof_keys_have_their_lengths(void)
{
    mtoken_text *verifier = NULL, *challenge = NULL, *again = NULL;
    mtoken_error *error = NULL;
    for (size_t count = 32; count <= 96; count++) {
        CHECK_OK(mtoken_oidc_pkce(count, &verifier, &challenge, NULL));
        CHECK_INT(verifier->length, (count * 4 + 2) / 3);
        CHECK_INT(challenge->length, 43);
        CHECK_OK(mtoken_oidc_challenge(verifier->data, verifier->length, &again, NULL));
        CHECK_TEXT(again->data, challenge->data);
        mtoken_text_free(verifier);
        mtoken_text_free(challenge);
        mtoken_text_free(again);
    }
    static const size_t wrong[] = {0, 31, 97, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_ERROR(mtoken_oidc_pkce(wrong[i], &verifier, &challenge, &error), MTOKEN_ERROR_ARGUMENT, error);
        CHECK(verifier == NULL && challenge == NULL);
    }
}

static void texts_go_before_the_configuration(void)
{
    const mtoken_oidc_config config = {"p", "c", "openid", "https://idp.example/a", "https://app.example/back",
                                       0,   0,   NULL};
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    mtoken_oidc_request *request = NULL;
    const mtoken_oidc_parameter prompt = {MTOKEN_TEXT("prompt"), MTOKEN_TEXT("login")};
    options.config = &config;
    options.redirect_uri = text("https://app.example/other");
    options.parameters = &prompt;
    options.parameter_count = 1;
    CHECK_OK(mtoken_oidc_prepare(&options, &request, NULL));
    const mtoken_oidc_authorization *parts = mtoken_oidc_request_get_authorization(request);
    CHECK_TEXT(parts->provider_id, "p");
    CHECK_TEXT(parts->redirect_uri, "https://app.example/other");
    CHECK(parts->code_verifier == NULL); /* as the configuration says */
    CHECK_INT(parts->lacks_openid, 0);
    CHECK(strstr(parts->authorize_url, "&prompt=login") != NULL);
    CHECK(parts == mtoken_oidc_request_get_authorization(request));
    mtoken_oidc_request_free(request);
    CHECK(mtoken_oidc_request_get_authorization(request) == NULL);
}

/* Each answer at a request of its own, and what the first gives. $ stands for the state. */
static void answers_are_checked(void)
{
    static const struct {
        const char *answer;
        mtoken_status status;
        const char *reason;
    } cases[] = {
        {"mtoken://oidc?code=c&state=$", MTOKEN_OK, NULL},
        {"hello", MTOKEN_ERROR_PARSE, "invalidCallback"},
        {"mtoken://other?code=c&state=$", MTOKEN_ERROR_PROTOCOL, "redirectMismatch"},
        {"mtoken://oidc?code=c&state=$#x", MTOKEN_ERROR_PARSE, "invalidCallback"},
        {"mtoken://oidc#code=c&state=$", MTOKEN_ERROR_PROTOCOL, "missingCode"},
        {"mtoken://oidc?code=c%0d%0a&state=$", MTOKEN_ERROR_PARSE, "invalidCallback"},
        {"mtoken://oidc?code=c&code=d&state=$", MTOKEN_ERROR_PROTOCOL, "duplicateParameter"},
        {"mtoken://oidc?code=c", MTOKEN_ERROR_PROTOCOL, "stateMismatch"},
        {"mtoken://oidc?code=c&state=$&iss=https://evil.example", MTOKEN_ERROR_PROTOCOL, "issuerMismatch"},
        {"mtoken://oidc?error=access_denied&state=$", MTOKEN_ERROR_SERVER, "authorizationError"},
        {"mtoken://oidc?state=$", MTOKEN_ERROR_PROTOCOL, "missingCode"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mtoken_oidc_options options = new_options();
        mtoken_oidc_request *request = NULL;
        mtoken_error *error = NULL;
        const mtoken_oidc_attributes *attributes = NULL;
        options.issuer = text("https://idp.example");
        CHECK_OK(mtoken_oidc_prepare(&options, &request, NULL));
        const mtoken_oidc_authorization *parts = mtoken_oidc_request_get_authorization(request);
        char url[256] = "";
        const char *mark = strchr(cases[i].answer, '$');
        if (mark)
            snprintf(url, sizeof url, "%.*s%s%s", (int)(mark - cases[i].answer), cases[i].answer, parts->state,
                     mark + 1);
        else
            snprintf(url, sizeof url, "%s", cases[i].answer);
        if (!CHECK_INT(mtoken_oidc_process(request, url, MTOKEN_NUL_TERMINATED, &attributes, &error), cases[i].status))
            note("%s", cases[i].answer);
        CHECK_TEXT(error ? error->reason : NULL, cases[i].reason);
        mtoken_error_free(error);
        if (cases[i].status == MTOKEN_OK && CHECK(attributes != NULL)) {
            CHECK_TEXT(attributes->provider_id, "bank");
            CHECK_TEXT(attributes->code, "c");
            CHECK_TEXT(attributes->nonce, parts->nonce);
            CHECK_TEXT(attributes->code_verifier, parts->code_verifier);
            CHECK_ERROR(mtoken_oidc_process(request, url, strlen(url), &attributes, &error), MTOKEN_ERROR_STATE, error);
        }
        CHECK(attributes == NULL);
        mtoken_oidc_request_free(request);
    }
}

/* What the browser would do. */
static void visit(const char *uri, const char *query, char *answer, size_t size)
{
    struct sockaddr_in address;
    char head[512];
    size_t length = 0;
    ssize_t count;
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    int port = atoi(strrchr(uri, ':') + 1);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK_INT(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    snprintf(head, sizeof head, "GET /back?%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", query, port);
    CHECK_INT(send(connection, head, strlen(head), 0), strlen(head));
    while (length < size - 1 && (count = recv(connection, answer + length, size - 1 - length, 0)) > 0)
        length += (size_t)count;
    answer[length] = 0;
    close(connection);
}

static void the_receiver_takes_one_answer(void)
{
    mtoken_runtime_options events = MTOKEN_RUNTIME_OPTIONS_INIT;
    mtoken_oidc_options options = new_options();
    mtoken_runtime *runtime = NULL;
    mtoken_oidc_request *request = NULL;
    mtoken_task *task = NULL;
    mtoken_event *event = NULL;
    char query[128], answer[2048];
    events.events = MTOKEN_EVENT_MASK_TASKS;
    options.redirect_uri = text("http://127.0.0.1/back");
    CHECK_OK(mtoken_runtime_new(&events, &runtime, NULL));
    CHECK_OK(mtoken_oidc_listen(runtime, &options, &request, &task, NULL));
    const mtoken_oidc_authorization *parts = mtoken_oidc_request_get_authorization(request);
    CHECK(mtoken_task_oidc_attributes(task) == NULL);
    visit(parts->redirect_uri, "code=x&state=forged", answer, sizeof answer);
    CHECK(strncmp(answer, "HTTP/1.1 400 ", 13) == 0);
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    snprintf(query, sizeof query, "code=x&state=%s", parts->state);
    visit(parts->redirect_uri, query, answer, sizeof answer);
    CHECK(strncmp(answer, "HTTP/1.1 200 ", 13) == 0);
    CHECK_OK(mtoken_task_wait(task, 20000));
    CHECK_OK(mtoken_task_result(task));
    const mtoken_oidc_attributes *attributes = mtoken_task_oidc_attributes(task);
    CHECK_TEXT(attributes ? attributes->code : NULL, "x");
    CHECK(mtoken_task_oidc_config(task) == NULL && mtoken_task_activation(task) == NULL);
    CHECK_OK(mtoken_runtime_next_event(runtime, 20000, &event, NULL));
    CHECK(event->task == task && event->client == NULL);
    mtoken_event_free(event);
    mtoken_oidc_request_free(request);
    CHECK_TEXT(attributes ? attributes->code : NULL, "x"); /* lives as long as the task */
    mtoken_task_free(task);
    mtoken_runtime_free(runtime);
}

static void a_wait_ends_with_its_runtime(void)
{
    mtoken_oidc_options options = new_options();
    mtoken_runtime *runtime = NULL;
    mtoken_oidc_request *requests[3] = {NULL, NULL, NULL};
    mtoken_task *tasks[3] = {NULL, NULL, NULL};
    options.redirect_uri = text("http://127.0.0.1/back");
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    for (int i = 0; i < 3; i++) CHECK_OK(mtoken_oidc_listen(runtime, &options, &requests[i], &tasks[i], NULL));
    CHECK_OK(mtoken_task_cancel(tasks[0]));
    CHECK_OK(mtoken_task_wait(tasks[0], 20000));
    mtoken_runtime_free(runtime);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(mtoken_task_wait(tasks[i], 20000));
        CHECK_INT(mtoken_task_result(tasks[i]), MTOKEN_ERROR_CANCELLED);
        mtoken_task_free(tasks[i]);
        mtoken_oidc_request_free(requests[i]);
    }
}

static const test tests[] = {
    {"proof keys have their lengths", proof_keys_have_their_lengths},
    {"texts go before the configuration", texts_go_before_the_configuration},
    {"answers are checked", answers_are_checked},
    {"the receiver takes one answer", the_receiver_takes_one_answer},
    {"a wait ends with its runtime", a_wait_ends_with_its_runtime},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
