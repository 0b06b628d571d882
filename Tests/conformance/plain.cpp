/* The player in C: functions are called by what bindings/generate makes of the header, members are read at their
 * offsets. */
#include "player.hpp"

#include <cstring>

extern "C" int conformance_call(const char *function, void **arguments, void *result);

bool invoke(const std::string &function, void **arguments, void *result)
{
    return conformance_call(function.c_str(), arguments, result) != 0;
}

namespace {

template <typename T> T read(const void *place)
{
    T value;
    memcpy(&value, place, sizeof value);
    return value;
}

/* The length or count beside a member. */
size_t paired(const uint8_t *owner, const Described &member, const std::vector<Described> &members)
{
    for (const Described &item : members)
        if (item.name == member.pair) return read<size_t>(owner + item.offset);
    throw Failed(member.name + " has no " + member.pair);
}

} // namespace

Value member_of(const Pointer &owner, const Described &member, const std::vector<Described> &members)
{
    auto base = static_cast<const uint8_t *>(owner.address);
    const uint8_t *place = base + member.offset;
    if (member.kind == "struct" && member.pointers == 0) return referred(member.type, place, false);
    if (member.role == "array") {
        auto elements = read<const void *const *>(place);
        List list;
        for (size_t i = 0; i < paired(base, member, members); i++)
            if (member.kind == "struct")
                list.push_back(referred(member.type, elements[i], false));
            else
                list.push_back(std::string(static_cast<const char *>(elements[i])));
        return list;
    }
    if (member.pointers > 0) {
        auto pointer = read<const void *>(place);
        if (!pointer) return {};
        if (member.kind == "struct" || member.kind == "handle")
            return referred(member.type, pointer, member.kind == "handle");
        if (member.role == "bytes") {
            auto bytes = static_cast<const uint8_t *>(pointer);
            return Bytes(bytes, bytes + paired(base, member, members));
        }
        auto text = static_cast<const char *>(pointer);
        return member.pair.empty() ? std::string(text) : std::string(text, paired(base, member, members));
    }
    if (member.type == "double") return read<double>(place);
    if (member.size == 8) return read<int64_t>(place);
    if (member.type == "uint32_t") return int64_t(read<uint32_t>(place));
    return int64_t(read<int32_t>(place));
}
