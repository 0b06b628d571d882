// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP

/// The HTTP requests of calls.
extension Activation {
    /// Answers larger than this are refused.
    static let maximumAnswerSize = 4 << 20

    func request(
        _ call: Call, headers: [HTTPHeader], body: [UInt8], atMostOnce: Bool, timeout: Int32,
        own: CallOptions? = nil
    ) -> HTTPRequest {
        var all = [
            HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
            HTTPHeader("Accept-Language", own?.language ?? language),
        ]
        let agent = own?.userAgent ?? options.userAgent
        if !agent.isEmpty { all.append(HTTPHeader("User-Agent", agent)) }
        if call.root.isOfTheBank {
            for header in options.headers { ExtraHeaders.set(header, in: &all) }
            for header in own?.headers ?? [] { ExtraHeaders.set(header, in: &all) }
            addCorrelation(own, to: &all)
        }
        all.append(contentsOf: headers)
        var tls = options.tls
        var method = HTTPRequest.Method.post
        let root: String
        switch call.root {
        case .powerAuth: root = options.baseURL
        case .operations: root = options.operationsURL
        case .document(let server, let allowsHTTP):
            root = server
            method = .get
            tls.pins = []
            tls.allowPlainHTTP = allowsHTTP
        }
        var request = HTTPRequest(
            method, root + path(of: call), headers: all, body: body, timeoutMilliseconds: Int64(timeout),
            atMostOnce: atMostOnce, maximumResponseSize: Self.maximumAnswerSize, tls: tls, proxy: options.proxy)
        request.client = number
        request.scope = call.root.isOfTheBank ? options.scope : options.foreignScope
        if call.root.isOfTheBank { request.identity = options.identity }
        return request
    }

    /// The resource that a signature is bound to; calls name that of 3.x.
    func resource(_ uriId: StaticString) -> StaticString {
        session.version == .v40 && sameBytes(uriId, Call.validation) ? "/pa/auth/validate" : uriId
    }

    /// The path of a call; calls are named by that of 3.x where 4.0 has the same.
    private func path(of call: Call) -> String {
        guard case .powerAuth = call.root, session.version == .v40 || session.isUndecided else {
            return call.path.description
        }
        if let uriId = call.signature?.uriId, sameBytes(uriId, Call.validation) { return "/pa/v4/auth/validate" }
        let legacy: StaticString = "/pa/v3/"
        var bytes = [UInt8](call.path.description.utf8)
        if begins(bytes, with: legacy) { bytes[5] = UInt8(ascii: "4") }
        return String(utf8: bytes)
    }

    /// Names a request, if that is wanted and the host has not done so with a header of its own.
    @inline(never)
    private func addCorrelation(_ own: CallOptions?, to headers: inout [HTTPHeader]) {
        guard own?.correlationID != nil || options.sendsCorrelationID,
            !headers.contains(where: { ExtraHeaders.isSame($0.name, CorrelationID.header) }),
            let id = own?.correlationID ?? CorrelationID.make(runtime.environment.random)
        else { return }
        headers.append(HTTPHeader(CorrelationID.header, id))
    }
}
