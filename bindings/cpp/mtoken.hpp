/*
 * libmtoken for C++17: what mtoken.h offers, with objects that free themselves, views of what the library made,
 * std::string_view, std::chrono, ranges over lists, and errors as exceptions or as results:
 *
 *     mtoken::Task<mtoken::OperationList> task = client.operations_list();              // throws mtoken::Error
 *     auto result = client.operations_list(std::nothrow);                               // mtoken::Result<Task<...>>
 *
 * Every function of mtoken.h is here under its name without "mtoken_": mtoken_operations_list(client, ...) is
 * client.operations_list(...), mtoken_client_sign(client, ...) is client.sign(...), mtoken_client_new(runtime, ...) is
 * runtime.new_client(...). The comments of mtoken.h hold for them all.
 *
 * Owner<…>        frees what it owns: Client, Runtime, Store, Owner<QrOperation>. Moved, never copied.
 * Operation       views of what the library made: copied like pointers. A view, and a list of views, keeps the result
 * that it came from; a std::string_view does not: keep the view that it came from, or copy the text. …Ref references to
 * handles, which somebody else frees ClientOptions   option structs with setters in a chain. They copy the texts and
 * bytes that they are given, and wipe the copies; what stands in arrays (FieldInput, IdentityAttribute) refers to them.
 *
 * Needs only mtoken.h and the library; link with -lmtoken (pkg-config: mtoken; CMake: mtoken::cpp).
 */
#ifndef MTOKEN_HPP
#define MTOKEN_HPP

#if __cplusplus < 201703L
#error "mtoken.hpp needs C++17"
#endif

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <mtoken.h>
#include <mtoken/extra.h>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace mtoken {

/** A moment in milliseconds, as the library counts them. */
using time_point = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/** To wait without limit. */
inline constexpr std::chrono::milliseconds forever{MTOKEN_FOREVER};

/** Elements that somebody else holds, one after the other. */
template <typename T> class span {
  public:
    constexpr span() = default;
    constexpr span(T *data, size_t size) noexcept : data_(data), size_(size) {}
    template <typename C, typename = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr span(C &&container) noexcept : data_(container.data()), size_(container.size())
    {
    }
    template <size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](size_t index) const noexcept { return data_[index]; }

  private:
    T *data_ = nullptr;
    size_t size_ = 0;
};

/** Bytes that somebody else holds; of a text, its UTF-8. */
class bytes_view : public span<const uint8_t> {
  public:
    using span::span;
    bytes_view(std::string_view text) noexcept : span(reinterpret_cast<const uint8_t *>(text.data()), text.size()) {}
    bytes_view(const char *text) noexcept : bytes_view(text ? std::string_view(text) : std::string_view()) {}
    bytes_view(const std::string &text) noexcept : bytes_view(std::string_view(text)) {}
};

/** Bytes that are wiped when they are no longer needed: PINs and keys. */
class secret {
  public:
    secret() = default;
    explicit secret(bytes_view bytes) : bytes_(bytes.begin(), bytes.end()) {}
    secret(secret &&other) noexcept : bytes_(std::move(other.bytes_)) {}
    secret &operator=(secret &&other) noexcept
    {
        wipe();
        bytes_ = std::move(other.bytes_);
        return *this;
    }
    secret(const secret &) = delete;
    secret &operator=(const secret &) = delete;
    ~secret() { wipe(); }

    void wipe() noexcept
    {
        volatile uint8_t *bytes = bytes_.data();
        for (size_t i = 0; i < bytes_.size(); i++) bytes[i] = 0;
        bytes_.clear();
    }
    const uint8_t *data() const noexcept { return bytes_.data(); }
    size_t size() const noexcept { return bytes_.size(); }

  private:
    std::vector<uint8_t> bytes_;
};

template <typename T> struct is_flags : std::false_type {
};

template <typename T, typename = std::enable_if_t<is_flags<T>::value>> constexpr T operator|(T one, T other) noexcept
{
    return T(int32_t(one) | int32_t(other));
}

template <typename T, typename = std::enable_if_t<is_flags<T>::value>> constexpr T operator&(T one, T other) noexcept
{
    return T(int32_t(one) & int32_t(other));
}

/** Whether all of some flags are set. */
template <typename T, typename = std::enable_if_t<is_flags<T>::value>> constexpr bool has(T flags, T wanted) noexcept
{
    return (flags & wanted) == wanted;
}

