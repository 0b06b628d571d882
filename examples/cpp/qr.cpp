// Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
//
//   c++ -std=c++17 qr.cpp $(pkg-config --cflags --libs mtoken) -o qr
//   ./qr [SDK-CONFIGURATION] < payload.txt
//
// With the application's SDK configuration it also verifies the server's signature.
#include "mtoken.hpp"

#include <cstdio>
#include <iostream>
#include <iterator>

namespace {

std::ostream &operator<<(std::ostream &out, const mtoken_operation_field &field)
{
    switch (field.kind) {
    case MTOKEN_FIELD_EMPTY: return out;
    case MTOKEN_FIELD_AMOUNT: return out << "amount: " << field.value << ' ' << field.currency << '\n';
    case MTOKEN_FIELD_ACCOUNT:
        return out << "account: " << field.iban << (field.bic ? std::string(", ") + field.bic : "") << '\n';
    case MTOKEN_FIELD_DATE: {
        char date[48];
        std::snprintf(date, sizeof date, "%04d-%02d-%02d", field.year, field.month, field.day);
        return out << "date: " << date << '\n';
    }
    default: return out << "text: " << field.text << '\n';
    }
}

std::ostream &operator<<(std::ostream &out, const mtoken_qr_operation &operation)
{
    out << "id: " << operation.id << "\ntitle: " << operation.title << "\nmessage: " << operation.message << '\n';
    for (std::size_t i = 0; i < operation.signed_fields->field_count; i++) out << *operation.signed_fields->fields[i];
    return out << "signature: " << (operation.verification == MTOKEN_VERIFIED_VALID ? "valid" : "not checked") << '\n';
}

} // namespace

int main(int argc, char **argv)
try {
    const std::string payload{std::istreambuf_iterator<char>(std::cin), {}};
    mtoken_qr_options options = MTOKEN_QR_OPTIONS_INIT;
    if (argc > 1) options.configuration = MTOKEN_TEXT(argv[1]);
    const auto operation =
        token::make<token::QROperation>(mtoken_qr_operation_parse, payload.data(), payload.size(), &options);
    std::cout << *operation;
    return 0;
} catch (const token::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
