// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The version of the libcurl that is loaded, e.g. "7.88.1". Static.
package var curlVersion: UnsafePointer<CChar>? { mtoken_curl_version() }
