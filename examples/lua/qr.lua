-- Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
--
--     luajit qr.lua [SDK-CONFIGURATION] < payload.txt
--
-- With the application's SDK configuration it also verifies the server's signature. MTOKEN_CDEF names mtoken.cdef.h if it is not
-- where pkg-config says, MTOKEN_LIBRARY the library.
local ffi = require("ffi")

local function first_line(command)
    local pipe = assert(io.popen(command))
    local line = pipe:read("*l")
    pipe:close()
    return line
end

local header = assert(io.open(os.getenv("MTOKEN_CDEF") or first_line("pkg-config --variable=cdef mtoken")))
ffi.cdef(header:read("*a"))
header:close()
local mtoken = ffi.load(os.getenv("MTOKEN_LIBRARY") or "libmtoken.so.1")

local function text(pointer)
    return pointer ~= nil and ffi.string(pointer) or nil
end

-- The operation, which the garbage collector frees; or nil and an error message.
local function parse(payload, configuration)
    local options = ffi.new("mtoken_qr_options")
    options.struct_size = ffi.sizeof(options)
    if configuration then
        options.configuration.data, options.configuration.length = configuration, #configuration
    end
    local operation, failure = ffi.new("mtoken_qr_operation *[1]"), ffi.new("mtoken_error *[1]")
    if mtoken.mtoken_qr_operation_parse(payload, #payload, options, operation, failure) == mtoken.MTOKEN_OK then
        return ffi.gc(operation[0], mtoken.mtoken_qr_operation_free)
    end
    local e = ffi.gc(failure[0], mtoken.mtoken_error_free)
    local place = e.byte_offset < 0 and "" or (", line %d, byte %d"):format(e.line, tonumber(e.byte_offset))
    return nil, ("%s (%s)%s: %s"):format(text(mtoken.mtoken_error_name(e.code)), text(e.reason), place, text(e.message))
end

local shown = {
    [mtoken.MTOKEN_FIELD_EMPTY] = function() end,
    [mtoken.MTOKEN_FIELD_AMOUNT] = function(field)
        print(("amount: %s %s"):format(text(field.value), text(field.currency)))
    end,
    [mtoken.MTOKEN_FIELD_ACCOUNT] = function(field)
        print("account: " .. text(field.iban) .. (field.bic ~= nil and ", " .. text(field.bic) or ""))
    end,
    [mtoken.MTOKEN_FIELD_DATE] = function(field)
        print(("date: %04d-%02d-%02d"):format(field.year, field.month, field.day))
    end,
}

local function show(operation)
    print("id: " .. text(operation.id))
    print("title: " .. text(operation.title))
    print("message: " .. text(operation.message))
    local fields = operation.signed_fields
    for index = 0, tonumber(fields.field_count) - 1 do
        local field = fields.fields[index]
        local as = shown[field.kind] or function() print("text: " .. text(field.text)) end
        as(field)
    end
    print("signature: " .. (operation.verification == mtoken.MTOKEN_VERIFIED_VALID and "valid" or "not checked"))
end

local operation, message = parse(io.read("*a"), arg[1])
if not operation then
    io.stderr:write(message, "\n")
    os.exit(1)
end
show(operation)
