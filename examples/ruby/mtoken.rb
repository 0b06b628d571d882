# The interface of libmtoken for Ruby, built from its description (mtoken.abi.json) when the program starts. Copy it and adapt it.
#
# MTOKEN_DESCRIPTION names the description if it is not where pkg-config says, MTOKEN_LIBRARY the library.

require "fiddle"
require "json"

module MToken
  DESCRIPTION = JSON.parse(File.read(ENV["MTOKEN_DESCRIPTION"] || `pkg-config --variable=description mtoken`.strip))
  LIBRARY = Fiddle.dlopen(ENV["MTOKEN_LIBRARY"] || "libmtoken.so.1")
  STRUCTS = DESCRIPTION["structs"].to_h { |struct| [struct["name"], struct] }

  # The constants: MToken::FIELD_DATE.
  DESCRIPTION["enums"].flat_map { |enum| enum["values"] }.each do |value|
    const_set(value["name"].delete_prefix("MTOKEN_"), value["value"])
  end

  # How Fiddle calls a type, and how String#unpack1 reads it.
  SCALARS = {
    "int32_t" => [Fiddle::TYPE_INT, "l<"], "uint32_t" => [-Fiddle::TYPE_INT, "L<"],
    "int64_t" => [Fiddle::TYPE_LONG_LONG, "q<"], "uint64_t" => [-Fiddle::TYPE_LONG_LONG, "Q<"],
    "size_t" => [Fiddle::TYPE_SIZE_T, "Q<"], "double" => [Fiddle::TYPE_DOUBLE, "E"], "void" => [Fiddle::TYPE_VOID, nil]
  }.freeze
  POINTER = [Fiddle::TYPE_VOIDP, "Q<"].freeze

  def self.scalar(type)
    return POINTER if type["pointers"].positive? || type["kind"] == "callback"

    SCALARS.fetch(type["scalar"] || type["name"])
  end

  # The functions: MToken.version.
  DESCRIPTION["functions"].each do |described|
    parameters = described["parameters"].map { |parameter| scalar(parameter["type"]).first }
    function = nil
    define_singleton_method(described["name"].delete_prefix("mtoken_")) do |*arguments|
      function ||= Fiddle::Function.new(LIBRARY[described["name"]], parameters, MToken.scalar(described["result"]["type"]).first)
      function.call(*arguments)
    end
  end

  def self.text(address)
    Fiddle::Pointer.new(address).to_s.force_encoding(Encoding::UTF_8) unless address.to_i.zero?
  end

  # A readable struct of the library: operation.title, operation.signed_fields.fields.
  class View
    def initialize(name, address)
      @struct = STRUCTS.fetch(name)
      @pointer = Fiddle::Pointer.new(address)
    end

    def method_missing(name, *)
      member = @struct["members"].find { |candidate| candidate["name"] == name.to_s } or return super
      type = member["type"]
      value = @pointer[member["offset"], member["size"]].unpack1(MToken.scalar(type).last)
      return value if type["pointers"].zero?
      return array(member, value) if member["role"] == "array"
      return nil if value.zero?
      return MToken.text(value) if type["name"] == "char"

      type["kind"] == "struct" ? View.new(type["name"], value) : Fiddle::Pointer.new(value)
    end

    def respond_to_missing?(name, _all = false)
      @struct["members"].any? { |member| member["name"] == name.to_s }
    end

    private

    # An array holds pointers; another member has their count.
    def array(member, address)
      count = public_send(member["pair"])
      addresses = count.zero? ? [] : Fiddle::Pointer.new(address)[0, 8 * count].unpack("Q<*")
      kind = member["type"]["name"]
      addresses.map { |item| kind == "char" ? MToken.text(item) : View.new(kind, item) }
    end
  end

  # An option struct: Options.new("mtoken_qr_options", configuration: "ARDbb…"). What it points to lives as long as the struct.
  class Options
    def initialize(name, **members)
      @struct = STRUCTS.fetch(name)
      @kept = []
      @memory = Fiddle::Pointer.malloc(@struct["size"], Fiddle::RUBY_FREE)
      @memory[0, @struct["size"]] = "\0" * @struct["size"]
      { struct_size: @struct["size"], **members }.each { |member, value| set(member.to_s, value) unless value.nil? }
    end

    def to_ptr = @memory

    private

    def set(name, value)
      member = @struct["members"].find { |candidate| candidate["name"] == name } or raise ArgumentError, name
      @memory[member["offset"], member["size"]] = packed(member["type"], value)
    end

    def packed(type, value)
      return [value].pack(MToken.scalar(type).last) unless %w[mtoken_text mtoken_bytes].include?(type["name"])

      @kept << Fiddle::Pointer[value]
      [@kept.last.to_i, value.bytesize].pack("Q<Q<")
    end
  end

  # A call has failed.
  class Error < StandardError
    attr_reader :code, :reason

    def initialize(address)
      error = View.new("mtoken_error", address)
      @code, @reason = error.code, error.reason
      place = error.byte_offset.negative? ? "" : ", line #{error.line}, byte #{error.byte_offset}"
      super("#{MToken.text(MToken.error_name(code))} (#{reason})#{place}: #{error.message}")
    ensure
      MToken.error_free(address)
    end
  end

  # A call that returns a struct, which lives as long as the block.
  def self.make(name, function, *arguments)
    made, error = Array.new(2) { Fiddle::Pointer.malloc(8, Fiddle::RUBY_FREE).tap { |place| place[0, 8] = "\0" * 8 } }
    raise Error, error.ptr unless public_send(function, *arguments, made, error) == OK

    begin
      yield View.new(name, made.ptr)
    ensure
      public_send(STRUCTS.fetch(name)["free"].delete_prefix("mtoken_"), made.ptr)
    end
  end
end
