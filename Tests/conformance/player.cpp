/*
 * Plays conformance documents (README.md), in C and in C++: this file has what both share, invoke() and member_of()
 * what each does in its own way. Types and roles are those of the description, mtoken.abi.json.
 */
#include "player.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mtoken.h>
#include <netdb.h>
#include <random>
#include <set>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int64_t minute = 60000;

using Members = std::vector<Described>;

struct Function {
    Members parameters;
    Described result;
};

struct Description {
    std::map<std::string, Function> functions;
    std::map<std::string, Members> structs;
    std::map<std::string, size_t> sizes;
    std::map<std::string, int64_t> constants;
} description;

/* ----------------------------------------------------------------------------------------------------------- JSON */

using Json = std::unique_ptr<json_t, decltype(&json_decref)>;

Value of_json(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_TRUE: return true;
    case JSON_FALSE: return false;
    case JSON_INTEGER: return static_cast<int64_t>(json_integer_value(json));
    case JSON_REAL: return json_real_value(json);
    case JSON_STRING: return std::string(json_string_value(json), json_string_length(json));
    case JSON_ARRAY: {
        List list;
        size_t index;
        json_t *item;
        json_array_foreach(json, index, item) list.push_back(of_json(item));
        return list;
    }
    case JSON_OBJECT: {
        Object object;
        const char *key;
        json_t *item;
        json_object_foreach(const_cast<json_t *>(json), key, item) object[key] = of_json(item);
        return object;
    }
    default: return {};
    }
}

json_t *to_json(const Value &value)
{
    if (auto flag = value.as<bool>()) return json_boolean(*flag);
    if (auto number = value.as<int64_t>()) return json_integer(*number);
    if (auto number = value.as<double>()) return json_real(*number);
    if (auto text = value.as<std::string>()) return json_stringn(text->data(), text->size());
    if (auto list = value.as<List>()) {
        json_t *made = json_array();
        for (const Value &item : *list) json_array_append_new(made, to_json(item));
        return made;
    }
    if (auto object = value.as<Object>()) {
        json_t *made = json_object();
        for (const auto &[key, item] : *object) json_object_set_new(made, key.c_str(), to_json(item));
        return made;
    }
    return json_null();
}

