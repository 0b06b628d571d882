/* Loaded before a program: FIDO2 devices are sockets, behind which a test's authenticator listens. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fido.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void *socket_open(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) != 0) return NULL;
    return (void *)(intptr_t)(file + 1);
}

static void socket_close(void *handle) { close((int)(intptr_t)handle - 1); }

static int socket_read(void *handle, unsigned char *bytes, size_t count, int milliseconds)
{
    struct pollfd waiting = {.fd = (int)(intptr_t)handle - 1, .events = POLLIN};
    return poll(&waiting, 1, milliseconds) == 1 ? (int)read(waiting.fd, bytes, count) : -1;
}

/* The first byte is the number of the report. */
static int socket_write(void *handle, const unsigned char *bytes, size_t count)
{
    return write((int)(intptr_t)handle - 1, bytes + 1, count - 1) == (ssize_t)count - 1 ? (int)count : -1;
}

int fido_dev_open(fido_dev_t *device, const char *path)
{
    static const fido_dev_io_t functions = {socket_open, socket_close, socket_read, socket_write};
    void *library = dlopen("libfido2.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library) abort();
    int (*set)(fido_dev_t *, const fido_dev_io_t *) =
        (int (*)(fido_dev_t *, const fido_dev_io_t *))dlsym(library, "fido_dev_set_io_functions");
    int (*next)(fido_dev_t *, const char *) = (int (*)(fido_dev_t *, const char *))dlsym(library, "fido_dev_open");
    int error = set(device, &functions);
    return error == FIDO_OK ? next(device, path) : error;
}