/** A struct of options by reference; none: the defaults. */
template <typename T> class in {
  public:
    constexpr in(std::nullptr_t = nullptr) noexcept {}
    constexpr in(const T &options) noexcept : options_(&options) {}
    constexpr in(const T *options) noexcept : options_(options) {}
    constexpr const T *get() const noexcept { return options_; }

  private:
    const T *options_ = nullptr;
};

/** Keeps what a view looks into; empty in a view of something that somebody else frees. */
using keeper = std::shared_ptr<const void>;

/** An array of the library's as a range of views or texts. */
template <typename V> class list {
    template <typename T, typename = void> struct element {
        using type = const char *;
    };
    template <typename T> struct element<T, std::void_t<typename T::c_type>> {
        using type = const typename T::c_type *;
    };

  public:
    using native = typename element<V>::type;

    class iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = V;
        using difference_type = std::ptrdiff_t;
        using pointer = const V *;
        using reference = V;

        iterator() = default;
        iterator(const native *place, keeper owner) noexcept : place_(place), owner_(std::move(owner)) {}
        V operator*() const { return element_of(*place_, owner_); }
        iterator &operator++() noexcept
        {
            ++place_;
            return *this;
        }
        iterator operator++(int) noexcept { return iterator(place_++, owner_); }
        iterator operator+(difference_type steps) const noexcept { return iterator(place_ + steps, owner_); }
        difference_type operator-(const iterator &other) const noexcept { return place_ - other.place_; }
        bool operator==(const iterator &other) const noexcept { return place_ == other.place_; }
        bool operator!=(const iterator &other) const noexcept { return place_ != other.place_; }

      private:
        const native *place_ = nullptr;
        keeper owner_;
    };

    using const_iterator = iterator;
    using value_type = V;

    list() = default;
    list(const native *data, size_t size, keeper owner = {}) noexcept
        : data_(data), size_(size), owner_(std::move(owner))
    {
    }
    size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    iterator begin() const noexcept { return iterator(data_, owner_); }
    iterator end() const noexcept { return iterator(data_ + size_, owner_); }
    V operator[](size_t index) const { return element_of(data_[index], owner_); }
    V at(size_t index) const
    {
        if (index >= size_) throw std::out_of_range("mtoken: a list has no element of this number");
        return (*this)[index];
    }

  private:
    static V element_of(native element, const keeper &owner)
    {
        if constexpr (std::is_constructible_v<V, native, keeper>)
            return V(element, owner);
        else
            return element ? V(element) : V();
    }

    const native *data_ = nullptr;
    size_t size_ = 0;
    keeper owner_;
};