std::string content(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Failed("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

Value parsed(const std::string &text, const std::string &what)
{
    json_error_t error;
    Json json(json_loadb(text.data(), text.size(), JSON_ALLOW_NUL | JSON_DECODE_ANY, &error), json_decref);
    if (!json) throw Failed(what + ": " + error.text);
    return of_json(json.get());
}

/* A member of an object; null if there is none. */
const Value &at(const Value &object, const std::string &key)
{
    static const Value none;
    auto members = object.as<Object>();
    auto found = members ? members->find(key) : Object::const_iterator();
    return members && found != members->end() ? found->second : none;
}

std::string text_at(const Value &object, const std::string &key)
{
    auto text = at(object, key).as<std::string>();
    return text ? *text : std::string();
}

const List &list_at(const Value &object, const std::string &key)
{
    static const List none;
    auto list = at(object, key).as<List>();
    return list ? *list : none;
}

const Object &object_at(const Value &object, const std::string &key)
{
    static const Object none;
    auto found = at(object, key).as<Object>();
    return found ? *found : none;
}

bool has(const Value &object, const std::string &key)
{
    auto members = object.as<Object>();
    return members && members->count(key);
}

int64_t integer_at(const Value &object, const std::string &key)
{
    auto number = at(object, key).as<int64_t>();
    return number ? *number : 0;
}

/* ---------------------------------------------------------------------------------------------------- description */

Described described(const Value &item)
{
    const Value &type = at(item, "type");
    Described found;
    found.name = text_at(item, "name");
    found.role = text_at(item, "role");
    found.pair = text_at(item, "pair");
    found.free = text_at(item, "owner") == "caller" ? text_at(item, "free") : "";
    found.kind = text_at(type, "kind");
    found.type = found.kind == "enum" || found.kind == "alias" ? text_at(type, "scalar") : text_at(type, "name");
    found.pointers = static_cast<int>(integer_at(type, "pointers"));
    found.offset = static_cast<size_t>(integer_at(item, "offset"));
    found.size = static_cast<size_t>(integer_at(item, "size"));
    return found;
}

Members all_described(const List &items)
{
    Members found;
    for (const Value &item : items) found.push_back(described(item));
    return found;
}

void describe(const char *path)
{
    Value whole = parsed(content(path), path);
    for (const Value &item : list_at(whole, "functions")) {
        Function &function = description.functions[text_at(item, "name")];
        function.parameters = all_described(list_at(item, "parameters"));
        function.result = described(at(item, "result"));
    }
    for (const Value &item : list_at(whole, "structs")) {
        description.structs[text_at(item, "name")] = all_described(list_at(item, "members"));
        description.sizes[text_at(item, "name")] = static_cast<size_t>(integer_at(item, "size"));
    }
    for (const Value &item : list_at(whole, "constants"))
        description.constants[text_at(item, "name")] = integer_at(item, "value");
    for (const Value &item : list_at(whole, "enums"))
        for (const Value &value : list_at(item, "values"))
            description.constants[text_at(value, "name")] = integer_at(value, "value");
}

const Described *find(const Members &members, const std::string &name)
{
    auto found = std::find_if(members.begin(), members.end(), [&](const Described &item) { return item.name == name; });
    return found == members.end() ? nullptr : &*found;
}

size_t size_of(const std::string &scalar)
{
    if (scalar == "int64_t" || scalar == "uint64_t" || scalar == "size_t" || scalar == "double") return 8;
    return scalar == "uint8_t" || scalar == "char" ? 1 : 4;
}

/* -------------------------------------------------------------------------------------------------- values as text */

std::string shown(const Value &value)
{
    if (auto bytes = value.as<Bytes>()) return std::to_string(bytes->size()) + " bytes";
    if (auto pointer = value.as<Pointer>()) return "a " + pointer->type;
    std::unique_ptr<char, decltype(&free)> text(json_dumps(Json(to_json(value), json_decref).get(), JSON_ENCODE_ANY),
                                                free);
    return text ? text.get() : "?";
}

/* What a path leads to. */
Value follow(Value value, const std::string &path, const std::string &whole)
{
    size_t place = 0;
    while (place < path.size()) {
        if (path[place] == '[') {
            size_t end = path.find(']', place);
            auto list = value.as<List>();
            size_t index = std::stoul(path.substr(place + 1, end - place - 1));
            if (!list || index >= list->size()) throw Failed(whole + " does not exist");
            value = Value((*list)[index]);
            place = end + 1;
            continue;
        }
        if (path[place] == '.') place++;
        size_t end = std::min(path.find_first_of(".[", place), path.size());
        std::string name = path.substr(place, end - place);
        if (auto pointer = value.as<Pointer>(); pointer && !pointer->is_handle) {
            const Members &members = description.structs[pointer->type];
            const Described *member = find(members, name);
            if (!member) throw Failed(pointer->type + " has no member " + name);
            value = member_of(*pointer, *member, members);
        } else if (has(value, name)) {
            value = Value(at(value, name));
        } else {
            throw Failed(whole + " does not exist");
        }
        place = end;
    }
    return value;
}

int64_t constants(const std::string &names)
{
    int64_t total = 0;
    for (size_t place = 0; place <= names.size();) {
        size_t end = std::min(names.find('|', place), names.size());
        auto found = description.constants.find(names.substr(place, end - place));
        if (found == description.constants.end()) throw Failed("there is no constant " + names);
        total |= found->second;
        place = end + 1;
    }
    return total;
}

int64_t number(const Value &value)
{
    if (auto text = value.as<std::string>()) return constants(*text);
    if (auto flag = value.as<bool>()) return *flag;
    if (auto found = value.as<int64_t>()) return *found;
    if (value.is_null()) return 0;
    throw Failed(shown(value) + " is no number");
}

Bytes of_hex(const std::string &text)
{
    Bytes bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

Bytes of_base64(const std::string &text)
{
    static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes bytes;
    uint32_t bits = 0;
    int held = 0;
    for (char letter : text) {
        size_t found = alphabet.find(letter);
        if (found == std::string::npos) break;
        bits = bits << 6 | static_cast<uint32_t>(found);
        held += 6;
        if (held >= 8) bytes.push_back(static_cast<uint8_t>(bits >> (held -= 8)));
    }
    return bytes;
}

/* The bytes of a text or of bytes. */
Bytes bytes_of(const Value &value)
{
    if (auto bytes = value.as<Bytes>()) return *bytes;
    if (auto text = value.as<std::string>()) return Bytes(text->begin(), text->end());
    if (has(value, "hex")) return of_hex(text_at(value, "hex"));
    if (has(value, "base64")) return of_base64(text_at(value, "base64"));
    throw Failed(shown(value) + " is neither text nor bytes");
}

bool holds(const Value &found, const Value &wanted)
{
    auto text = found.as<std::string>();
    auto count = found.as<int64_t>();
    if (auto object = wanted.as<Object>(); object && object->size() == 1) {
        const auto &[key, value] = *object->begin();
        if (key == "not") return !holds(found, value);
        if (key == "at_least") return count && *count >= number(value);
        if (key == "at_most") return count && *count <= number(value);
        if (key == "begins") return text && text->rfind(*value.as<std::string>(), 0) == 0;
        if (key == "contains") return text && text->find(*value.as<std::string>()) != std::string::npos;
        if (key == "length") return (text || found.as<Bytes>()) && int64_t(bytes_of(found).size()) == number(value);
        if (key == "one_of")
            return std::any_of(value.as<List>()->begin(), value.as<List>()->end(),
                               [&](const Value &item) { return holds(found, item); });
        if (key == "base64" || key == "hex") return found.as<Bytes>() && bytes_of(found) == bytes_of(wanted);
    }
    if (count && (wanted.as<std::string>() || wanted.as<bool>())) return *count == number(wanted);
    if (auto one = found.as<Pointer>()) {
        auto other = wanted.as<Pointer>();
        return other && one->address == other->address && one->type == other->type;
    }
    if (found.index() != wanted.index()) return false;
    if (found.as<Bytes>()) return bytes_of(found) == bytes_of(wanted);
    return shown(found) == shown(wanted);
}

/* ------------------------------------------------------------------------------------------------------ arguments */

/* Makes arguments, and keeps what they point at until the call has returned. */
class Memory {
  public:
    void *take(size_t size)
    {
        /* At its exact size, so that a reader beyond the end is found. */
        blocks.emplace_back(calloc(1, std::max<size_t>(size, 1)), free);
        return blocks.back().get();
    }

    std::pair<const void *, size_t> buffer(const Value &value)
    {
        if (value.is_null()) return {nullptr, 0};
        Bytes bytes = bytes_of(value);
        void *made = take(bytes.size());
        if (!bytes.empty()) memcpy(made, bytes.data(), bytes.size());
        return {made, bytes.size()};
    }

    void *structure(const std::string &type, const Value &given)
    {
        const Members &members = description.structs.at(type);
        size_t own = description.sizes.at(type);
        size_t size = has(given, "struct_size") ? static_cast<size_t>(integer_at(given, "struct_size")) : own;
        auto made = static_cast<uint8_t *>(take(std::max(own, size)));
        for (const auto &[key, value] : *given.as<Object>()) {
            if (key == "struct_size") continue;
            if (key == "last_byte") {
                made[size - 1] = static_cast<uint8_t>(number(value));
                continue;
            }
            const Described *member = find(members, key);
            if (!member) throw Failed(type + " has no member " + key);
            set(made, *member, value, members);
        }
        if (find(members, "struct_size")) memcpy(made, &size, sizeof size);
        return made;
    }

    /* An array of structs, one after the other; null if there are none. */
    void *array(const std::string &type, const List &items)
    {
        if (items.empty()) return nullptr;
        size_t size = description.sizes.at(type);
        auto made = static_cast<uint8_t *>(take(size * items.size()));
        for (size_t i = 0; i < items.size(); i++) {
            if (items[i].as<Object>() && type != "mtoken_text")
                memcpy(made + i * size, structure(type, items[i]), size);
            else
                pair(made + i * size, items[i]);
        }
        return made;
    }

    /* Writes a pointer or a number; texts and bytes with their lengths are made by `buffer`. */
    void scalar(void *place, const Described &what, const Value &value)
    {
        void *pointer = nullptr;
        if (what.role == "value" || what.role == "reserved") {
            int64_t found = number(value);
            memcpy(place, &found, size_of(what.type));
            return;
        }
        if (auto given = value.as<Pointer>())
            pointer = given->address;
        else if (value.as<Object>() && what.kind == "struct")
            pointer = structure(what.type, value);
        else if (auto text = value.as<std::string>(); text && what.role == "text") {
            pointer = take(text->size() + 1);
            memcpy(pointer, text->data(), text->size());
        } else if (!value.is_null())
            throw Failed(shown(value) + " is no " + what.type);
        memcpy(place, &pointer, sizeof pointer);
    }

  private:
    void pair(void *place, const Value &value)
    {
        auto [data, length] = buffer(value);
        memcpy(place, &data, sizeof data);
        memcpy(static_cast<uint8_t *>(place) + sizeof data, &length, sizeof length);
    }

    void set(uint8_t *made, const Described &member, const Value &value, const Members &members)
    {
        if (member.kind == "struct" && member.pointers == 0) {
            pair(made + member.offset, value);
        } else if (member.role == "array") {
            static const List none;
            const List &items = value.as<List>() ? *value.as<List>() : none;
            void *elements = array(member.type, items);
            size_t count = items.size();
            memcpy(made + member.offset, &elements, sizeof elements);
            memcpy(made + find(members, member.pair)->offset, &count, sizeof count);
        } else {
            scalar(made + member.offset, member, value);
        }
    }

    std::vector<std::unique_ptr<void, decltype(&free)>> blocks;
};

/* What a function gave, or stored in an out parameter. */
Value given(const Described &what, const void *place)
{
    if (what.role == "nothing" || what.role == "host_pointer") return {};
    if (what.kind == "handle" || what.kind == "struct") {
        const void *pointer;
        memcpy(&pointer, place, sizeof pointer);
        return referred(what.type, pointer, what.kind == "handle");
    }
    if (what.role == "text") {
        const char *text;
        memcpy(&text, place, sizeof text);
        return text ? Value(std::string(text)) : Value();
    }
    int64_t number = 0;
    memcpy(&number, place, size_of(what.type));
    if (size_of(what.type) == 4 && what.type != "uint32_t") number = static_cast<int32_t>(number);
    return number;
}

/* ----------------------------------------------------------------------------------------------------------- HTTP */

struct Answer {
    int64_t status;
    std::string body;
    std::string head; /* as it came */
};

/* Nothing of a request left. */
struct Unreachable : Failed {
    using Failed::Failed;
};

/* One exchange over a connection of its own. */
Answer exchange(const std::string &method, const std::string &url, const std::string &body,
                const std::map<std::string, std::string> &headers)
{
    size_t host = url.find("://") + 3, slash = std::min(url.find('/', host), url.size());
    std::string name = url.substr(host, slash - host), path = slash < url.size() ? url.substr(slash) : "/";
    size_t colon = name.rfind(':');
    addrinfo hints = {}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(name.substr(0, colon).c_str(), name.substr(colon + 1).c_str(), &hints, &found) != 0)
        throw Failed("no address of " + name);
    int connection = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected = connect(connection, found->ai_addr, found->ai_addrlen) == 0;
    freeaddrinfo(found);
    timeval patience = {15, 0}; /* a server that never answers is given up */
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!connected) {
        close(connection);
        throw Unreachable("nobody listens at " + name);
    }
    std::string request = method + " " + path + " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n";
    for (const auto &[key, value] : headers) request += key + ": " + value + "\r\n";
    request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    for (size_t sent = 0; connected && sent < request.size();) {
        ssize_t count = send(connection, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
        if (count <= 0)
            connected = false;
        else
            sent += static_cast<size_t>(count);
    }
    std::string answer;
    char buffer[65536];
    for (ssize_t count; connected && (count = recv(connection, buffer, sizeof buffer, 0)) > 0;)
        answer.append(buffer, static_cast<size_t>(count));
    close(connection);
    size_t end = answer.find("\r\n\r\n");
    if (end == std::string::npos) throw Failed(method + " " + url + ": no answer");
    std::string head = answer.substr(0, end), content = answer.substr(end + 4), as_it_came = head;
    std::transform(head.begin(), head.end(), head.begin(), [](unsigned char letter) { return tolower(letter); });
    if (head.find("transfer-encoding: chunked") != std::string::npos) {
        std::string whole;
        for (size_t place = 0, size; (size = std::stoul(content.substr(place), nullptr, 16)) > 0;) {
            place = content.find("\r\n", place) + 2;
            whole += content.substr(place, size);
            place += size + 2;
        }
        content = whole;
    }
    size_t length = head.find("\ncontent-length:");
    if (length != std::string::npos && content.size() < std::stoul(head.substr(length + 16)))
        throw Failed(method + " " + url + ": the answer was cut");
    return {std::stol(head.substr(head.find(' ') + 1)), content, as_it_came};
}

/* Sends a request of the library's, and hands in what comes. */
void send_request(mtoken_runtime *runtime, int64_t id, const std::string &method, const std::string &url,
                  const std::string &body, const std::map<std::string, std::string> &headers)
{
    try {
        Answer answer = exchange(method, url, body, headers);
        std::vector<mtoken_header_text> fields;
        for (size_t line = answer.head.find("\r\n"); line != std::string::npos;) {
            size_t start = line + 2, colon = answer.head.find(": ", start);
            line = answer.head.find("\r\n", start);
            size_t end = std::min(line, answer.head.size());
            fields.push_back({{&answer.head[start], colon - start}, {&answer.head[colon + 2], end - colon - 2}});
        }
        mtoken_http_response response = MTOKEN_HTTP_RESPONSE_INIT;
        response.status = static_cast<int32_t>(answer.status);
        response.headers = fields.data();
        response.header_count = fields.size();
        response.body = {reinterpret_cast<const uint8_t *>(answer.body.data()), answer.body.size()};
        (void)!mtoken_request_respond(runtime, id, &response, nullptr);
    } catch (const Unreachable &) {
        (void)!mtoken_request_fail(runtime, id, MTOKEN_OUTCOME_NOT_SENT, MTOKEN_NETWORK_CONNECTION_REFUSED,
                                   MTOKEN_TLS_FAULT_NONE, nullptr);
    } catch (const std::exception &) {
        (void)!mtoken_request_fail(runtime, id, MTOKEN_OUTCOME_UNKNOWN, MTOKEN_NETWORK_CONNECTION_LOST,
                                   MTOKEN_TLS_FAULT_NONE, nullptr);
    }
}

/* Sends the requests of a runtime's clients until it is freed. */
void send_requests(mtoken_runtime *runtime)
{
    std::vector<std::thread> sending;
    mtoken_event *event = nullptr;
    while (mtoken_runtime_next_event(runtime, MTOKEN_FOREVER, &event, nullptr) == MTOKEN_OK) {
        if (event->kind == MTOKEN_EVENT_REQUEST) {
            const mtoken_http_request &request = *event->request;
            std::map<std::string, std::string> headers;
            for (size_t i = 0; i < request.header_count; i++)
                headers[request.headers[i]->name] = request.headers[i]->value;
            std::string body(request.body ? reinterpret_cast<const char *>(request.body) : "", request.body_length);
            sending.emplace_back(send_request, runtime, request.id, std::string(request.method),
                                 std::string(request.url), body, headers);
        }
        mtoken_event_free(event);
    }
    for (std::thread &thread : sending) thread.join();
}

/* ---------------------------------------------------------------------------------------------------------- steps */

std::string unique()
{
    static std::random_device random;
    char text[33];
    for (int i = 0; i < 4; i++) snprintf(text + i * 8, 9, "%08x", random());
    return text;
}

class Case {
  public:
    size_t checks = 0;

    Case(const Value &described, const std::string &folder) : variables(object_at(described, "variables"))
    {
        variables["unique"] = unique();
        variables["folder"] = folder;
    }

    Case(const Case &) = delete;

    ~Case()
    {
        while (!owned.empty()) {
            auto [function, pointer] = owned.back();
            owned.pop_back();
            release(function, pointer.address);
        }
        for (std::thread &sender : senders) sender.join();
    }

    void play(const Value &step)
    {
        if (has(step, "call"))
            call(step);
        else if (has(step, "wait"))
            wait(step);
        else if (has(step, "event"))
            event(step);
        else if (has(step, "read"))
            after(step, {{"value", value(at(step, "read"))}});
        else if (has(step, "http"))
            http(step);
        else if (has(step, "fork"))
            fork_off(step);
        else if (has(step, "send"))
            senders.emplace_back(send_requests, static_cast<mtoken_runtime *>(pointer_at(step, "send")));
        else
            throw Failed("a step of no kind: " + shown(step));
    }

  private:
    Object variables;
    std::vector<std::pair<std::string, Pointer>> owned;
    std::vector<std::thread> senders;

    static void release(const std::string &function, void *address)
    {
        void *arguments[] = {&address};
        invoke(function, arguments, nullptr);
    }

    /* With the variables put in. */
    Value value(const Value &item)
    {
        if (auto list = item.as<List>()) {
            List found;
            for (const Value &part : *list) found.push_back(value(part));
            return found;
        }
        if (auto object = item.as<Object>()) {
            Object found;
            for (const auto &[key, part] : *object) found[key] = value(part);
            return found;
        }
        auto text = item.as<std::string>();
        if (!text) return item;
        std::string made;
        for (size_t place = 0;;) {
            size_t start = text->find("${", place);
            if (start == std::string::npos) return made + text->substr(place);
            size_t end = text->find('}', start);
            std::string path = text->substr(start + 2, end - start - 2);
            Value found = follow(variables, path, path);
            if (start == 0 && end + 1 == text->size()) return found;
            made += text->substr(place, start - place);
            made += found.as<std::string>() ? *found.as<std::string>() : shown(found);
            place = end + 1;
        }
    }

    void check(bool good, const std::string &message)
    {
        checks++;
        if (!good) throw Failed(message);
    }

    void status(int64_t found, const Value &step, const Value &error)
    {
        std::string wanted = has(step, "fails") ? text_at(step, "fails") : "MTOKEN_OK", message;
        if (!error.is_null()) message = ": " + shown(follow(error, "message", "message"));
        check(found == constants(wanted), "status " + std::to_string(found) + " instead of " + wanted + message);
    }

    void after(const Value &step, const Object &record)
    {
        for (const auto &[path, expected] : object_at(step, "expect")) {
            Value found = follow(record, path, path), wanted = value(expected);
            check(holds(found, wanted), path + " is " + shown(found) + ", not " + shown(wanted));
        }
        for (const auto &[name, path] : object_at(step, "keep"))
            variables[name] = follow(record, *path.as<std::string>(), *path.as<std::string>());
    }

    /* Takes what is the host's now; a text or bytes are freed at the end of the case, too. */
    Value taken(const Described &what, const void *place)
    {
        void *pointer = nullptr;
        if (!what.free.empty()) memcpy(&pointer, place, sizeof pointer);
        if (pointer) owned.push_back({what.free, {what.type, pointer, what.kind == "handle"}});
        return given(what, place);
    }

    void call(const Value &step)
    {
        std::string name = text_at(step, "call");
        auto known = description.functions.find(name);
        if (known == description.functions.end()) throw Failed("there is no function " + name);
        const Members &parameters = known->second.parameters;
        std::map<std::string, Value> with;
        for (const auto &[key, item] : object_at(step, "with")) {
            if (!find(parameters, key)) throw Failed(name + " has no parameter " + key);
            with[key] = value(item);
        }
        Memory memory;
        std::vector<uint64_t> cells(parameters.size()), outs(parameters.size());
        std::vector<void *> arguments;
        std::map<std::string, size_t> lengths;
        for (size_t i = 0; i < parameters.size(); i++) {
            const Described &what = parameters[i];
            const Value &item = with[what.name];
            void *cell = &cells[i];
            arguments.push_back(cell);
            if (what.role.rfind("out_", 0) == 0 || what.role == "error") {
                void *out = &outs[i];
                memcpy(cell, &out, sizeof out);
            } else if (what.role == "length" || what.role == "count") {
                cells[i] = lengths[what.pair];
            } else if (what.role == "array") {
                void *made = item.as<List>() ? memory.array(what.type, *item.as<List>()) : nullptr;
                lengths[what.name] = item.as<List>() ? item.as<List>()->size() : 0;
                memcpy(cell, &made, sizeof made);
            } else if ((what.role == "text" || what.role == "bytes") && !what.pair.empty()) {
                auto [data, length] = memory.buffer(item);
                lengths[what.name] = length;
                memcpy(cell, &data, sizeof data);
            } else {
                memory.scalar(cell, what, item);
            }
        }
        if (name.size() > 5 && name.compare(name.size() - 5, 5, "_free") == 0)
            owned.erase(std::remove_if(owned.begin(), owned.end(),
                                       [&](const auto &item) {
                                           return reinterpret_cast<uint64_t>(item.second.address) == cells[0];
                                       }),
                        owned.end());
        uint64_t result = 0;
        if (!invoke(name, arguments.data(), &result)) throw Failed("there is no function " + name);
        Object record = {{"error", {}}};
        for (size_t i = 0; i < parameters.size(); i++)
            if (parameters[i].role.rfind("out_", 0) == 0) {
                record[parameters[i].name] = taken(of_out(parameters[i]), &outs[i]);
            } else if (parameters[i].role == "error") {
                record["error"] = taken(parameters[i], &outs[i]);
            }
        record["result"] = taken(known->second.result, &result);
        if (known->second.result.role == "status") status(number(record["result"]), step, record["error"]);
        after(step, record);
    }

    /* What an out parameter points at. */
    static Described of_out(Described what)
    {
        if (what.role == "out_value") what.role = "value";
        return what;
    }

    void *pointer_at(const Value &step, const char *key)
    {
        Value found = value(at(step, key));
        if (!found.as<Pointer>()) throw Failed(std::string(key) + ": no handle");
        return found.as<Pointer>()->address;
    }

    void wait(const Value &step)
    {
        void *task = pointer_at(step, "wait"), *failure = nullptr, *out = &failure;
        int64_t limit = minute, result = 0;
        void *arguments[] = {&task, &limit, &out};
        invoke("mtoken_task_join", arguments, &result);
        Value error = taken(*find(description.functions["mtoken_task_join"].parameters, "out_error"), &failure);
        status(static_cast<int32_t>(result), step, error);
        Object record = {{"error", error}, {"result", {}}};
        if (has(step, "get")) {
            uint64_t got = 0;
            void *of_task[] = {&task};
            if (!invoke(text_at(step, "get"), of_task, &got)) throw Failed("there is no " + text_at(step, "get"));
            record["result"] = given(description.functions[text_at(step, "get")].result, &got);
        }
        after(step, record);
    }

    void event(const Value &step)
    {
        void *runtime = pointer_at(step, "event"), *received = nullptr, *out = &received, *no_error = nullptr;
        int64_t limit = minute, wanted = constants(text_at(step, "kind"));
        for (;;) {
            int64_t result = 0;
            void *arguments[] = {&runtime, &limit, &out, &no_error};
            invoke("mtoken_runtime_next_event", arguments, &result);
            if (static_cast<int32_t>(result) != MTOKEN_OK) throw Failed("no event " + text_at(step, "kind"));
            Value event = Pointer{"mtoken_event", received, false};
            if (number(follow(event, "kind", "kind")) == wanted) {
                owned.push_back({"mtoken_event_free", *event.as<Pointer>()});
                return after(step, {{"event", event}});
            }
            release("mtoken_event_free", received);
        }
    }

    void http(const Value &step)
    {
        std::map<std::string, std::string> headers = {{"Content-Type", "application/json"}};
        for (const auto &[key, item] : object_at(step, "headers")) headers[key] = *value(item).as<std::string>();
        std::string body = text_at(step, "text"), url = *value(at(step, "url")).as<std::string>();
        if (has(step, "body")) {
            Json json(to_json(value(at(step, "body"))), json_decref);
            std::unique_ptr<char, decltype(&free)> text(json_dumps(json.get(), JSON_ENCODE_ANY), free);
            body = text.get();
        } else if (has(step, "text")) {
            body = *value(at(step, "text")).as<std::string>();
        }
        Answer answer = exchange(text_at(step, "http"), url, body, headers);
        bool good = has(step, "status") ? answer.status == integer_at(step, "status")
                                        : answer.status >= 200 && answer.status < 300;
        check(good, text_at(step, "http") + " " + url + ": HTTP status " + std::to_string(answer.status) + ": " +
                        answer.body);
        after(step, {{"status", answer.status}, {"body", answer.body.empty() ? Value() : parsed(answer.body, url)}});
    }

    void fork_off(const Value &step)
    {
        pid_t child = fork();
        if (child == 0) {
            try {
                for (const Value &part : list_at(step, "fork")) play(part);
            } catch (const std::exception &problem) {
                std::cerr << "in the child: " << problem.what() << std::endl;
                _exit(1);
            }
            _exit(0);
        }
        int status = 1;
        waitpid(child, &status, 0);
        check(status == 0, "a step failed in the child process");
    }
};

} // namespace

Value referred(const std::string &type, const void *address, bool is_handle)
{
    if (!address) return {};
    if (type == "mtoken_text") {
        auto text = static_cast<const mtoken_text *>(address);
        return std::string(text->data ? text->data : "", text->length);
    }
    if (type == "mtoken_bytes") {
        auto bytes = static_cast<const mtoken_bytes *>(address);
        return bytes->length ? Bytes(bytes->data, bytes->data + bytes->length) : Bytes();
    }
    return Pointer{type, const_cast<void *>(address), is_handle};
}

int main(int argc, char **argv)
{
    const char *path = getenv("MTOKEN_DESCRIPTION");
    size_t steps = 0, checks = 0;
    std::string place = path ? path : "MTOKEN_DESCRIPTION is not set";
    try {
        describe(place.c_str());
        for (int i = 1; i < argc; i++) {
            Value document = parsed(content(argv[i]), argv[i]);
            for (const Value &described : list_at(document, "cases")) {
                std::string folder = std::filesystem::temp_directory_path() / ("conformance-" + unique());
                std::filesystem::create_directory(folder);
                {
                    Case played(described, folder);
                    const List &items = list_at(described, "steps");
                    for (size_t index = 0; index < items.size(); index++) {
                        place = text_at(document, "name") + ", " + text_at(described, "name") + ", step " +
                                std::to_string(index + 1);
                        played.play(items[index]);
                    }
                    steps += items.size();
                    checks += played.checks;
                }
                std::filesystem::remove_all(folder);
            }
        }
    } catch (const std::exception &problem) {
        std::cerr << place << ": " << problem.what() << std::endl;
        return 1;
    }
    std::cout << "steps " << steps << ", checks " << checks << std::endl;
    return 0;
}
