/* SPDX-License-Identifier: Apache-2.0 */
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
 * that it came from; a std::string_view does not: keep the view that it came from, or copy the
 * text. …Ref objects refer to handles, which another object frees. ClientOptions and other option
 * structs have setters in a chain. They copy the given texts and bytes, and wipe the copies;
 * elements of arrays (FieldInput, IdentityAttribute) refer to the originals.
 *
 * Needs only mtoken.h and the library; link with -lmtoken (pkg-config: mtoken; CMake: mtoken::cpp).
 */
#ifndef MTOKEN_HPP
#define MTOKEN_HPP

#if __cplusplus < 201703L
#error "mtoken.hpp needs C++17"
#endif

#include <algorithm>
#include <array>
#include <atomic>
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
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/* Without exceptions (-fno-exceptions), what would throw one ends the program. */
#ifdef __cpp_exceptions
#define MTOKEN_THROW(exception) throw exception
#else
#define MTOKEN_THROW(exception) std::terminate()
#endif

namespace mtoken {

/** A moment in milliseconds, as the library counts them. */
using time_point = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/** To wait without limit. (Qt has a macro of the name that C uses.) */
inline constexpr std::chrono::milliseconds no_limit{MTOKEN_FOREVER};

/** A contiguous range of elements that another object owns. */
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

/** Bytes that another object owns; of a text, its UTF-8. */
class bytes_view : public span<const uint8_t> {
  public:
    using span::span;
    bytes_view(std::string_view text) noexcept : span(reinterpret_cast<const uint8_t *>(text.data()), text.size()) {}
    bytes_view(const char *text) noexcept : bytes_view(text ? std::string_view(text) : std::string_view()) {}
    bytes_view(const std::string &text) noexcept : bytes_view(std::string_view(text)) {}
    /** Whether they are equal, in a time that does not tell where they differ. */
    friend bool operator==(bytes_view one, bytes_view other) noexcept
    {
        if (one.size() != other.size()) return false;
        volatile uint8_t differs = 0;
        for (size_t i = 0; i < one.size(); i++) differs = uint8_t(differs | (one[i] ^ other[i]));
        return differs == 0;
    }
    friend bool operator!=(bytes_view one, bytes_view other) noexcept { return !(one == other); }
};

/** A text that another object owns. A NULL pointer is not a text, like std::string_view(). */
class text_view {
  public:
    constexpr text_view() = default;
    constexpr text_view(const char *text) noexcept : text_(text ? std::string_view(text) : std::string_view()) {}
    template <typename T, typename = std::enable_if_t<std::is_convertible_v<const T &, std::string_view> &&
                                                      !std::is_convertible_v<const T &, const char *>>>
    constexpr text_view(const T &text) noexcept : text_(text)
    {
    }
    constexpr operator std::string_view() const noexcept { return text_; }
    constexpr const char *data() const noexcept { return text_.data(); }
    constexpr size_t size() const noexcept { return text_.size(); }
    constexpr bool empty() const noexcept { return text_.empty(); }

