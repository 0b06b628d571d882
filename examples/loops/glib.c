/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An approval in GLib's main loop, for example in a GTK program.
 *
 *   cc glib.c $(pkg-config --cflags --libs mtoken glib-2.0) -o approve-glib
 *   ./approve-glib URL CA-FILE SDK-CONFIGURATION STORE PIN
 */
#include "approval.h"

#include <glib-unix.h>

typedef struct program {
    approval approval;
    GMainLoop *loop;
} program;

static gboolean readable(gint fd, GIOCondition condition, gpointer user_data)
{
    (void)fd, (void)condition;
    program *program = user_data;
    if (approval_read(&program->approval)) return G_SOURCE_CONTINUE;
    g_main_loop_quit(program->loop);
    return G_SOURCE_REMOVE;
}

static gboolean tick(gpointer user_data)
{
    program *program = user_data;
    program->approval.ticks++;
    return G_SOURCE_CONTINUE;
}

int main(int argc, char **argv)
{
    program program;
    if (!approval_open(&program.approval, argc, argv)) return approval_close(&program.approval);

    program.loop = g_main_loop_new(NULL, FALSE);
    g_unix_fd_add(approval_fd(&program.approval), G_IO_IN, readable, &program);
    const guint timer = g_timeout_add(20, tick, &program);
    g_main_loop_run(program.loop);

    g_source_remove(timer);
    g_main_loop_unref(program.loop);
    return approval_close(&program.approval);
}
