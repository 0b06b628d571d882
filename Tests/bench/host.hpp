// What a host brings: a store in memory, a client with an activation, and for one thing a server.
#pragma once

#include "activation.hpp"

#include <mtoken.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

// Ends the program unless a call of the library succeeded.
void require(mtoken_status status, mtoken_error *error, const char *what);

// A store in memory through the interface for hosts' own stores, so that an activation can be laid into it.
class MemoryStore {
  public:
    MemoryStore();
    ~MemoryStore();
    MemoryStore(const MemoryStore &) = delete;

    std::map<std::string, Bytes> items;
    mtoken_store *handle = nullptr;
};

// A client with an activation that was put into its store, by the store's own device secret. `authorities`: the file
// with the certificates to trust, if any.
mtoken_client *makeClient(mtoken_runtime *runtime, mtoken_store *store, const Activation &activation,
                          const std::string &id, const std::string &url, const std::string &authorities = "");

// Answers every HTTP request on a port of the loopback with the time: a client must know it before it makes a token
// header.
class TimeServer {
  public:
    TimeServer();
    ~TimeServer();
    TimeServer(const TimeServer &) = delete;

    std::string url;

  private:
    void run();

    int listener;
    std::atomic<bool> stopped{false};
    std::thread thread;
};