  private:
    std::string_view text_;
};

/**
 * A number as the library takes it. One that its type cannot hold becomes the one at the end of that type that is no
 * value of any option or argument, so that the library refuses it (ArgumentError): it is never cut.
 */
template <typename N> class integer {
  public:
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
    constexpr integer(T value) noexcept : value_(holds(value) ? static_cast<N>(value) : refused)
    {
    }
    constexpr operator N() const noexcept { return value_; }

  private:
    using limits = std::numeric_limits<N>;
    static constexpr N refused = std::is_signed_v<N> ? limits::min() : limits::max();

    template <typename T> static constexpr bool holds(T value) noexcept
    {
        return (value < T{}) == (static_cast<N>(value) < N{}) && static_cast<T>(static_cast<N>(value)) == value;
    }

    N value_;
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

/**
 * Keeps the result that a view refers to; empty if another object frees that. The last keeper frees
 * the result. Its place is made before there is something to keep, so that nothing can fail once
 * there is.
 */
class keeper {
  public:
    keeper() = default;
    keeper(const keeper &other) noexcept : kept_(other.kept_)
    {
        if (kept_) kept_->count.fetch_add(1, std::memory_order_relaxed);
    }
    keeper(keeper &&other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
    keeper &operator=(keeper other) noexcept
    {
        std::swap(kept_, other.kept_);
        return *this;
    }
    ~keeper()
    {
        if (!kept_ || kept_->count.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        if (kept_->native) kept_->free(kept_->native);
        delete kept_;
    }

    /** One that keeps nothing yet; an empty one if there is no memory. */
    static keeper made() noexcept
    {
        keeper made;
        made.kept_ = new (std::nothrow) Kept;
        return made;
    }
    explicit operator bool() const noexcept { return kept_; }
    /** What it keeps. */
    void *get() const noexcept { return kept_ ? kept_->native : nullptr; }
    /** Keeps this from now on, with all copies. */
    void keep(void *native, void (*free)(void *)) noexcept
    {
        kept_->native = native;
        kept_->free = free;
    }
    /** Keeps it no longer, with all copies. */
    void *release() noexcept { return kept_ ? std::exchange(kept_->native, nullptr) : nullptr; }

  private:
    struct Kept {
        std::atomic<size_t> count{1};
        void *native = nullptr;
        void (*free)(void *) = nullptr;
    };

    Kept *kept_ = nullptr;
};

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
        struct arrow {
            V value;
            V *operator->() noexcept { return &value; }
        };

      public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = V;
        using difference_type = std::ptrdiff_t;
        using pointer = arrow;
        using reference = V;

        iterator() = default;
        iterator(const native *place, keeper owner) noexcept : place_(place), owner_(std::move(owner)) {}
        V operator*() const { return element_of(*place_, owner_); }
        arrow operator->() const { return {**this}; }
        V operator[](difference_type steps) const { return *(*this + steps); }
        iterator &operator+=(difference_type steps) noexcept
        {
            place_ += steps;
            return *this;
        }
        iterator &operator-=(difference_type steps) noexcept { return *this += -steps; }
        iterator &operator++() noexcept { return *this += 1; }
        iterator &operator--() noexcept { return *this += -1; }
        iterator operator++(int) noexcept { return iterator(place_++, owner_); }
        iterator operator--(int) noexcept { return iterator(place_--, owner_); }
        iterator operator+(difference_type steps) const noexcept { return iterator(place_ + steps, owner_); }
        iterator operator-(difference_type steps) const noexcept { return iterator(place_ - steps, owner_); }
        friend iterator operator+(difference_type steps, const iterator &from) noexcept { return from + steps; }
        difference_type operator-(const iterator &other) const noexcept { return place_ - other.place_; }
        bool operator==(const iterator &other) const noexcept { return place_ == other.place_; }
        bool operator!=(const iterator &other) const noexcept { return place_ != other.place_; }
        bool operator<(const iterator &other) const noexcept { return place_ < other.place_; }
        bool operator>(const iterator &other) const noexcept { return place_ > other.place_; }
        bool operator<=(const iterator &other) const noexcept { return place_ <= other.place_; }
        bool operator>=(const iterator &other) const noexcept { return place_ >= other.place_; }

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
    friend bool operator==(const list &one, const list &other)
    {
        if (one.size_ != other.size_) return false;
        for (size_t index = 0; index < one.size_; index++)
            if (!(one[index] == other[index])) return false;
        return true;
    }
    friend bool operator!=(const list &one, const list &other) { return !(one == other); }
    V at(size_t index) const
    {
        if (index >= size_) MTOKEN_THROW(std::out_of_range("mtoken: a list has no element of this number"));
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
    /** Takes it over, and frees it if there is no memory. */
    explicit Owner(c_type *native) : Owner(native, keeper::made())
    {
        if (native && !owner_) MTOKEN_THROW(std::bad_alloc());
    }
    /** Takes it over into a keeper that keeps nothing yet. */
    Owner(c_type *native, keeper owner) noexcept : View(kept(native, owner)), owner_(std::move(owner)) {}
    Owner(Owner &&other) noexcept
        : View(std::exchange(static_cast<View &>(other), View())), owner_(std::move(other.owner_))
    {
    }
    Owner &operator=(Owner &&other) noexcept
    {
        if (this != &other) {
            static_cast<View &>(*this) = std::exchange(static_cast<View &>(other), View());
            owner_ = std::move(other.owner_);
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
        owner_ = keeper();
    }
    /** Hands it over: it is no longer freed here, and views of it do not keep it. */
    c_type *release() noexcept
    {
        auto native = static_cast<c_type *>(owner_.release());
        reset();
        return native;
    }

  protected:
    keeper owner() const noexcept { return owner_; }

  private:
    static void freed(void *native) { View::free(static_cast<c_type *>(native)); }

    static View kept(c_type *native, keeper &owner) noexcept
    {
        if (!native) owner = keeper();
        if (native && !owner) freed(native);
        if (!owner) return View();
        owner.keep(native, freed);
        if constexpr (std::is_constructible_v<View, c_type *, keeper>)
            return View(native, owner);
        else
            return View(native);
    }

    keeper owner_;
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
    friend bool operator==(const Text &one, std::string_view other) noexcept { return one.view() == other; }
    friend bool operator!=(const Text &one, std::string_view other) noexcept { return one.view() != other; }
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

inline mtoken_text native(text_view text) noexcept { return {text.data(), text.size()}; }

inline mtoken_bytes native(bytes_view bytes) noexcept { return {bytes.data(), bytes.size()}; }

template <typename R> auto native(const R &handle) noexcept -> decltype(handle.get()) { return handle.get(); }

/* A number for C out of a number, an enumerator, a duration or a moment. */
template <typename N, typename T> constexpr N number(T value) noexcept { return static_cast<N>(value); }

template <typename N, typename R, typename P> constexpr N number(std::chrono::duration<R, P> value) noexcept
{
    return integer<N>(value.count());
}

template <typename N> constexpr N number(time_point value) noexcept
{
    return integer<N>(value.time_since_epoch().count());
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
    mtoken_text text(text_view value)
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

    std::vector<std::shared_ptr<const void>> kept_;
};

template <typename R> struct Getter;

/* How values are shown: texts in quotes and in one line, constants by their names. */
inline std::string shown(std::string_view text)
{
    std::string made = "\"";
    for (char each : text) {
        auto byte = static_cast<unsigned char>(each);
        if (byte < 0x20 || byte == 0x7f) {
            made += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
        } else {
            if (each == '"' || each == '\\') made += '\\';
            made += each;
        }
    }
    return made + '"';
}

inline std::string shown(bytes_view bytes) { return std::to_string(bytes.size()) + " bytes"; }

inline std::string shown(bool value) { return value ? "true" : "false"; }

inline std::string shown(std::chrono::milliseconds time) { return std::to_string(time.count()) + " ms"; }

inline std::string shown(std::chrono::seconds time) { return std::to_string(time.count()) + " s"; }

inline std::string shown(time_point time) { return shown(time.time_since_epoch()); }

template <typename T> auto shown(T value) -> std::enable_if_t<std::is_arithmetic_v<T>, std::string>
{
    return std::to_string(value);
}

template <typename E> auto shown(E value) -> std::enable_if_t<std::is_enum_v<E>, std::string>
{
    if (const char *name = name_of(value); *name) return name;
    auto rest = uint32_t(value);
    std::string made;
    for (uint32_t bit = 1; is_flags<E>::value && bit != 0; bit <<= 1) {
        const char *name = rest & bit ? name_of(E(bit)) : "";
        if (!*name) continue;
        made += std::string(made.empty() ? "" : "|") + name;
        rest &= ~bit;
    }
    if (rest == 0 && !made.empty()) return made;
    return made + (made.empty() ? "" : "|") + std::to_string(int32_t(rest));
}

template <typename V> auto shown(const V &view) -> decltype(view.to_string()) { return view.to_string(); }

template <typename V> std::string shown(const list<V> &items)
{
    std::string made = "[";
    for (auto each : items) made += (made.size() > 1 ? ", " : "") + shown(each);
    return made + "]";
}

template <typename T> std::string shown(const std::optional<T> &value) { return value ? shown(*value) : "none"; }

/* A result: its name, and its members one after the other. */
class Members {
  public:
    explicit Members(const char *name) : made_(std::string(name) + "{") {}
    template <typename T> Members &add(const char *name, const T &value)
    {
        made_ += (made_.back() == '{' ? "" : ", ") + std::string(name) + ": " + shown(value);
        return *this;
    }
    std::string end() { return made_ + "}"; }

  private:
    std::string made_;
};

/* Whether two secrets are equal, in a time that does not tell where they differ. */
inline bool same(std::optional<std::string_view> one, std::optional<std::string_view> other) noexcept
{
    return one.has_value() == other.has_value() && bytes_view(one.value_or("")) == bytes_view(other.value_or(""));
}

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
    /** Takes over the error; without one, or without memory, it has only the code. */
    Error(mtoken_status status, mtoken_error *error) noexcept : Error(status, error, error ? keeper::made() : keeper())
    {
    }
    /** The same, into a keeper that keeps nothing yet. */
    Error(mtoken_status status, mtoken_error *error, keeper owner) noexcept
        : ErrorInfo(kept(status, error, owner), owner), owner_(std::move(owner))
    {
    }
    /** There was no memory to begin a call: nothing was sent. */
    static Error no_memory() noexcept { return Error(MTOKEN_ERROR_INTERNAL, nullptr, keeper()); }

    const char *what() const noexcept override { return ErrorInfo::get()->message; }

    /** Throws it as the class of its code. */
    [[noreturn]] inline void raise() const;

    /** Hands the C struct over, from all copies of this error; nullptr if the call gave none. */
    mtoken_error *release() noexcept { return static_cast<mtoken_error *>(owner_.release()); }

  private:
    /* Errors that say their code alone, by it. An unknown code is INTERNAL, as the header says. */
    struct Plain {
        std::array<mtoken_error, 64> of = {};

        Plain() noexcept
        {
            for (size_t code = 0; code < of.size(); code++) {
                const char *text = mtoken_error_description(mtoken_status(code));
                mtoken_error &own = of[code];
                own.code = text ? mtoken_status(code) : MTOKEN_ERROR_INTERNAL;
                own.reason = own.upstream_reason = "";
                own.message = text ? text : "an unknown error";
                own.remaining_attempts = own.recovery_puk_index = -1;
                own.byte_offset = own.retry_after_ms = -1;
            }
        }
    };

    static void freed(void *error) { mtoken_error_free(static_cast<mtoken_error *>(error)); }

    static const mtoken_error *kept(mtoken_status status, mtoken_error *error, keeper &owner) noexcept
    {
        static const Plain plain;
        if (error && owner) {
            owner.keep(error, freed);
            return error;
        }
        mtoken_error_free(error);
        owner = keeper();
        bool is_known = status > MTOKEN_OK && size_t(status) < plain.of.size();
        return &plain.of[is_known ? size_t(status) : size_t(MTOKEN_ERROR_INTERNAL)];
    }

    keeper owner_;
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
    R get(std::chrono::milliseconds limit = no_limit) const { return get(std::nothrow, limit).take(); }
    /** The same without exceptions. */
    Result<R> get(std::nothrow_t, std::chrono::milliseconds limit = no_limit) const noexcept
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

    void get(std::chrono::milliseconds limit = no_limit) const { join(limit); }
    Result<void> get(std::nothrow_t, std::chrono::milliseconds limit = no_limit) const noexcept
    {
        return join(std::nothrow, limit);
    }
};

} // namespace mtoken

#include "mtoken/cpp/calls.hpp"

namespace mtoken {

/** The name of a constant, e.g. "MTOKEN_OPERATION_PENDING"; of flags, those that make it up; else its number. */
template <typename E, typename = decltype(name_of(E{}))> std::ostream &operator<<(std::ostream &out, E value)
{
    return out << detail::shown(value);
}

/** A result in one line, without secrets: its to_string(). */
template <typename V, typename C = typename V::c_type>
auto operator<<(std::ostream &out, const V &view) -> decltype(out << view.to_string())
{
    return out << view.to_string();
}

/**
 * A store of the program's own: a keyring, TPM or database. Its functions are called on the thread of the call that
 * needs them or on a thread of the runtime that waits for stores, never two at once for one client; they lock against
 * other processes. Inside one, calls of the client concerned throw StateError, reason "insideHostFunction". Whatever a
 * function throws fails the call with StorageError, whose cause() is its text. Without exceptions, fill an
 * mtoken_host_store.
 */
class HostStore {
  public:
    virtual ~HostStore() = default;
    /** The item; std::nullopt if there is none. */
    virtual std::optional<secret> load(std::string_view name) = 0;
    /**
     * Replaces the item, and returns only when it is durable: a signature is sent right after. Keeps no former version:
     * two states of different PINs tell both.
     */
    virtual void save(std::string_view name, bytes_view item) = 0;
    /** Removes the item, if there is one. */
    virtual void remove(std::string_view name) = 0;
    /** The names of all items, in any order. Other names are ignored. */
    virtual std::vector<std::string> list() = 0;
};

/**
 * A sealer of the program's own, which keeps device secrets. Its functions are called on the thread of the call that
 * needs them, never two at once. One that fails throws a SealFault, which is the reason of the call's SealedError;
 * whatever else it throws is SealFault::failed, and its text the error's cause(). Without exceptions, fill an
 * mtoken_host_sealer.
 */
class HostSealer {
  public:
    virtual ~HostSealer() = default;
    /** The sealed form of bytes: at most 4,096 bytes. */
    virtual std::vector<uint8_t> seal(std::string_view label, bytes_view bytes) = 0;
    /** What was sealed. */
    virtual secret unseal(std::string_view label, bytes_view form) = 0;
    /** The sealed form is no longer needed: removes what is kept for it. */
    virtual void forget(std::string_view, bytes_view) {}
};

namespace detail {

/* The exception of the host's function that this thread has run last. */
inline std::string &thrown() noexcept
{
    thread_local std::string text;
    return text;
}

inline const char *explain(void *) noexcept { return thrown().empty() ? nullptr : thrown().c_str(); }

/* Runs a function of a host object. Nothing may be thrown into the library. */
template <typename Host, typename F> int32_t inside(void *context, int32_t failed, F call) noexcept
{
    Host &host = **static_cast<std::shared_ptr<Host> *>(context);
    thrown().clear();
#ifdef __cpp_exceptions
    try {
        try {
            return call(host);
        } catch (SealFault fault) {
            thrown() = name_of(fault);
            return std::is_same_v<Host, HostSealer> && fault != SealFault::none ? int32_t(fault) : failed;
        } catch (const std::exception &exception) {
            thrown() = exception.what();
        } catch (...) {
            thrown() = "not a std::exception";
        }
    } catch (...) { /* no memory for the text */
    }
    return failed;
#else
    (void)failed;
    return call(host);
#endif
}

template <typename Host> void released(void *context) { delete static_cast<std::shared_ptr<Host> *>(context); }

/* What a sealer gave, where the library wants it. */
template <typename C> mtoken_seal_fault put(const C &made, uint8_t *place, size_t *length)
{
    if (made.size() > *length) return MTOKEN_SEAL_FAULT_FAILED;
    std::copy(made.data(), made.data() + made.size(), place);
    *length = made.size();
    return MTOKEN_SEAL_FAULT_NONE;
}

inline mtoken_host_store functions(std::shared_ptr<HostStore> *host) noexcept
{
    mtoken_host_store all = MTOKEN_HOST_STORE_INIT;
    all.context = host;
    all.load = [](void *context, const char *name, mtoken_store_reply *reply) {
        return inside<HostStore>(context, MTOKEN_ERROR_STORAGE, [&](HostStore &store) -> int32_t {
            std::optional<secret> item = store.load(name);
            return item ? mtoken_store_reply_set(reply, item->data(), item->size()) : MTOKEN_ERROR_NOT_FOUND;
        });
    };
    all.save = [](void *context, const char *name, const uint8_t *bytes, size_t length) {
        return inside<HostStore>(context, MTOKEN_ERROR_STORAGE, [&](HostStore &store) -> int32_t {
            store.save(name, bytes_view(bytes, length));
            return MTOKEN_OK;
        });
    };
    all.remove = [](void *context, const char *name) {
        return inside<HostStore>(context, MTOKEN_ERROR_STORAGE, [&](HostStore &store) -> int32_t {
            store.remove(name);
            return MTOKEN_OK;
        });
    };
    all.list = [](void *context, mtoken_store_names *names) {
        return inside<HostStore>(context, MTOKEN_ERROR_STORAGE, [&](HostStore &store) -> int32_t {
            for (const std::string &name : store.list())
                if (mtoken_store_names_add(names, name.data(), name.size()) != MTOKEN_OK) return MTOKEN_ERROR_STORAGE;
            return MTOKEN_OK;
        });
    };
    all.release = released<HostStore>;
    all.explain = explain;
    return all;
}

inline mtoken_host_sealer functions(std::shared_ptr<HostSealer> *host) noexcept
{
    mtoken_host_sealer all = MTOKEN_HOST_SEALER_INIT;
    all.context = host;
    all.seal = [](void *context, const char *label, const uint8_t *bytes, size_t size, uint8_t *form, size_t *length) {
        return inside<HostSealer>(context, MTOKEN_SEAL_FAULT_FAILED, [&](HostSealer &sealer) {
            return put(sealer.seal(label, bytes_view(bytes, size)), form, length);
        });
    };
    all.unseal = [](void *context, const char *label, const uint8_t *form, size_t size, uint8_t *bytes,
                    size_t *length) {
        return inside<HostSealer>(context, MTOKEN_SEAL_FAULT_FAILED, [&](HostSealer &sealer) {
            return put(sealer.unseal(label, bytes_view(form, size)), bytes, length);
        });
    };
    all.forget = [](void *context, const char *label, const uint8_t *form, size_t size) {
        (void)inside<HostSealer>(context, MTOKEN_SEAL_FAULT_FAILED, [&](HostSealer &sealer) {
            sealer.forget(label, bytes_view(form, size));
            return MTOKEN_SEAL_FAULT_NONE;
        });
    };
    all.release = released<HostSealer>;
    all.explain = explain;
    return all;
}

/* Passes a host object to the library, which releases it, even if the call fails. */
template <typename Host, typename F> auto hosted(std::shared_ptr<Host> host, F call) noexcept -> decltype(call(nullptr))
{
    if (!host) return call(nullptr);
    auto context = new (std::nothrow) std::shared_ptr<Host>(std::move(host));
    if (!context) return Error::no_memory();
    auto all = functions(context);
    auto made = call(&all);
    if (!made) delete context;
    return made;
}

} // namespace detail

/** A store of the program's own; it lives as long as the store and the clients that use it. Fails as with C's
 * functions. */
inline Result<Store> new_store_host(std::nothrow_t, std::shared_ptr<HostStore> host) noexcept
{
    return detail::hosted(std::move(host), [](const mtoken_host_store *all) -> Result<Store> {
        return new_store_host(std::nothrow, in<mtoken_host_store>(all));
    });
}
inline Store new_store_host(std::shared_ptr<HostStore> host)
{
    return new_store_host(std::nothrow, std::move(host)).take();
}

/** A sealer of the program's own; it lives as long as the sealer and the clients that use it. */
inline Result<Sealer> new_sealer_host(std::nothrow_t, std::shared_ptr<HostSealer> host) noexcept
{
    return detail::hosted(std::move(host), [](const mtoken_host_sealer *all) -> Result<Sealer> {
        return new_sealer_host(std::nothrow, in<mtoken_host_sealer>(all));
    });
}
inline Sealer new_sealer_host(std::shared_ptr<HostSealer> host)
{
    return new_sealer_host(std::nothrow, std::move(host)).take();
}

/** Throws std::runtime_error if the loaded library is older than this header, or of another ABI. */
inline void check_library()
{
    if (mtoken_abi_version() != MTOKEN_ABI_VERSION || mtoken_version_number() < MTOKEN_VERSION_NUMBER)
        MTOKEN_THROW(std::runtime_error(std::string("mtoken: the loaded library has version ") + mtoken_version() +
                                        ", this program needs " MTOKEN_VERSION
                                        " or a newer one of the same major version: install libmtoken1"));
}

} // namespace mtoken

#endif
