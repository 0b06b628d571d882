#include "activation.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

void check(bool ok, const char *what)
{
    if (ok) return;
    std::fprintf(stderr, "cannot make an activation: %s\n", what);
    std::exit(1);
}

Bytes randomBytes(size_t count)
{
    Bytes result(count);
    check(RAND_bytes(result.data(), (int)count) == 1, "random");
    return result;
}

Bytes aesCBC(bool encrypt, const Bytes &key, const Bytes &iv, const Bytes &data, bool padding)
{
    Bytes result(data.size() + 16);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, last = 0;
    check(EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nullptr, key.data(), iv.data(), encrypt) == 1 &&
              EVP_CIPHER_CTX_set_padding(context, padding) == 1 &&
              EVP_CipherUpdate(context, result.data(), &written, data.data(), (int)data.size()) == 1 &&
              EVP_CipherFinal_ex(context, result.data() + written, &last) == 1,
          "AES");
    EVP_CIPHER_CTX_free(context);
    result.resize(written + last);
    return result;
}

const Bytes zeroIV(16, 0);

Bytes reduce(const Bytes &data)
{
    Bytes result(16);
    for (size_t i = 0; i < 16; i++) result[i] = data[i] ^ data[i + 16];
    return result;
}

// KDF(key, index), powerauth.md §1.9.
Bytes derive(const Bytes &key, uint64_t index)
{
    Bytes block(16, 0);
    for (int i = 0; i < 8; i++) block[15 - i] = (uint8_t)(index >> (8 * i));
    return aesCBC(true, key, zeroIV, block, false);
}

Bytes sharedSecret(EVP_PKEY *own, EVP_PKEY *other)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(nullptr, own, nullptr);
    Bytes result(32);
    size_t length = result.size();
    check(EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1 &&
              EVP_PKEY_derive(context, result.data(), &length) == 1 && length == 32,
          "ECDH");
    EVP_PKEY_CTX_free(context);
    return result;
}

Bytes digest(const char *name, const Bytes &data)
{
    Bytes result(32);
    check(EVP_Q_digest(nullptr, name, nullptr, data.data(), data.size(), result.data(), nullptr) == 1, "digest");
    return result;
}

// A key of 4.0 whose IV and wrapped bytes all have one value.
Bytes unwrap(const Bytes &wrapper, uint8_t value)
{
    Bytes result(32, value), iv(16, value);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    check(EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nullptr, wrapper.data(), iv.data()) == 1 &&
              EVP_EncryptUpdate(context, result.data(), &written, result.data(), 32) == 1 && written == 32,
          "unwrapping");
    EVP_CIPHER_CTX_free(context);
    return result;
}

Bytes twice(const Bytes &data)
{
    Bytes result = data;
    result.insert(result.end(), data.begin(), data.end());
    return result;
}

void append(Bytes &target, const Bytes &data) { target.insert(target.end(), data.begin(), data.end()); }

void appendVariable(Bytes &target, const Bytes &data)
{
    check(data.size() < 128, "length");
    target.push_back((uint8_t)data.size());
    append(target, data);
}

} // namespace

Bytes bytes(const std::string &text) { return Bytes(text.begin(), text.end()); }

std::string base64(const Bytes &data)
{
    std::string result((data.size() + 2) / 3 * 4 + 1, '\0');
    result.resize(EVP_EncodeBlock((unsigned char *)result.data(), data.data(), (int)data.size()));
    return result;
}

Bytes sha256(const Bytes &data)
{
    Bytes result(32);
    SHA256(data.data(), data.size(), result.data());
    return result;
}

Bytes hmac(const Bytes &key, const Bytes &data)
{
    Bytes result(32);
    HMAC(EVP_sha256(), key.data(), (int)key.size(), data.data(), data.size(), result.data(), nullptr);
    return result;
}

Bytes kmac(const Bytes &key, const std::string &customization, const Bytes &data)
{
    Bytes result(32);
    size_t size = result.size();
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM,
                                                                 const_cast<char *>(customization.data()),
                                                                 customization.size()),
                               OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    check(EVP_Q_mac(nullptr, "KMAC-256", nullptr, nullptr, parameters, key.data(), key.size(), data.data(), data.size(),
                    result.data(), result.size(), nullptr) != nullptr,
          "KMAC");
    return result;
}

