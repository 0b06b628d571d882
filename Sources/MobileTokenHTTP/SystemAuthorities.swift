// SPDX-License-Identifier: Apache-2.0
import CCurl
import CSystem

/// Where the system keeps the certificates of the authorities that it trusts.
enum SystemAuthorities {
    /// In the directory that libcurl was built for, which OpenSSL searches at each connection.
    case directory
    /// In this file.
    case file(String)
    /// libcurl was built for no system: in this directory.
    case folder(String)
    /// Nowhere, and why that is known.
    case missing(StaticString)

    /// The files of Debian, Arch and Alpine; Fedora and Red Hat, old and new; SUSE; OpenWrt and the BSDs.
    private static let files: [StaticString] = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// Leaves a libcurl that knows its system alone. For one that was built to be carried, what `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR` name comes first, as everywhere with OpenSSL; what they name in vain is not replaced in silence.
    static func find() -> SystemAuthorities {
        guard let easy = CurlEasy() else { return .directory }
        if let path = place(CURLINFO_CAINFO, of: easy), access(path, R_OK) == 0 { return .file(String(cString: path)) }
        if place(CURLINFO_CAINFO, of: easy) != nil || place(CURLINFO_CAPATH, of: easy) != nil { return .directory }
        if let path = variable("SSL_CERT_FILE") {
            guard access(path, R_OK) == 0 else { return .missing("SSL_CERT_FILE names a file that cannot be read") }
            return .file(String(cString: path))
        }
        if let path = variable("SSL_CERT_DIR") {
            guard access(path, R_OK) == 0 else { return .missing("SSL_CERT_DIR names a folder that cannot be read") }
            return .folder(String(cString: path))
        }
        for file in files {
            let path = UnsafeRawPointer(file.utf8Start).assumingMemoryBound(to: CChar.self)
            if access(path, R_OK) == 0 { return .file(String(cString: path)) }
        }
        return .missing("no file of trusted certificates is at a usual place")
    }

    /// libcurl's default location.
    private static func place(_ info: CURLINFO, of easy: CurlEasy) -> UnsafeMutablePointer<CChar>? {
        var path: UnsafeMutablePointer<CChar>?
        return mtoken_curl_get_pointer(easy.handle, info, &path) == CURLE_OK ? path : nil
    }

    /// A variable of the environment that is not empty, and that a program with raised rights may heed.
    private static func variable(_ name: StaticString) -> UnsafeMutablePointer<CChar>? {
        guard let value = mtoken_environment(UnsafeRawPointer(name.utf8Start)), value.pointee != 0 else { return nil }
        return value
    }
}