/** Owns a handle or a struct: frees it when neither this nor a view of it is left. `View` is what it can do. */
template <typename View> class Owner : public View {
  public:
    using c_type = typename View::c_type;

    Owner() = default;
    /** Takes it over. */
    explicit Owner(c_type *native) : Owner(native ? std::make_shared<Freed>(native) : nullptr) {}
    Owner(Owner &&other) noexcept
        : View(std::exchange(static_cast<View &>(other), View())), freed_(std::move(other.freed_))
    {
    }
    Owner &operator=(Owner &&other) noexcept
    {
        if (this != &other) {
            static_cast<View &>(*this) = std::exchange(static_cast<View &>(other), View());
            freed_ = std::move(other.freed_);
        }
        return *this;
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() = default;

    /** Gives it up; it is freed now, unless a view looks into it. */
    void reset() noexcept
    {
        static_cast<View &>(*this) = View();
        freed_.reset();
    }
    /** Hands it over: it is no longer freed here, and views of it do not keep it. */
    c_type *release() noexcept
    {
        c_type *native = freed_ ? std::exchange(freed_->native, nullptr) : nullptr;
        reset();
        return native;
    }

  protected:
    keeper owner() const noexcept { return freed_; }

  private:
    struct Freed {
        c_type *native;
        explicit Freed(c_type *native) noexcept : native(native) {}
        Freed(const Freed &) = delete;
        Freed &operator=(const Freed &) = delete;
        ~Freed()
        {
            if (native) View::free(native);
        }
    };

    explicit Owner(std::shared_ptr<Freed> freed) noexcept : View(view_of(freed)), freed_(std::move(freed)) {}

    static View view_of(const std::shared_ptr<Freed> &freed) noexcept
    {
        if constexpr (std::is_constructible_v<View, c_type *, keeper>)
            return freed ? View(freed->native, freed) : View();
        else
            return freed ? View(freed->native) : View();
    }

    std::shared_ptr<Freed> freed_;
};

/** A text of the library's; its owner wipes it if it is a secret. */
class Text {
  public:
    using c_type = mtoken_text;
    static constexpr const char *c_name = "mtoken_text";
    Text() = default;
    explicit Text(const mtoken_text *native, keeper owner = {}) noexcept : native_(native), owner_(std::move(owner)) {}
    explicit operator bool() const noexcept { return native_; }
    const mtoken_text *get() const noexcept { return native_; }
    std::string_view view() const noexcept { return native_ ? std::string_view(native_->data, native_->length) : ""; }
    operator std::string_view() const noexcept { return view(); }
    std::string str() const { return std::string(view()); }
    static void free(mtoken_text *native) noexcept { mtoken_text_free(native); }

  private:
    const mtoken_text *native_ = nullptr;
    keeper owner_;
};

/** Bytes of the library's. */
class Bytes {
  public:
    using c_type = mtoken_bytes;
    static constexpr const char *c_name = "mtoken_bytes";
    Bytes() = default;
    explicit Bytes(const mtoken_bytes *native, keeper owner = {}) noexcept : native_(native), owner_(std::move(owner))
    {
    }
    explicit operator bool() const noexcept { return native_; }
    const mtoken_bytes *get() const noexcept { return native_; }
    bytes_view view() const noexcept { return native_ ? bytes_view(native_->data, native_->length) : bytes_view(); }
    operator bytes_view() const noexcept { return view(); }
    static void free(mtoken_bytes *native) noexcept { mtoken_bytes_free(native); }

  private:
    const mtoken_bytes *native_ = nullptr;
    keeper owner_;
};

namespace detail {

inline std::string_view view(const char *text) noexcept { return text ? std::string_view(text) : std::string_view(); }

inline std::optional<std::string_view> maybe(const char *text) noexcept
{
    return text ? std::optional<std::string_view>(text) : std::nullopt;
}

inline std::optional<std::string_view> maybe(const char *text, size_t length) noexcept
{
    return text ? std::optional<std::string_view>({text, length}) : std::nullopt;
}

inline mtoken_text native(std::string_view text) noexcept { return {text.data(), text.size()}; }

inline mtoken_bytes native(bytes_view bytes) noexcept { return {bytes.data(), bytes.size()}; }

template <typename R> auto native(const R &handle) noexcept -> decltype(handle.get()) { return handle.get(); }

/* A number for C out of a number, an enumerator, a duration or a moment. */
template <typename N, typename T> constexpr N number(T value) noexcept { return static_cast<N>(value); }

/* A time that is longer than C's type is the longest of that type. */
template <typename N, typename R, typename P> constexpr N number(std::chrono::duration<R, P> value) noexcept
{
    using limits = std::numeric_limits<N>;
    if (value.count() > limits::max()) return limits::max();
    return value.count() < limits::min() ? limits::min() : static_cast<N>(value.count());
}

/* What options keep: copies of the texts and bytes that they were given, wiped with the last copy of the options. (It
 * is copied where it could be moved: options that were moved from still have what they had.) */
class Kept {
  public:
    Kept() = default;
    Kept(const Kept &) = default;
    Kept &operator=(const Kept &) = default;
    ~Kept() = default;

    template <typename T> const T *add(const T &value)
    {
        auto copy = std::make_shared<const T>(value);
        kept_.push_back(copy);
        return copy.get();
    }
    mtoken_text text(std::string_view value)
    {
        return {reinterpret_cast<const char *>(copy(bytes_view(value))), value.size()};
    }
    mtoken_bytes bytes(bytes_view value) { return {copy(value), value.size()}; }

  private:
    /* Never NULL, since what is set is there. */
    const uint8_t *copy(bytes_view value)
    {
        static const uint8_t nothing = 0;
        auto copy = std::make_shared<const secret>(value);
        kept_.push_back(copy);
        return value.empty() ? &nothing : copy->data();
    }

    std::vector<keeper> kept_;
};

template <typename N> constexpr N number(time_point value) noexcept
{
    return static_cast<N>(value.time_since_epoch().count());
}

template <typename R> struct Getter;

} // namespace detail

inline time_point at(std::chrono::milliseconds since_epoch) noexcept { return time_point(since_epoch); }

} // namespace mtoken

#include "mtoken/cpp/types.hpp"

namespace mtoken {

/**
 * A call has failed. It has all members of mtoken_error: code(), reason(), message(), outcome(), http_status(), … Each
 * code has a class of its own, e.g. NetworkError, which is what is thrown.
 */
class Error : public std::exception, public ErrorInfo {
  public:
    /** Takes the error over; without one, the code alone is told. */
    Error(mtoken_status status, mtoken_error *error) : Error(std::make_shared<Held>(status, error)) {}

