// An activation made from nothing with raw OpenSSL: what device and server know after it, and the stored state in the
// form that the library keeps (Sources/PowerAuth/SessionState.swift, Sources/MobileToken/Store/SealedState.swift).
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;

Bytes bytes(const std::string &text);
std::string base64(const Bytes &data);

Bytes sha256(const Bytes &data);
Bytes hmac(const Bytes &key, const Bytes &data);
// KMAC-256, 32 bytes.
Bytes kmac(const Bytes &key, const std::string &customization, const Bytes &data);

struct Activation {
    Activation();

    // The application.
    std::string configuration; // the SDK's configuration string
    Bytes applicationKey, applicationSecret;
    EVP_PKEY *masterKey, *serverKey;

    // The activation.
    std::string identifier = "3a5d7e5c-4d9c-4b6f-9f7e-2f1f7f4e5a6b";
    std::string pin = "1984";
    Bytes possession, knowledge, transport, vault; // the keys of the protocol, 16 bytes each
    Bytes counter, salt;
    static constexpr uint32_t iterations = 10000;

    // The device.
    Bytes deviceSecret, possessionUnlockKey;
    Bytes lockedPossession; // as it is stored
    Bytes lockedKnowledge, lockedDeviceKey;
    Bytes devicePoint; // compressed
    Bytes tokenSecret;

    Bytes state() const; // the content of a session
    // The item "<client>.state" of a store, with that or with another content.
    Bytes sealedState(const std::string &client) const { return sealedState(client, state()); }
    Bytes sealedState(const std::string &client, const Bytes &content) const;
    // The file of that item in a directory store (Sources/MobileToken/Store/SlotForm.swift).
    Bytes stateFile(const std::string &client) const;

    // The same of an activation of 4.0 in the suite EC_P384, which has the counter, the salt and the token of this one
    // twice over.
    Bytes state4() const;
    std::string code4(const std::string &uriId, const std::string &nonce, const Bytes &body) const;

    // What the header of the next signature must hold.
    std::string signature(const std::string &uriId, const std::string &nonce, const Bytes &body) const;
    // A server's signature (DER, ECDSA with SHA-256).
    static Bytes sign(EVP_PKEY *key, const Bytes &data);
    static Bytes privateNumber(EVP_PKEY *key);
    static Bytes point(EVP_PKEY *key, bool compressed);

  private:
    std::string signedText(const std::string &uriId, const std::string &nonce, const Bytes &body) const;
};
