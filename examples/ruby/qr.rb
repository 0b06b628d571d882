# Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
#
#     ruby qr.rb [SDK-CONFIGURATION] < payload.txt
#
# With the application's SDK configuration it also verifies the server's signature.

require_relative "mtoken"

def text(field)
  case field.kind
  when MToken::FIELD_EMPTY then nil
  when MToken::FIELD_AMOUNT then "amount: #{field.value} #{field.currency}"
  when MToken::FIELD_ACCOUNT then "account: #{[field.iban, field.bic].compact.join(', ')}"
  when MToken::FIELD_DATE then format("date: %04d-%02d-%02d", field.year, field.month, field.day)
  else "text: #{field.text}"
  end
end

payload = $stdin.binmode.read
options = MToken::Options.new("mtoken_qr_options", configuration: ARGV.first)
begin
  MToken.make("mtoken_qr_operation", :qr_operation_parse, payload, payload.bytesize, options) do |operation|
    puts "id: #{operation.id}", "title: #{operation.title}", "message: #{operation.message}"
    puts operation.signed_fields.fields.filter_map { |field| text(field) }
    puts "signature: #{operation.verification == MToken::VERIFIED_VALID ? 'valid' : 'not checked'}"
  end
rescue MToken::Error => error
  abort error.message
end