Activation::Activation()
{
    applicationKey = randomBytes(16);
    applicationSecret = randomBytes(16);
    masterKey = EVP_EC_gen("P-256");
    serverKey = EVP_EC_gen("P-256");
    EVP_PKEY *deviceKey = EVP_EC_gen("P-256");
    check(masterKey && serverKey && deviceKey, "key pairs");

    Bytes text = {1};
    appendVariable(text, applicationKey);
    appendVariable(text, applicationSecret);
    text.push_back(1);
    text.push_back(1);
    appendVariable(text, point(masterKey, false));
    configuration = base64(text);

    Bytes masterSecret = reduce(sharedSecret(deviceKey, serverKey));
    possession = derive(masterSecret, 1);
    knowledge = derive(masterSecret, 2);
    transport = derive(masterSecret, 1000);
    vault = derive(masterSecret, 2000);
    counter = randomBytes(16);
    salt = randomBytes(16);
    deviceSecret = randomBytes(32);
    possessionUnlockKey = sha256(deviceSecret);
    possessionUnlockKey.resize(16);
    lockedPossession = aesCBC(true, possessionUnlockKey, zeroIV, possession, false);
    tokenSecret = randomBytes(16);
    devicePoint = point(deviceKey, true);
    lockedDeviceKey = aesCBC(true, vault, zeroIV, privateNumber(deviceKey), true);
    EVP_PKEY_free(deviceKey);

    Bytes unlock(16);
    check(PKCS5_PBKDF2_HMAC_SHA1(pin.data(), (int)pin.size(), salt.data(), (int)salt.size(), (int)iterations, 16,
                                 unlock.data()) == 1,
          "PBKDF2");
    lockedKnowledge = aesCBC(true, unlock, zeroIV, knowledge, false);
}

Bytes Activation::state() const
{
    Bytes result = bytes("MTPA");
    Bytes header = {3, 1, 1 | 8 /* counter byte and device key are known */, 0};
    append(result, header);
    for (int shift = 24; shift >= 0; shift -= 8) result.push_back((uint8_t)(iterations >> shift));
    result.push_back((uint8_t)identifier.size());
    result.push_back((uint8_t)lockedDeviceKey.size());
    result.push_back(0); // no recovery data
    result.push_back(1); // one token
    append(result, counter);
    append(result, lockedPossession);
    append(result, lockedKnowledge);
    append(result, Bytes(16, 0)); // no biometry
    append(result, aesCBC(true, possessionUnlockKey, zeroIV, transport, false));
    append(result, salt);
    append(result, point(serverKey, true));
    append(result, devicePoint);
    append(result, bytes(identifier));
    append(result, lockedDeviceKey);
    result.push_back(1); // the token was made with the possession factor
    appendVariable(result, bytes("possession_universal"));
    appendVariable(result, bytes("0b1c2d3e-0000-4000-8000-000000000002"));
    append(result, tokenSecret);
    result.push_back(0);  // no authenticators
    result.push_back(20); // the server's window is known
    result.push_back(0);  // and no signature open
    return result;
}

Bytes Activation::sealedState(const std::string &client, const Bytes &content) const
{
    Bytes encryption = hmac(deviceSecret, bytes("libmtoken state encryption"));
    encryption.resize(16);
    Bytes authentication = hmac(deviceSecret, bytes("libmtoken state authentication"));
    Bytes result = bytes("MTKS");
    result.push_back(1);
    Bytes iv = randomBytes(16);
    append(result, iv);
    append(result, aesCBC(true, encryption, iv, content, true));
    Bytes covered = bytes(client);
    covered.push_back(0);
    append(covered, result);
    append(result, hmac(authentication, covered));
    return result;
}

