// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenHTTP

extension Arena {
    func put(_ exchange: HostExchange) -> UnsafePointer<mtoken_http_request> {
        let request = exchange.request
        let body = request.body.isEmpty ? nil : request.body.withUnsafeBytes { bytes($0) }
        return put(
            mtoken_http_request(
                id: exchange.id, method: text(request.method.name.description), url: text(request.url),
                header_count: request.headers.count,
                headers: pointers(request.headers) {
                    self.put(mtoken_http_header(name: self.text($0.name), value: self.text($0.value)))
                },
                body: body, body_length: request.body.count, deadline: exchange.deadline,
                max_answer_size: request.maximumResponseSize, at_most_once: request.atMostOnce ? 1 : 0))
    }
}

@_cdecl("mtoken_request_respond") @implementation
public func mtoken_request_respond(
    _ runtime: OpaquePointer!, _ id: Int64, _ response: UnsafePointer<mtoken_http_response>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let runtime = try Handles.runtimes.find(runtime, "runtime")
        let response = try Input.options(response, "response")
        guard (200...999).contains(response.status), response.reserved == 0 else {
            throw .argument("status must be 200 to 999, and reserved must be 0.")
        }
        guard (0...HostTransport.maximumHeaderCount).contains(response.header_count),
            response.headers != nil || response.header_count == 0
        else { throw .argument("headers and header_count do not match (at most 200).") }
        var headers: [HTTPHeader] = []
        for index in 0..<response.header_count {
            let header = HTTPHeader(
                try Input.required(response.headers[index].name, "name"),
                try Input.text(response.headers[index].value, "value") ?? "")
            guard header.isValid else { throw .argument("A header has a character that HTTP does not allow.") }
            headers.append(header)
        }
        let body = [UInt8](try Input.bytes(response.body, "body"))
        try runtime.answer(
            id, .success(HTTPResponse(status: Int(response.status), headers: HTTPHeaders(headers), body: body)))
    }
}

@_cdecl("mtoken_request_fail") @implementation
public func mtoken_request_fail(
    _ runtime: OpaquePointer!, _ id: Int64, _ outcome: Int32, _ network_fault: Int32, _ tls_fault: Int32,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let runtime = try Handles.runtimes.find(runtime, "runtime")
        guard let network = NetworkFault(rawValue: network_fault), let tls = TLSFault(rawValue: tls_fault),
            let error = TransportError(network, tls, isSent: try isSent(outcome))
        else { throw .argument("Exactly one of network_fault and tls_fault must say what is wrong.") }
        try runtime.answer(id, .failure(error))
    }
}

private func isSent(_ outcome: Int32) throws(Failure) -> Bool {
    switch outcome {
    case MTOKEN_OUTCOME_NOT_SENT.rawValue: false
    case MTOKEN_OUTCOME_UNKNOWN.rawValue: true
    default: throw .argument("outcome must be NOT_SENT or UNKNOWN.")
    }
}
