// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// The version of the Jansson that is loaded, e.g. "2.14". Static.
package var janssonVersion: UnsafePointer<CChar>? { jansson_version_str() }
