/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, and typed inline shims for its variadic functions: Swift cannot call those. */
#ifndef MTOKEN_CCURL_SHIM_H
#define MTOKEN_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/ssl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static inline CURLcode mtoken_curl_set_long(CURL *easy, CURLoption option, long value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mtoken_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value)
{
    return curl_easy_setopt(easy, option, value);
}

/* Any option that takes an object: text (copied by libcurl), a list, an error buffer, the context of a callback. */
static inline CURLcode mtoken_curl_set_pointer(CURL *easy, CURLoption option, const void *value)
{
    return curl_easy_setopt(easy, option, value);
}

/* An option that takes a block of bytes, which libcurl copies. */
static inline CURLcode mtoken_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count)
{
    struct curl_blob blob;
    blob.data = (void *)bytes;
    blob.len = count;
    blob.flags = CURL_BLOB_COPY;
    return curl_easy_setopt(easy, option, &blob);
}

/* CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION, CURLOPT_READFUNCTION: bytes, size, count, context. */
static inline CURLcode mtoken_curl_set_transfer_function(CURL *easy, CURLoption option,
                                                        size_t (*function)(char *, size_t, size_t, void *))
{
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode mtoken_curl_set_prerequest_function(CURL *easy,
                                                          int (*function)(void *, char *, char *, int, int))
{
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode mtoken_curl_set_socket_function(CURL *easy,
                                                      curl_socket_t (*function)(void *, curlsocktype,
                                                                                struct curl_sockaddr *))
{
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode mtoken_curl_set_close_function(CURL *easy, int (*function)(void *, curl_socket_t))
{
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode mtoken_curl_set_context_function(CURL *easy, CURLcode (*function)(CURL *, void *, void *))
{
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, function);
}

static inline CURLSHcode mtoken_share_set_connections(CURLSH *share)
{
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
}

static inline CURLcode mtoken_curl_get_long(CURL *easy, CURLINFO info, long *value)
{
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode mtoken_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value)
{
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode mtoken_curl_get_pointer(CURL *easy, CURLINFO info, char **value)
{
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode mtoken_multi_set_long(CURLM *multi, CURLMoption option, long value)
{
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode mtoken_multi_set_pointer(CURLM *multi, CURLMoption option, void *value)
{
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode mtoken_multi_set_socket_function(CURLM *multi,
                                                        int (*function)(CURL *, curl_socket_t, int, void *, void *))
{
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode mtoken_multi_set_timer_function(CURLM *multi, int (*function)(CURLM *, long, void *))
{
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

/* The handle and the result of a finished transfer; the result is in a union. */
static inline CURLcode mtoken_multi_message_result(const CURLMsg *message) { return message->data.result; }

static inline const char *mtoken_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

static inline int mtoken_curl_speaks_http2(void)
{
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0;
}

/* Opens a socket for libcurl that is not inherited by programs that the host starts. */
static inline curl_socket_t mtoken_curl_open_socket(const struct curl_sockaddr *address)
{
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* The number that the next descriptor gets, unless another thread is faster; 0 when there is none. */
static inline int mtoken_lowest_descriptor(void)
{
    int descriptor = open("/", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    close(descriptor);
    return descriptor;
}

/* Whether bytes lie in a socket: 1 that it has not read, 2 of which its peer has not read all. */
static inline int mtoken_unread(int socket)
{
    int in = 0, out = 0;
    if (ioctl(socket, FIONREAD, &in) != 0 || ioctl(socket, TIOCOUTQ, &out) != 0) return -1;
    return (in > 0 ? 1 : 0) | (out > 0 ? 2 : 0);
}

/*
 * Keeps a new handle's pair of wake-up sockets out of the programs that the host starts: libcurl
 * before 8.13 does not, and does not expose their numbers. They are near `near`, where other
 * threads open descriptors too; these two are those that are full after a wake-up, and empty before
 * it and after a wait.
 */
static inline void mtoken_multi_close_on_exec(CURLM *multi, int near)
{
    enum { AROUND = 64, WINDOW = 2 * AROUND };
    int first = near > AROUND ? near - AROUND : 0, found = 0, ignored;
    signed char states[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        int flags = fcntl(first + i, F_GETFD), domain = 0;
        socklen_t size = sizeof domain;
        states[i] = -1;
        if (flags < 0 || flags & FD_CLOEXEC) continue;
        if (getsockopt(first + i, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX) continue;
        if (mtoken_unread(first + i) == 0) states[i] = 0, found++;
    }
    if (found < 2 || curl_multi_wakeup(multi) != CURLM_OK) return;
    for (int i = 0; i < WINDOW; i++)
        if (states[i] == 0) states[i] = (signed char)mtoken_unread(first + i);
    if (curl_multi_poll(multi, NULL, 0, 0, &ignored) != CURLM_OK) return;
    for (int i = 0; i < WINDOW; i++)
        if ((states[i] == 1 || states[i] == 2) && mtoken_unread(first + i) == 0) fcntl(first + i, F_SETFD, FD_CLOEXEC);
}

#endif
