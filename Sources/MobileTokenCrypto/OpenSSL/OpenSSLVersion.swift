// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The version of the OpenSSL that is loaded, e.g. "3.0.15". Static.
package var openSSLVersion: UnsafePointer<CChar>? { OpenSSL_version(OPENSSL_VERSION_STRING) }
