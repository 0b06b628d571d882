/* What the generated half of the player in C++ needs: values out of what mtoken.hpp gives. */
#ifndef THROUGH_HPP
#define THROUGH_HPP

#include "player.hpp"

#include <mtoken.hpp>

/* An argument: the value that a cell holds. */
template <typename T> T at(const void *cell) { return *static_cast<const T *>(cell); }

inline Value value(std::string_view text) { return text.data() ? Value(std::string(text)) : Value(); }

inline Value value(std::optional<std::string_view> text) { return text ? value(*text) : Value(); }

inline Value value(mtoken::bytes_view bytes)
{
    return bytes.data() ? Value(Bytes(bytes.begin(), bytes.end())) : Value();
}

inline Value value(mtoken::time_point moment) { return int64_t(moment.time_since_epoch().count()); }

template <typename R, typename P> Value value(std::chrono::duration<R, P> time) { return int64_t(time.count()); }

template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>, typename = void>
Value value(T number)
{
    if constexpr (std::is_floating_point_v<T>)
        return double(number);
    else
        return int64_t(number);
}

/* A view or the reference of a handle. */
template <typename V, typename = typename V::c_type> Value value(V view)
{
    constexpr bool is_handle = std::is_same_v<decltype(view.get()), typename V::c_type *>;
    return referred(V::c_name, view.get(), is_handle);
}

template <typename V> Value value(mtoken::list<V> items)
{
    List found;
    for (V item : items) found.push_back(value(item));
    return found;
}

/* What a function gave, where a C function would have put it. */
template <typename T> void give(void *place, T &&made)
{
    using Made = std::decay_t<T>;
    if constexpr (std::is_same_v<Made, std::string_view>) {
        *static_cast<const char **>(place) = made.data();
    } else if constexpr (std::is_same_v<Made, std::optional<std::string_view>>) {
        *static_cast<const char **>(place) = made ? made->data() : nullptr;
    } else if constexpr (std::is_base_of_v<mtoken::Owner<mtoken::TaskRef>, Made>) {
        *static_cast<mtoken_task **>(place) = made.release();
    } else if constexpr (std::is_pointer_v<Made>) {
        *static_cast<Made *>(place) = made;
    } else if constexpr (std::is_class_v<Made> && !std::is_constructible_v<Value, Made>) {
        if constexpr (std::is_copy_constructible_v<Made>)
            *static_cast<const void **>(place) = made.get();
        else
            *static_cast<void **>(place) = made.release();
    } else if constexpr (std::is_same_v<Made, bool>) {
        *static_cast<mtoken_bool *>(place) = made;
    } else {
        *static_cast<Made *>(place) = made;
    }
}

/* The status of a result; its error goes where the caller wants it. */
template <typename T> mtoken_status settled(mtoken::Result<T> &made, mtoken_error **error)
{
    if (made.has_value()) return MTOKEN_OK;
    auto code = mtoken_status(made.error().code());
    if (error) *error = made.error().release();
    return code;
}

#endif