Bytes Activation::stateFile(const std::string &client) const
{
    constexpr size_t page = 4096, sector = 512, room = sector - 8;
    Bytes content = sealedState(client), key = randomBytes(16);
    Bytes head = bytes("MTSK"), slot = bytes("MTSF");
    append(head, {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}); // the version, and the number of the first save
    append(head, key);
    append(slot, {(uint8_t)content.size(), (uint8_t)(content.size() >> 8), 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
    content.resize((content.size() + 15) / 16 * 16);
    append(slot, aesCBC(true, key, zeroIV, content, false));
    Bytes packed = sha256(slot), file = sha256(head);
    append(packed, slot);
    append(file, head);
    file.resize(3 * page);
    packed.resize(page / sector * room);
    for (size_t i = 0; i < page / sector; i++) {
        uint8_t *place = file.data() + page + i * sector;
        std::copy_n(packed.data() + i * room, room, place);
        place[room] = 2;
        place[page + room] = 1; // of the second slot, which was never used
    }
    return file;
}

std::string Activation::signature(const std::string &uriId, const std::string &nonce, const Bytes &body) const
{
    Bytes component = hmac(hmac(possession, counter), bytes(signedText(uriId, nonce, body)));
    return base64(Bytes(component.begin() + 16, component.end()));
}

std::string Activation::signedText(const std::string &uriId, const std::string &nonce, const Bytes &body) const
{
    return "POST&" + base64(bytes(uriId)) + "&" + nonce + "&" + base64(body) + "&" + base64(applicationSecret);
}

// The form is in Sources/PowerAuth/V4/V4+State.swift. What no signature reads is there, and no more.
Bytes Activation::state4() const
{
    Bytes result = bytes("MTPA");
    append(result, {4, 1, 1, 1 | 8, 0, 0, 20, 0, (uint8_t)identifier.size(), 1, 0});
    append(result, twice(counter));
    // The keys of device and PIN: an IV, and 32 bytes that are one key or another, as they are unwrapped.
    append(result, Bytes(48, 1));
    append(result, Bytes(48, 2));
    append(result, twice(salt));
    append(result, Bytes(48 + 32 + 48 + 76 + 76 + 92, 0)); // no former PIN, no biometry; keys that are not opened
    for (int side = 0; side < 2; side++) append(result, Bytes(97, 4));
    append(result, bytes(identifier));
    result.push_back(1);
    appendVariable(result, bytes("possession_universal"));
    appendVariable(result, bytes("0b1c2d3e-0000-4000-8000-000000000002"));
    appendVariable(result, twice(tokenSecret));
    return result;
}

std::string Activation::code4(const std::string &uriId, const std::string &nonce, const Bytes &body) const
{
    Bytes label = bytes("enc/kek-possession"), input = {0, 0, 0, (uint8_t)label.size()};
    append(input, label);
    append(input, Bytes(4, 0)); // no diversifier
    Bytes device = unwrap(kmac(digest("SHA3-256", deviceSecret), "PA4KDF", input), 1);
    Bytes knowledge = unwrap(kmac(bytes(pin), "PA4PBKDF", twice(salt)), 2);
    Bytes first = kmac(device, "PA4CODE", twice(counter)), both = twice(counter);
    append(both, first);
    Bytes text = bytes(signedText(uriId, nonce, body)), code = kmac(first, "PA4CODE", text);
    append(code, kmac(kmac(knowledge, "PA4CODE", both), "PA4CODE", text));
    return base64(code);
}

Bytes Activation::sign(EVP_PKEY *key, const Bytes &data)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    Bytes result(80);
    size_t length = result.size();
    check(EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key) == 1 &&
              EVP_DigestSign(context, result.data(), &length, data.data(), data.size()) == 1,
          "signature");
    EVP_MD_CTX_free(context);
    result.resize(length);
    return result;
}

Bytes Activation::privateNumber(EVP_PKEY *key)
{
    BIGNUM *number = nullptr;
    Bytes result(32);
    check(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
              BN_bn2binpad(number, result.data(), 32) == 32,
          "private key");
    BN_clear_free(number);
    // Without leading zeros (powerauth.md §1.3).
    size_t first = 0;
    while (first < 31 && result[first] == 0) first++;
    return Bytes(result.begin() + (long)first, result.end());
}

Bytes Activation::point(EVP_PKEY *key, bool compressed)
{
    Bytes x(32), y(32), result;
    BIGNUM *number = nullptr;
    check(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_X, &number) == 1 &&
              BN_bn2binpad(number, x.data(), 32) == 32,
          "point");
    BN_free(number);
    number = nullptr;
    check(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_Y, &number) == 1 &&
              BN_bn2binpad(number, y.data(), 32) == 32,
          "point");
    BN_free(number);
    result.push_back(compressed ? (uint8_t)(2 + (y[31] & 1)) : 4);
    append(result, x);
    if (!compressed) append(result, y);
    return result;
}
