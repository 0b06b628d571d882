// mtoken.h for C++17 programs: owners that free, and errors that are thrown. Copy it and adapt it.
#pragma once

#include <mtoken.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace token {

// A failed call. `outcome` says whether the server may have acted nevertheless.
class Error : public std::runtime_error {
  public:
    explicit Error(const mtoken_error &error)
        : std::runtime_error(text(error)), code(error.code), outcome(error.outcome), reason(error.reason)
    {
    }

    const mtoken_status code;
    const mtoken_outcome outcome;
    const std::string reason;

  private:
    static std::string text(const mtoken_error &error)
    {
        std::string text = std::string(mtoken_error_name(error.code)) + " (" + error.reason + ")";
        if (error.byte_offset >= 0)
            text += ", line " + std::to_string(error.line) + ", byte " + std::to_string(error.byte_offset);
        return text + ": " + error.message;
    }
};

// An object of the library, and the function that frees it.
template <auto function> struct Freeing {
    template <class Object> void operator()(Object *object) const noexcept { function(object); }
};

template <class Function> struct Freed;
template <class Object> struct Freed<void (*)(Object *)> {
    using type = Object;
};

template <auto function> using Owned = std::unique_ptr<typename Freed<decltype(function)>::type, Freeing<function>>;

using Runtime = Owned<mtoken_runtime_free>;
using Store = Owned<mtoken_store_free>;
using Client = Owned<mtoken_client_free>;
using Task = Owned<mtoken_task_free>;
using QROperation = Owned<mtoken_qr_operation_free>;

// Makes a call without its last argument, the error: call(mtoken_client_persist, client, &auth).
template <class... Parameters, class... Arguments>
void call(mtoken_status (*function)(Parameters...), Arguments &&...arguments)
{
    mtoken_error *error = nullptr;
    if (function(std::forward<Arguments>(arguments)..., &error) == MTOKEN_OK) return;
    const Owned<mtoken_error_free> owner(error);
    throw Error(*error);
}

// Makes a call without its last two arguments, the result and the error: make<Store>(mtoken_store_memory_new).
template <class Result, class... Parameters, class... Arguments>
Result make(mtoken_status (*function)(Parameters...), Arguments &&...arguments)
{
    typename Result::pointer made = nullptr;
    call(function, std::forward<Arguments>(arguments)..., &made);
    return Result(made);
}

// Waits for a network call. The results live as long as the task.
template <class... Parameters, class... Arguments>
Task finish(mtoken_status (*function)(Parameters...), Arguments &&...arguments)
{
    Task task = make<Task>(function, std::forward<Arguments>(arguments)...);
    call(mtoken_task_join, task.get(), MTOKEN_FOREVER);
    return task;
}

} // namespace token
