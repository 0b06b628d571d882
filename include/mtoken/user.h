/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Information about the user from the bank: claims named as in OpenID Connect. (PowerAuth protocol,
 * user info.)
 */
#ifndef MTOKEN_USER_H
#define MTOKEN_USER_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* A postal address. Unknown members are NULL. LF separates the lines of a member. */
typedef struct mtoken_user_address {
    const char *MTOKEN_NULLABLE formatted;
    const char *MTOKEN_NULLABLE street_address;
    const char *MTOKEN_NULLABLE locality;
    const char *MTOKEN_NULLABLE region;
    const char *MTOKEN_NULLABLE postal_code;
    const char *MTOKEN_NULLABLE country;
} mtoken_user_address;

/*
 * Claims from the server's JSON object. A claim that is missing, null or of another type is NULL or
 * 0.
 */
typedef struct mtoken_user_info {
    const char *MTOKEN_NULLABLE sub;                    /* the user's identifier */
    const char *MTOKEN_NULLABLE name;
    const char *MTOKEN_NULLABLE given_name;
    const char *MTOKEN_NULLABLE family_name;
    const char *MTOKEN_NULLABLE middle_name;
    const char *MTOKEN_NULLABLE nickname;
    const char *MTOKEN_NULLABLE preferred_username;
    const char *MTOKEN_NULLABLE profile;
    const char *MTOKEN_NULLABLE picture;
    const char *MTOKEN_NULLABLE website;
    const char *MTOKEN_NULLABLE email;
    mtoken_bool is_email_verified;                      /* 1: yes; 0: no, or not sent */
    const char *MTOKEN_NULLABLE gender;
    const char *MTOKEN_NULLABLE birthdate;              /* "YYYY-MM-DD"; NULL for any other form */
    const char *MTOKEN_NULLABLE zoneinfo;
    const char *MTOKEN_NULLABLE locale;
    const char *MTOKEN_NULLABLE phone_number;
    mtoken_bool is_phone_number_verified;               /* 1: yes; 0: no, or not sent */
    const mtoken_user_address *MTOKEN_NULLABLE address;
    mtoken_bool has_updated_at;                         /* 1: updated_at is known */
    int64_t updated_at; /* milliseconds since the epoch, converted from the claim's seconds */
    const char *json; /* the whole object, including the bank's own claims */
    size_t json_length;
} mtoken_user_info;

/*
 * Fetches the claims about the user. Concurrent calls share one request. mtoken_client_info holds
 * the claims received last.
 *
 * Calls        POST /pa/v3/user/info (encrypted)
 * Task result  mtoken_task_user_info
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: SERVER, DECRYPTION,
 *              PROTOCOL, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_fetch_user_info(mtoken_client *client, mtoken_task **out_task,
                              mtoken_error **out_error);

/*
 * Returns the claims that mtoken_client_fetch_user_info or mtoken_client_activate received. Returns
 * NULL for other or unfinished tasks, and if the activation came without claims. Lives as long as
 * the task.
 */
MTOKEN_API const mtoken_user_info *MTOKEN_NULLABLE mtoken_task_user_info(const mtoken_task *task);

MTOKEN_END

#endif
