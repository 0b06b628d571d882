// SPDX-License-Identifier: Apache-2.0
import CMTokenTesting
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON

// A recording: one JSON object per line and exchange, in the order in which the exchanges ended:
// {"method", "url", "headers": [[name, value]], "body", "status", "answerHeaders", "answer"} or, for one that failed,
// {…, "failure": MTOKEN_TESTING_FAILURE_…, "sent"}. "body" and "answer" are text; "body64" and "answer64" Base64.

/// Writes a recording. On the loop thread only.
final class TapeRecorder {
    private let file: Int32

    /// Makes the file anew.
    convenience init(path: String) throws(Failure) {
        let file = mtoken_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .recording("The recording cannot be written", mtoken_errno()) }
        self.init(file: file)
    }

    private init(file: Int32) { self.file = file }

    deinit { close(file) }

    func append(_ request: HTTPRequest, _ result: Result<HTTPResponse, TransportError>) {
        var line = JSONWriter()
        line.beginObject()
        line.key("method")
        line.value(request.method.name)
        line.key("url")
        line.value(request.url)
        Self.write(request.headers, "headers", &line)
        Self.write(request.body, "body", "body64", &line)
        switch result {
        case .success(let response):
            line.key("status")
            line.value(response.status)
            Self.write(response.headers.all, "answerHeaders", &line)
            Self.write(response.body, "answer", "answer64", &line)
        case .failure(let error):
            line.key("failure")
            line.value(Int(error.number))
            line.key("sent")
            line.value(error.sent != .notSent)
        }
        line.endObject()
        let bytes = line.bytes + [UInt8(ascii: "\n")]
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Files.write(file, $0, from: done) }
            guard count > 0 else { return }
            done += count
        }
    }

    private static func write(_ headers: [HTTPHeader], _ key: StaticString, _ line: inout JSONWriter) {
        line.key(key)
        line.beginArray()
        for header in headers {
            line.beginArray()
            line.value(header.name)
            line.value(header.value)
            line.endArray()
        }
        line.endArray()
    }

    private static func write(_ bytes: [UInt8], _ key: StaticString, _ key64: StaticString, _ line: inout JSONWriter) {
        if let text = String(validating: bytes, as: UTF8.self) {
            line.key(key)
            line.value(text)
        } else {
            line.key(key64)
            line.value(Base64.encode(bytes))
        }
    }
}

/// Answers requests from a recording, in its order. On the loop thread only.
final class TapePlayer {
    private struct Line {
        let method: String
        let url: String
        let headers: [HTTPHeader]
        let body: [UInt8]
        let result: Result<HTTPResponse, TransportError>
    }

    private let lines: [Line]
    private var next = 0

    convenience init(path: String) throws(Failure) {
        let bytes = try Files.read(path)
        var lines: [Line] = []
        for text in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let document = try? JSONDocument(parsing: [UInt8](text), limits: Self.limits),
                let line = Self.line(document.root)
            else {
                throw Failure(.parse, "invalidRecording", "Line \(lines.count + 1) of the recording cannot be read.")
            }
            lines.append(line)
        }
        self.init(lines)
    }

    private init(_ lines: [Line]) { self.lines = lines }

    /// The recorded answer, if the request is the recorded one.
    func next(_ request: HTTPRequest) -> Result<HTTPResponse, TransportError> {
        guard lines.indices.contains(next) else {
            return .failure(TransportError(.internal, detail: "the recording has come to its end"))
        }
        let line = lines[next]
        next += 1
        guard line.method == request.method.name.description, line.url == request.url, line.body == request.body,
            Self.comparable(line.headers) == Self.comparable(request.headers)
        else {
            return .failure(TransportError(.internal, detail: "the request is not the recorded one"))
        }
        return line.result
    }

    /// A line may be somewhat larger than the largest answer.
    private static let limits = JSONLimits(maximumSize: 16 << 20)

    /// The headers without the one that names the machine.
    private static func comparable(_ headers: [HTTPHeader]) -> [HTTPHeader] {
        headers.filter { $0.name != "User-Agent" }
    }

    private static func line(_ root: JSONValue) -> Line? {
        guard let method = root["method"]?.text, let url = root["url"]?.text, let headers = headers(root["headers"]),
            let body = bytes(root["body"], root["body64"])
        else { return nil }
        let result: Result<HTTPResponse, TransportError>
        if let status = root["status"]?.int64 {
            guard let fields = self.headers(root["answerHeaders"]),
                let answer = bytes(root["answer"], root["answer64"])
            else { return nil }
            result = .success(HTTPResponse(status: Int(status), headers: HTTPHeaders(fields), body: answer))
        } else {
            guard let number = root["failure"]?.int64, let sent = root["sent"]?.bool,
                let error = TransportError(number: Int32(truncatingIfNeeded: number), sent: sent)
            else { return nil }
            result = .failure(error)
        }
        return Line(method: method.string, url: url.string, headers: headers, body: body, result: result)
    }

    private static func headers(_ list: JSONValue?) -> [HTTPHeader]? {
        guard let list, list.kind == .array else { return nil }
        var headers: [HTTPHeader] = []
        for index in 0..<list.count {
            guard let pair = list[index], let name = pair[0]?.text, let value = pair[1]?.text else { return nil }
            headers.append(HTTPHeader(name.string, value.string))
        }
        return headers
    }

    private static func bytes(_ text: JSONValue?, _ text64: JSONValue?) -> [UInt8]? {
        if let text = text?.textAllowingNUL { return text.bytes }
        return text64?.text.flatMap { Base64.decode($0.bytes) }
    }
}

/// Files, by libc.
private enum Files {
    static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        CSystem.write(file, bytes.baseAddress?.advanced(by: start), bytes.count - start)
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let file = mtoken_open(path, O_RDONLY | O_CLOEXEC, 0)
        guard file >= 0 else { throw .recording("The recording cannot be read", mtoken_errno()) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = CSystem.read(file, &chunk, chunk.count)
            guard count >= 0 else { throw .recording("The recording cannot be read", mtoken_errno()) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}

extension Failure {
    fileprivate static func recording(_ what: String, _ error: Int32) -> Failure {
        Failure(.storage, "storageFailed", what + " (system error \(error)).")
    }
}
