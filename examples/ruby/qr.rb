# SPDX-License-Identifier: Apache-2.0
# Shows what the payload of an offline QR code (standard input) asks for; the SDK configuration, if given, verifies the signature:
#     ruby qr.rb [SDK-CONFIGURATION] < payload.txt     (MTOKEN_DESCRIPTION: mtoken.abi.json, MTOKEN_LIBRARY: the library)
%w[fiddle json].each { |library| require library }

abi = JSON.parse(File.read(ENV["MTOKEN_DESCRIPTION"] || `pkg-config --variable=description mtoken`.strip))
LIBRARY = Fiddle.dlopen(ENV["MTOKEN_LIBRARY"] || "libmtoken.so.1")
VALUES = abi["enums"].flat_map { |enum| enum["values"] }.to_h { |value| [value["name"].delete_prefix("MTOKEN_"), value["value"]] }
STRUCTS = abi["structs"].to_h { |struct| [struct["name"].delete_prefix("mtoken_"), struct] }
FORMATS = { "int32_t" => "l", "uint32_t" => "L", "int64_t" => "q" }.freeze # for String#unpack1; else 8 bytes, as a pointer

# Fiddle keeps the interpreter's lock: of functions that the description marks with "blocks", wait in short turns.
def call(name, *arguments, gives: Fiddle::TYPE_INT)
  types = arguments.map { |argument| argument.is_a?(Integer) ? Fiddle::TYPE_SIZE_T : Fiddle::TYPE_VOIDP }
  Fiddle::Function.new(LIBRARY["mtoken_#{name}"], types, gives).call(*arguments)
end

# A member of a struct, by its place in the description: a number, a text, or an address (0: NULL).
def read(struct, address, name)
  member = STRUCTS[struct]["members"].find { |found| found["name"] == name }
  type = member["type"]
  value = Fiddle::Pointer.new(address)[member["offset"], member["size"]].unpack1(FORMATS.fetch(type["scalar"] || type["name"], "Q"))
  type["name"] == "char" && value.positive? ? Fiddle::Pointer.new(value).to_s.force_encoding("UTF-8") : value
end

def shown(field, of = ->(name) { read("operation_field", field, name) })
  case of["kind"]
  when VALUES["FIELD_AMOUNT"] then "amount: #{of['value']} #{of['currency']}"
  when VALUES["FIELD_ACCOUNT"] then "account: #{[of['iban'], of['bic']].grep(String).join(', ')}"
  when VALUES["FIELD_DATE"] then format("date: %04d-%02d-%02d", of["year"], of["month"], of["day"])
  else "text: #{of['text']}" unless of["kind"] == VALUES["FIELD_EMPTY"]
  end
end

payload, configuration = $stdin.binmode.read, ARGV.first.to_s # what a struct points to must live as long as it: in a variable
size = STRUCTS["qr_options"]["size"]
given = configuration.empty? ? [0, 0] : [Fiddle::Pointer[configuration].to_i, configuration.bytesize]
options = [size, 0, *given].pack("Q4").ljust(size, "\0") # struct_size, client, configuration; the rest is default
made, error = "\0" * 8, "\0" * 8
unless call("qr_operation_parse", payload, payload.bytesize, options, made, error).zero?
  of = ->(name) { read("error", error.unpack1("Q"), name) }
  place = of["byte_offset"].negative? ? "" : ", line #{of['line']}, byte #{of['byte_offset']}"
  abort "#{Fiddle::Pointer.new(call('error_name', of['code'], gives: Fiddle::TYPE_VOIDP))} (#{of['reason']})#{place}: #{of['message']}"
end
operation = made.unpack1("Q")
%w[id title message].each { |name| puts "#{name}: #{read('qr_operation', operation, name)}" }
data = read("qr_operation", operation, "signed_fields")
count = read("operation_fields", data, "field_count")
fields = count.zero? ? [] : Fiddle::Pointer.new(read("operation_fields", data, "fields"))[0, 8 * count].unpack("Q*")
puts fields.filter_map { |field| shown(field) }, "signature: #{read('qr_operation', operation, 'verification') == VALUES['VERIFIED_VALID'] ? 'valid' : 'not checked'}"
call("qr_operation_free", Fiddle::Pointer.new(operation), gives: Fiddle::TYPE_VOID) # at the end of the script: Ruby would not know when
