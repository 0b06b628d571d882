#include <mtoken.h>

/* Tells the user of a form what is wrong with the PIN typed so far; NULL: nothing. */
const char *advice(const uint8_t *pin, size_t length)
{
    mtoken_pin_weaknesses found = mtoken_pin_inspect(pin, length);

    if (found & MTOKEN_PIN_SHORT) return "Choose at least four digits.";
    if (found & (MTOKEN_PIN_REPEATED | MTOKEN_PIN_SEQUENTIAL | MTOKEN_PIN_COMMON))
        return "Many people choose this PIN.";
    return found & MTOKEN_PIN_DATE ? "Do not use a date." : NULL;
}

/* Asks for the old PIN, and changes it only if the server accepts it. */
mtoken_status change(mtoken_client *client, const uint8_t *old_pin, size_t old_length,
                     const uint8_t *new_pin, size_t new_length, mtoken_task **task)
{
    return mtoken_client_change_pin(client, old_pin, old_length, new_pin, new_length,
                                    task, NULL);
}

/* Checks a PIN with the server. A wrong PIN costs an attempt. */
mtoken_status check(mtoken_client *client, const uint8_t *pin, size_t length,
                    mtoken_task **task)
{
    return mtoken_client_validate_pin(client, pin, length, task, NULL);
}

/* Works without network. If the old PIN is wrong, the new one is useless, and nobody
 * notices until it is used. */
mtoken_status change_blindly(mtoken_client *client, const uint8_t *old_pin,
                             size_t old_length, const uint8_t *new_pin,
                             size_t new_length)
{
    return mtoken_client_change_pin_unsafe(client, old_pin, old_length, new_pin,
                                           new_length, NULL);
}

/* Lets a fingerprint sensor replace the PIN: it keeps these 16 random bytes. */
mtoken_status add_sensor(mtoken_client *client, const uint8_t key[16],
                         const uint8_t *pin, size_t length, mtoken_task **task)
{
    mtoken_auth auth = MTOKEN_AUTH_INIT;

    auth.pin = MTOKEN_BYTES(pin, length);
    return mtoken_client_add_biometry(client, key, 16, "fingerprint",
                                      MTOKEN_NUL_TERMINATED, &auth, task, NULL);
}

/* Removes the sensor again. */
mtoken_status remove_sensor(mtoken_client *client, mtoken_task **task)
{
    return mtoken_client_remove_biometry(client, "fingerprint", MTOKEN_NUL_TERMINATED,
                                         task, NULL);
}

/* Encrypts PIN and biometry keys under the host's key as well, then removes that
 * layer. */
mtoken_status use_external_key(mtoken_client *client, const uint8_t key[16])
{
    mtoken_status status = mtoken_client_add_external_key(client, key, 16, NULL);

    return status == MTOKEN_OK ? mtoken_client_remove_external_key(client, NULL)
                               : status;
}

/* After each start, if the activation uses an external key. */
mtoken_status bring_external_key(mtoken_client *client, const uint8_t key[16])
{
    return mtoken_client_set_external_key(client, key, 16, NULL);
}
