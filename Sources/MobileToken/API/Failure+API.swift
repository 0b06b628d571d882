// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
    extension Failure: CustomStringConvertible {
        /// E.g. `timeout (network_timeOut): The server did not answer in time.`
        public var description: String { "\(code) (\(reason)): \(message)" }
    }
#endif
