/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of a plugin that protects secrets: a shared library beside the library, named
 * libmtoken-<name>.so.1, with one symbol, mtoken_plugin_descriptor. It is not a part of the public
 * interface: plugin and library come from the same sources.
 */
#ifndef MTOKEN_CSYSTEM_PLUGIN_H
#define MTOKEN_CSYSTEM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

enum {
    MTOKEN_PLUGIN_MAGIC = 0x4d54504c,
    MTOKEN_PLUGIN_INTERFACE = 1,
    MTOKEN_CAUSE_ROOM = 200 /* of a text that says why, with its NUL */
};

/* Seals or unseals, as the functions of mtoken_host_sealer. */
typedef int32_t (*mtoken_sealing)(void *context, const char *label, const uint8_t *bytes, size_t length, uint8_t *out,
                                  size_t *out_length);
typedef void (*mtoken_forgetting)(void *context, const char *label, const uint8_t *sealed, size_t length);
typedef void (*mtoken_releasing)(void *context);

/* NULL: not given. */
typedef struct mtoken_plugin_options {
    const char *device, *module, *pcrs;
    const uint8_t *password;
    size_t password_length;
} mtoken_plugin_options;

typedef struct mtoken_plugin {
    uint32_t magic, interface;
    uint64_t size;
    const char *name;
    int32_t protection, reserved;
    /* All return an MTOKEN_SEAL_FAULT_. */
    int32_t (*open)(const mtoken_plugin_options *options, void **context, char *cause);
    mtoken_sealing seal, unseal;
    mtoken_forgetting forget; /* may be NULL */
    void (*explain)(void *context, char *cause); /* why the last call failed; may be NULL */
    mtoken_releasing close;
} mtoken_plugin;

#endif
