-- SPDX-License-Identifier: Apache-2.0
-- Shows what the payload of an offline QR code (standard input) asks for; the SDK configuration, if given, verifies the signature:
--     luajit qr.lua [SDK-CONFIGURATION] < payload.txt         (MTOKEN_CDEF: mtoken.cdef.h, MTOKEN_LIBRARY: the library)
local ffi = require("ffi")
local cdef = os.getenv("MTOKEN_CDEF") or io.popen("pkg-config --variable=cdef mtoken"):read("*l")
ffi.cdef(assert(io.open(cdef)):read("*a"))
local m = ffi.load(os.getenv("MTOKEN_LIBRARY") or "libmtoken.so.1")

local function text(pointer)
    return pointer ~= nil and ffi.string(pointer) or nil
end

-- The operation, which the garbage collector frees; or nil and what is wrong.
local function parse(payload, configuration)
    local options = ffi.new("mtoken_qr_options", { struct_size = ffi.sizeof("mtoken_qr_options") })
    if configuration then -- a parameter lives until the function returns; the struct keeps nothing alive
        options.configuration.data, options.configuration.length = configuration, #configuration
    end
    local read, failed = ffi.new("mtoken_qr_operation *[1]"), ffi.new("mtoken_error *[1]")
    if m.mtoken_qr_operation_parse(payload, #payload, options, read, failed) == m.MTOKEN_OK then
        return ffi.gc(read[0], m.mtoken_qr_operation_free)
    end
    local e = ffi.gc(failed[0], m.mtoken_error_free)
    local place = e.byte_offset < 0 and "" or (", line %d, byte %d"):format(e.line, tonumber(e.byte_offset))
    return nil, ("%s (%s)%s: %s"):format(text(m.mtoken_error_name(e.code)), text(e.reason), place, text(e.message))
end

local function shown(field)
    if field.kind == m.MTOKEN_FIELD_AMOUNT then
        return ("amount: %s %s"):format(text(field.value), text(field.currency))
    elseif field.kind == m.MTOKEN_FIELD_ACCOUNT then
        return "account: " .. text(field.iban) .. (field.bic ~= nil and ", " .. text(field.bic) or "")
    elseif field.kind == m.MTOKEN_FIELD_DATE then
        return ("date: %04d-%02d-%02d"):format(field.year, field.month, field.day)
    end
    return "text: " .. text(field.text)
end

local read, wrong = parse(io.read("*a"), arg[1]) -- keep it in a variable: a pointer into it keeps nothing alive
if not read then
    io.stderr:write(wrong, "\n")
    os.exit(1)
end
print(("id: %s\ntitle: %s\nmessage: %s"):format(text(read.id), text(read.title), text(read.message)))
for index = 0, tonumber(read.signed_fields.field_count) - 1 do
    local field = read.signed_fields.fields[index]
    if field.kind ~= m.MTOKEN_FIELD_EMPTY then print(shown(field)) end
end
print("signature: " .. (read.verification == m.MTOKEN_VERIFIED_VALID and "valid" or "not checked"))
