/* libcurl, and typed inline shims for its variadic functions: Swift cannot call those. */
#ifndef MTOKEN_CCURL_SHIM_H
#define MTOKEN_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <openssl/ssl.h>

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

static inline int mtoken_curl_speaks_http2(void)
{
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0;
}

/* Opens a socket for libcurl that is not inherited by programs that the host starts. */
static inline curl_socket_t mtoken_curl_open_socket(const struct curl_sockaddr *address)
{
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#endif
