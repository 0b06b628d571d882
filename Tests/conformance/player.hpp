/* What the players in C and in C++ share: the values of a document, and what each of the two brings. */
#ifndef PLAYER_HPP
#define PLAYER_HPP

#include <cstdint>
#include <jansson.h>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

/* A check that did not hold. */
struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* A handle, or a struct of the library's, by reference. */
struct Pointer {
    std::string type;
    void *address;
    bool is_handle;
};

struct Value;
using List = std::vector<Value>;
using Object = std::map<std::string, Value>;
using Bytes = std::vector<uint8_t>;

struct Value : std::variant<std::monostate, bool, int64_t, double, std::string, Bytes, Pointer, List, Object> {
    using variant::variant;
    template <typename T> const T *as() const { return std::get_if<T>(static_cast<const variant *>(this)); }
    bool is_null() const { return index() == 0; }
};

/* A member of a description: a struct's, a parameter or a result. */
struct Described {
    std::string name, role, kind, type, pair, free;
    int pointers = 0;
    size_t offset = 0, size = 0;
};

/* A struct by reference; a text or bytes by value; NULL: null. */
Value referred(const std::string &type, const void *address, bool is_handle);

/* Brought by the language: reads a member of a struct; calls a function. Each argument points at a value of the
 * parameter's type. */
Value member_of(const Pointer &owner, const Described &member, const std::vector<Described> &members);
bool invoke(const std::string &function, void **arguments, void *result);

#endif
