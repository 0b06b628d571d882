/* SPDX-License-Identifier: Apache-2.0 */
// Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
//
//   c++ -std=c++17 qr.cpp $(pkg-config --cflags --libs mtoken) -o qr
//   ./qr [SDK-CONFIGURATION] < payload.txt
//
// With the application's SDK configuration it also verifies the server's signature.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <mtoken.hpp>

namespace {

std::ostream &operator<<(std::ostream &out, const mtoken::OperationField &field)
{
    switch (field.kind()) {
    case mtoken::FieldKind::empty: return out;
    case mtoken::FieldKind::amount:
        return out << "amount: " << field.value().value_or("") << ' ' << field.currency().value_or("") << '\n';
    case mtoken::FieldKind::account:
        return out << "account: " << field.iban().value_or("") << (field.bic() ? ", " : "") << field.bic().value_or("")
                   << '\n';
    case mtoken::FieldKind::date: {
        char date[48];
        std::snprintf(date, sizeof date, "%04d-%02d-%02d", field.year(), field.month(), field.day());
        return out << "date: " << date << '\n';
    }
    default: return out << "text: " << field.text().value_or("") << '\n';
    }
}

std::ostream &operator<<(std::ostream &out, const mtoken::QrOperation &operation)
{
    out << "id: " << operation.id() << "\ntitle: " << operation.title() << "\nmessage: " << operation.message() << '\n';
    for (const mtoken::OperationField field : operation.signed_fields().fields()) out << field;
    const bool valid = operation.verification() == mtoken::Verification::valid;
    return out << "signature: " << (valid ? "valid" : "not checked") << '\n';
}

} // namespace

int main(int argc, char **argv)
try {
    const std::string payload{std::istreambuf_iterator<char>(std::cin), {}};
    mtoken::QrOptions options;
    if (argc > 1) options.configuration(argv[1]);
    std::cout << mtoken::qr_operation_parse(payload, options);
    return 0;
} catch (const mtoken::Error &error) {
    std::cerr << mtoken::name_of(error.code()) << " (" << error.reason() << ")";
    if (error.byte_offset() >= 0) std::cerr << ", line " << error.line() << ", byte " << error.byte_offset();
    std::cerr << ": " << error.what() << '\n';
    return 1;
}