    const char *what() const noexcept override { return ErrorInfo::get()->message; }

    /** Throws it as the class of its code. */
    [[noreturn]] inline void raise() const;

    /** Hands the C struct over, from all copies of this error; nullptr if the call gave none. */
    mtoken_error *release() noexcept { return std::exchange(held_->error, nullptr); }

  private:
    struct Held {
        mtoken_error own = {};
        mtoken_error *error;

        Held(mtoken_status status, mtoken_error *given) : error(given)
        {
            const char *text = mtoken_error_description(status);
            own.code = status;
            own.reason = "";
            own.message = text ? text : "an unknown error";
            own.remaining_attempts = own.recovery_puk_index = -1;
            own.byte_offset = own.retry_after_ms = -1;
        }
        Held(const Held &) = delete;
        Held &operator=(const Held &) = delete;
        ~Held() { mtoken_error_free(error); }
    };

    explicit Error(std::shared_ptr<Held> held)
        : ErrorInfo(held->error ? held->error : &held->own, held), held_(std::move(held))
    {
    }

    std::shared_ptr<Held> held_;
};

/** What a call gave, or its error: of calls with std::nothrow. */
template <typename T> class [[nodiscard]] Result {
  public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const noexcept { return content_.index() == 0; }
    /** Whether there is a value. Not there where that is a bool, for which it could be taken: ask has_value(). */
    template <typename U = T, typename = std::enable_if_t<!std::is_same_v<U, bool>>>
    explicit operator bool() const noexcept
    {
        return has_value();
    }
    /** What the call gave. Throws the error if there is one. */
    T &value() &
    {
        if (!has_value()) error().raise();
        return *std::get_if<0>(&content_);
    }
    T &&value() && { return std::move(value()); }
    T take() { return std::move(value()); }
    T &operator*() { return value(); }
    T *operator->() { return &value(); }
    /** The error; only if there is no value. */
    Error &error() { return std::get<1>(content_); }
    const Error &error() const { return std::get<1>(content_); }

  private:
    std::variant<T, Error> content_;
};

template <> class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool has_value() const noexcept { return !error_; }
    explicit operator bool() const noexcept { return has_value(); }
    void value() const
    {
        if (error_) error_->raise();
    }
    void take() const { value(); }
    Error &error() { return error_.value(); }
    const Error &error() const { return error_.value(); }

  private:
    std::optional<Error> error_;
};

template <typename R> class Task;

} // namespace mtoken

#include "mtoken/cpp/objects.hpp"

namespace mtoken {

namespace detail {

template <typename R> class TaskBase : public Owner<TaskRef> {
  public:
    using Owner<TaskRef>::Owner;
};

} // namespace detail

/**
 * A call under way, and its result. Dropping the task does not cancel the call. get() waits and gives the result, a
 * view that keeps what it looks into.
 */
template <typename R> class [[nodiscard]] Task : public detail::TaskBase<R> {
  public:
    using detail::TaskBase<R>::TaskBase;

    /** Waits and gives the result; throws the error of the task, or TimeoutError. */
    R get(std::chrono::milliseconds limit = forever) const { return get(std::nothrow, limit).take(); }
    /** The same without exceptions. */
    Result<R> get(std::nothrow_t, std::chrono::milliseconds limit = forever) const
    {
        Result<void> joined = this->join(std::nothrow, limit);
        if (!joined) return joined.error();
        return detail::Getter<R>::of(TaskRef::get(), this->owner());
    }
};

/** A call that has no result but its success. */
template <> class [[nodiscard]] Task<void> : public detail::TaskBase<void> {
  public:
    using detail::TaskBase<void>::TaskBase;

    void get(std::chrono::milliseconds limit = forever) const { join(limit); }
    Result<void> get(std::nothrow_t, std::chrono::milliseconds limit = forever) const
    {
        return join(std::nothrow, limit);
    }
};

} // namespace mtoken

#include "mtoken/cpp/calls.hpp"

namespace mtoken {

/** Throws std::runtime_error if the loaded library is older than this header, or of another ABI. */
inline void check_library()
{
    if (mtoken_abi_version() != MTOKEN_ABI_VERSION || mtoken_version_number() < MTOKEN_VERSION_NUMBER)
        throw std::runtime_error(std::string("mtoken: the loaded library has version ") + mtoken_version() +
                                 ", this program needs " MTOKEN_VERSION " or a newer one of the same major version: "
                                 "install libmtoken1");
}

} // namespace mtoken

#endif
