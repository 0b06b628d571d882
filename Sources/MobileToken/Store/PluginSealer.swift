// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto

/// A sealer made of C functions: the host's own, or a plugin's.
package final class FunctionSealer: Sealer, @unchecked Sendable {
    package struct Functions {
        let seal: mtoken_sealing
        let unseal: mtoken_sealing
        let forget: mtoken_forgetting?
        /// Why the last call failed.
        let explain: (UnsafeMutableRawPointer?) -> String?
        let release: mtoken_releasing?

        package init(
            seal: mtoken_sealing, unseal: mtoken_sealing, forget: mtoken_forgetting?,
            explain: @escaping (UnsafeMutableRawPointer?) -> String?, release: mtoken_releasing?
        ) {
            self.seal = seal
            self.unseal = unseal
            self.forget = forget
            self.explain = explain
            self.release = release
        }
    }

    private let functions: Functions
    private let context: UnsafeMutableRawPointer?

    /// The name in sealed forms of a host's functions.
    package static let hostName = "host"

    package init(
        name: String = hostName, protection: Protection = .host, functions: Functions, context: UnsafeMutableRawPointer?
    ) {
        self.functions = functions
        self.context = context
        super.init(name: name, protection: protection)
    }

    deinit {
        if isOfThisProcess { functions.release?(context) }
    }

    override package func transform(
        _ bytes: SecureBytes, label: String, sealing: Bool
    ) throws(SealFailure) -> SecureBytes {
        let room = sealing ? Self.maximumForm : Self.maximumSecret
        let out = SecureBytes(count: room)
        var count = room
        let fault = bytes.withBytes { bytes in
            out.withMutableBytes { out in
                label.withCString { label in
                    (sealing ? functions.seal : functions.unseal)(
                        context, label, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
                        out.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
                }
            }
        }
        guard fault == 0 else {
            throw SealFailure(.init(rawValue: fault) ?? .failed, cause: functions.explain(context))
        }
        guard (1...room).contains(count), let result = out.slice(0..<count) else { throw SealFailure(.failed) }
        return result
    }

    override package func forget(_ sealed: SecureBytes, label: String) {
        guard let forget = functions.forget else { return }
        sealed.withBytes { sealed in
            label.withCString {
                forget(context, $0, sealed.baseAddress?.assumingMemoryBound(to: UInt8.self), sealed.count)
            }
        }
    }

    /// A text that a plugin writes, or the loader.
    private static func cause(_ write: (UnsafeMutablePointer<CChar>?) -> Void) -> String {
        var text = [CChar](repeating: 0, count: MTOKEN_CAUSE_ROOM)
        text.withUnsafeMutableBufferPointer { write($0.baseAddress) }
        return text.withUnsafeBytes { String(utf8: $0.prefix { $0 != 0 }) }
    }

    /// Opens a plugin: a shared library beside this one.
    @inline(never)
    static func open(plugin name: String, _ options: SealerOptions) throws(Failure) -> Sealer {
        var found: UnsafePointer<mtoken_plugin>?
        let why = cause { found = mtoken_plugin_load(name, $0) }
        guard let plugin = found?.pointee, let open = plugin.open, let seal = plugin.seal, let unseal = plugin.unseal
        else {
            var failure = Failure(
                .unsupported, Reason.sealerNotFound,
                "There is no sealer of this name here. Those that are plugins must lie beside the library.")
            failure.cause = why
            throw failure
        }
        var context: UnsafeMutableRawPointer?
        var fault: Int32 = 0
        let cause = cause { cause in
            fault = options.withNative { (native) in
                withUnsafePointer(to: native) { open($0, &context, cause) }
            }
        }
        guard fault == 0 else { throw Failure(SealFailure(.init(rawValue: fault) ?? .failed, cause: cause)) }
        return FunctionSealer(
            name: name, protection: Protection(rawValue: plugin.protection) ?? .host,
            functions: Functions(
                seal: seal, unseal: unseal, forget: plugin.forget,
                explain: { context in
                    plugin.explain.map { explain in
                        Self.cause { explain(context, $0) }
                    }
                }, release: plugin.close),
            context: context)
    }
}

/// The options of the sealers that come with the library.
public struct SealerOptions: Sendable {
    /// Which device, token or credential.
    public var device: String?
    /// The path of a PKCS#11 module.
    public var module: String?
    /// A password or PIN.
    public var password: SecureBytes?
    /// The registers of a TPM that must not change.
    public var pcrs: String?

    /// The defaults.
    public init() {}

    fileprivate func withNative<R>(_ body: (mtoken_plugin_options) -> R) -> R {
        with(device) { device in
            with(module) { module in
                with(pcrs) { pcrs in
                    (password ?? SecureBytes(count: 0)).withBytes { password in
                        body(
                            mtoken_plugin_options(
                                device: device, module: module, pcrs: pcrs,
                                password: password.baseAddress?.assumingMemoryBound(to: UInt8.self),
                                password_length: password.count))
                    }
                }
            }
        }
    }

    private func with<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}

extension Sealer {
    /// Opens a sealer that comes with the library.
    ///
    /// - Parameter name: `systemd`, or that of a plugin: `tpm2`, `secret-service`, `pkcs11`, `fido2`
    public static func open(_ name: String, _ options: SealerOptions = SealerOptions()) throws(Failure) -> Sealer {
        let isName = name.withBytes { name in
            (1...32).contains(name.count)
                && name.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
        guard isName else { throw .argument("The sealer's name must be 1 to 32 characters from a-z 0-9 -.") }
        guard name.byBytes != CredentialSealer.name.byBytes else { return try CredentialSealer.open(options) }
        return try FunctionSealer.open(plugin: name, options)
    }
}
