import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// A session of the protocol without client, store and lock around it, and a temporary key for its messages.
private final class MeasuredSession {
    let session: Session
    var key: TemporaryKey?

    init(_ session: Session) { self.session = session }
}

private func measured(_ handle: UnsafeMutableRawPointer) -> MeasuredSession {
    Unmanaged<MeasuredSession>.fromOpaque(handle).takeUnretainedValue()
}

/// Copies a text to where the caller wants it; its length, or -1 if there is no room.
private func put(_ text: String, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Int {
    var text = text
    return text.withUTF8 { bytes in
        guard bytes.count <= capacity, let base = bytes.baseAddress else { return -1 }
        UnsafeMutableRawPointer(output).copyMemory(from: base, byteCount: bytes.count)
        return bytes.count
    }
}

/// A session with the stored content of an activation; NULL if anything does not fit. Freed by mtoken_bench_session_free.
@_cdecl("mtoken_bench_session_new")
public func mtoken_bench_session_new(
    _ configuration: UnsafePointer<UInt8>, _ configurationLength: Int, _ possessionKey: UnsafePointer<UInt8>,
    _ state: UnsafePointer<UInt8>, _ stateLength: Int
) -> UnsafeMutableRawPointer? {
    do throws(PowerAuthError) {
        let session = try Session(
            configuration: Configuration(
                sdkConfiguration: UnsafeRawBufferPointer(start: configuration, count: configurationLength)),
            random: SystemRandom(),
            possessionKey: SecureBytes(copying: UnsafeRawBufferPointer(start: possessionKey, count: 16)))
        try session.restore(from: UnsafeRawBufferPointer(start: state, count: stateLength))
        return Unmanaged.passRetained(MeasuredSession(session)).toOpaque()
    } catch {
        return nil
    }
}

/// Gives a session back.
@_cdecl("mtoken_bench_session_free")
public func mtoken_bench_session_free(_ handle: UnsafeMutableRawPointer) {
    Unmanaged<MeasuredSession>.fromOpaque(handle).release()
}

/// Signs a POST request with the possession factor: the text of the header, copied out. Nothing is stored.
@_cdecl("mtoken_bench_session_sign")
public func mtoken_bench_session_sign(
    _ handle: UnsafeMutableRawPointer, _ uriId: UnsafePointer<UInt8>, _ uriIdLength: Int,
    _ body: UnsafePointer<UInt8>, _ bodyLength: Int, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
    do throws(PowerAuthError) {
        let header = try measured(handle).session.sign(
            method: .post, uriId: UnsafeRawBufferPointer(start: uriId, count: uriIdLength),
            body: UnsafeRawBufferPointer(start: body, count: bodyLength), keys: .possession)
        return put(header, output, capacity)
    } catch {
        return -1
    }
}

/// The header of the stored token "possession_universal", copied out.
@_cdecl("mtoken_bench_session_token_header")
public func mtoken_bench_session_token_header(
    _ handle: UnsafeMutableRawPointer, _ now: Int64, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
    do throws(PowerAuthError) {
        return put(
            try measured(handle).session.tokenHeader(named: "possession_universal", now: now), output, capacity)
    } catch {
        return -1
    }
}

/// Gets the session a temporary key of the activation, as a server with this private key would issue it.
/// 0, or -1 if the session does not accept it.
@_cdecl("mtoken_bench_session_issue_key")
public func mtoken_bench_session_issue_key(
    _ handle: UnsafeMutableRawPointer, _ serverKey: UnsafePointer<UInt8>, _ serverKeyLength: Int, _ now: Int64
) -> Int32 {
    let measured = measured(handle)
    guard let request = try? measured.session.temporaryKeyRequest(scope: .activation),
        let token = try? token(
            answering: request, serverKey: UnsafeRawBufferPointer(start: serverKey, count: serverKeyLength), now),
        let response = try? JSONDocument(parsing: [UInt8](("{\"jwt\":\"" + token + "\"}").utf8)),
        let key = try? measured.session.acceptTemporaryKey(response.root, request: request)
    else { return -1 }
    measured.key = key
    return 0
}

/// The server's signed answer to a request for a temporary key (powerauth.md §6.2).
private func token(
    answering request: TemporaryKeyRequest, serverKey: UnsafeRawBufferPointer, _ now: Int64
) throws(CryptoError) -> String {
    let jwt = (try? JSONDocument(parsing: request.body))?.root["requestObject"]?["jwt"]?.text?.bytes ?? []
    let parts = jwt.split(separator: UInt8(ascii: "."))
    guard parts.count == 3, let payload = Base64URL.decode([UInt8](parts[1])),
        let claims = (try? JSONDocument(parsing: payload))?.root
    else { throw CryptoError(reason: .invalidEncoding) }
    var answer = JSONWriter()
    answer.beginObject()
    for name in ["challenge", "applicationKey", "activationId"] as [StaticString] {
        answer.key(name)
        answer.value(claims[name]?.text?.string ?? "")
    }
    answer.key("sub")
    answer.value("0a1b2c3d-0000-4000-8000-000000000001")
    answer.key("publicKey")
    answer.value(Base64.encode(try PrivateKey.generate().publicKey.uncompressed))
    for (name, time) in [("iat_ms", now), ("exp_ms", now + 1_000_000_000)] as [(StaticString, Int64)] {
        answer.key(name)
        answer.value(time)
    }
    answer.endObject()
    let header: StaticString = #"{"typ":"JWT","alg":"ES256"}"#
    let input = Base64URL.encode(header) + "." + Base64URL.encode(answer.bytes)
    return input + "." + Base64URL.encode(try PrivateKey(bigEndian: serverKey).signJOSE([UInt8](input.utf8)))
}

/// Encrypts one request of the activation as mtoken_bench_session_issue_key made possible; the length of its body, or -1.
@_cdecl("mtoken_bench_session_encrypt")
public func mtoken_bench_session_encrypt(
    _ handle: UnsafeMutableRawPointer, _ plaintext: UnsafePointer<UInt8>, _ length: Int, _ now: Int64
) -> Int {
    let measured = measured(handle)
    do throws(PowerAuthError) {
        let encryptor = try measured.session.encryptor(.activationGeneric, key: measured.key)
        return try encryptor.encrypt(UnsafeRawBufferPointer(start: plaintext, count: length), now: now).count
    } catch {
        return -1
    }
}
