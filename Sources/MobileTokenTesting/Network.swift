// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import CSystem
import MobileToken
import MobileTokenC
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenSystem

@_cdecl("mtoken_testing_request_answer") @implementation
public func mtoken_testing_request_answer(
    _ runtime: OpaquePointer!, _ number: Int, _ answer: UnsafePointer<mtoken_testing_answer>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let transport = try testTransport(runtime)
        let isForEvery = number == -1  // MTOKEN_TESTING_EVERY
        if answer == nil, isForEvery { return transport.answerAll(with: nil) }
        let answer = try makeAnswer(try Input.options(answer, "answer"))
        if isForEvery { return transport.answerAll(with: answer) }
        guard number >= 0 else { throw .argument("number is too large.") }
        try transport.answer(number, with: answer)
    }
}

private func makeAnswer(_ answer: mtoken_testing_answer) throws(Failure) -> Answer {
    guard answer.reserved == 0 else { throw .argument("reserved must be 0.") }
    let delay = try timeSpan(answer.delay_ms)
    if answer.failure != MTOKEN_TESTING_FAILURE_NONE.rawValue {
        guard let error = TransportError(number: answer.failure, sent: answer.sent != 0) else {
            throw .argument("failure is unknown.")
        }
        return Answer(result: .failure(error), delay: delay)
    }
    guard (200...999).contains(answer.status) else { throw .argument("status must be 200 to 999.") }
    guard answer.body.data != nil || answer.body.length == 0, answer.body.length >= 0 else {
        throw .argument("body is NULL but has a length.")
    }
    let body = UnsafeRawBufferPointer(start: answer.body.data, count: answer.body.length)
    let fields = try headers(try Input.text(answer.headers, "headers") ?? "")
    let response = HTTPResponse(status: Int(answer.status), headers: HTTPHeaders(fields), body: [UInt8](body))
    return Answer(result: .success(response), delay: delay)
}

/// The fields of lines "name: value".
private func headers(_ text: String) throws(Failure) -> [HTTPHeader] {
    var fields: [HTTPHeader] = []
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
            throw .argument("A line of headers is not of the form \"name: value\".")
        }
        let value = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
        fields.append(
            HTTPHeader(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }
    return fields
}

@_cdecl("mtoken_testing_request_get") @implementation
public func mtoken_testing_request_get(
    _ runtime: OpaquePointer!, _ number: Int, _ timeout_ms: Int64,
    _ out_request: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_testing_request>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_request, "out_request")
        let random = try testRandom(runtime)
        let transport = try testTransport(runtime)
        let limit = try timeLimit(timeout_ms)
        guard number >= 0 else { throw .argument("number is too large.") }
        let found: Exchange?
        if case .manual(let loop) = random.bench.clock {
            loop.runUntilIdle()
            found = transport.exchange(number)
        } else {
            found = transport.wait(for: number, milliseconds: limit)
        }
        guard let found else { throw Failure(.timeout, "timeout", "There is no such request yet.") }
        out.pointee = result(found, state: transport.state(of: found))
    }
}

@_cdecl("mtoken_testing_request_free") @implementation
public func mtoken_testing_request_free(_ request: UnsafeMutablePointer<mtoken_testing_request>!) {
    Arena.free(request)
}

@_cdecl("mtoken_testing_request_count") @implementation
public func mtoken_testing_request_count(_ runtime: OpaquePointer!) -> Int {
    (try? testTransport(runtime))?.count ?? 0
}

/// A request in the form of the interface, which the host frees with one call.
private func result(_ exchange: Exchange, state: Exchange.State) -> UnsafeMutablePointer<mtoken_testing_request> {
    let request = exchange.request
    let arena = Arena()
    let headers = arena.pointers(request.headers) { header in
        arena.put(
            mtoken_header(
                name: arena.text(header.name), value: arena.text(header.value), value_length: header.value.utf8.count))
    }
    return arena.result(
        mtoken_testing_request(
            number: exchange.number, state: state.rawValue, at_most_once: request.atMostOnce ? 1 : 0,
            time: exchange.time, timeout_ms: request.timeoutMilliseconds,
            method: arena.text(request.method.name.description), url: arena.text(request.url),
            header_count: request.headers.count, headers: headers, body: arena.bytes(request.body),
            body_length: request.body.count))
}
