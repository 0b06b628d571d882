/* SPDX-License-Identifier: Apache-2.0 */
/* What all plugins of libmtoken share. */
#ifndef MTOKEN_PLUGIN_SUPPORT_H
#define MTOKEN_PLUGIN_SUPPORT_H

#define _GNU_SOURCE

#include "plugin.h"

#include <mtoken.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one symbol that the library looks for. */
#define MTOKEN_PLUGIN(name_, protection_, open_, seal_, unseal_, forget_, explain_, close_)                            \
    __attribute__((visibility("default"))) extern const mtoken_plugin mtoken_plugin_descriptor;                        \
    const mtoken_plugin mtoken_plugin_descriptor = {                                                                   \
        .magic = MTOKEN_PLUGIN_MAGIC,                                                                                  \
        .interface = MTOKEN_PLUGIN_INTERFACE,                                                                          \
        .size = sizeof(mtoken_plugin),                                                                                 \
        .name = name_,                                                                                                 \
        .protection = protection_,                                                                                     \
        .open = open_,                                                                                                 \
        .seal = seal_,                                                                                                 \
        .unseal = unseal_,                                                                                             \
        .forget = forget_,                                                                                             \
        .explain = explain_,                                                                                           \
        .close = close_,                                                                                               \
    }

#endif
