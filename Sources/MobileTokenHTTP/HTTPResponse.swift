// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A complete answer of the server, whatever its status and content.
public struct HTTPResponse: Sendable {
    /// The HTTP version that was spoken.
    package enum Version: Sendable {
        case http10, http11, http2, other
    }

    /// When things happened, in milliseconds since `Transport.send`.
    package struct Timing: Equatable, Sendable {
        /// When the transfer began, after waiting for a free place and for the addresses of the host.
        package var started: Int64
        /// When the answer was complete.
        package var finished: Int64
        /// Whether an open connection was used again.
        package var reusedConnection: Bool

        package init(started: Int64 = 0, finished: Int64 = 0, reusedConnection: Bool = false) {
            self.started = started
            self.finished = finished
            self.reusedConnection = reusedConnection
        }
    }

    /// The status code, 200...999.
    package var status: Int
    package var version: Version
    package var headers: HTTPHeaders
    package var body: [UInt8]
    package var timing: Timing

    package init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], version: Version = .http11,
        timing: Timing = Timing()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.version = version
        self.timing = timing
    }

    /// The same answer as its reader wants it: unpacked, if the server has packed it, and without a byte order mark (RFC 8259
    /// §8.1).
    ///
    /// - Parameter limit: the most bytes of an unpacked body
    package func readable(limit: Int) -> Result<HTTPResponse, TransportError> {
        var response = self
        do throws(Gunzip.Fault) {
            // A host's HTTP library may have unpacked it, and left the header.
            if isPacked, Gunzip.begins(body) { response.body = try Gunzip.unpack(body, limit: limit) }
        } catch {
            return .failure(
                TransportError(
                    error == .tooLarge ? .responseTooLarge : .badServerResponse, sent: .sentAnswerUnknown,
                    detail: error == .tooLarge ? "the response is too large" : "the response's gzip coding is damaged"))
        }
        if response.body.starts(with: [0xEF, 0xBB, 0xBF]) { response.body.removeFirst(3) }
        return .success(response)
    }

    private var isPacked: Bool {
        guard let coding = headers["Content-Encoding"]?.utf8 else { return false }
        return ASCII.equalIgnoringCase(coding, "gzip".utf8) || ASCII.equalIgnoringCase(coding, "x-gzip".utf8)
    }
}

/// The header fields of an answer, kept as they came and taken apart when asked for.
package struct HTTPHeaders: Sendable {
    /// `name: value` lines, each ended by LF; trailers are not included.
    private(set) var block: [UInt8] = []
    /// The number of fields.
    package private(set) var count = 0

    package init() {}

    /// The same fields as an answer with these would have; for scripted transports.
    package init(_ fields: [HTTPHeader]) {
        for field in fields {
            block.append(contentsOf: field.name.utf8)
            block.append(UInt8(ascii: ":"))
            block.append(contentsOf: field.value.utf8)
            block.append(UInt8(ascii: "\n"))
            count += 1
        }
    }

    /// The value of the first field of that name (given in any case), without surrounding spaces; nil when there is
    /// none. Bytes that are not UTF-8 appear as U+FFFD.
    package subscript(_ name: StaticString) -> String? {
        name.withUTF8Buffer { wanted in
            for line in block.split(separator: UInt8(ascii: "\n")) {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    ASCII.equalIgnoringCase(line[..<colon], wanted)
                else { continue }
                return String(utf8: ASCII.trimmed(line[(colon + 1)...]))
            }
            return nil
        }
    }

    /// All fields in order.
    package var all: [HTTPHeader] {
        block.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return HTTPHeader(
                String(utf8: line[..<colon]),
                String(utf8: ASCII.trimmed(line[(colon + 1)...])))
        }
    }

    /// Takes in one line as it came, with its line end.
    mutating func append(line: UnsafeRawBufferPointer) {
        block.append(contentsOf: ASCII.trimmed(line[...]))
        block.append(UInt8(ascii: "\n"))
        count += 1
    }

    /// Forgets all: an interim answer (1xx) came before the real one.
    mutating func removeAll() {
        block.removeAll(keepingCapacity: true)
        count = 0
    }
}
