import FuzzSupport
import MobileTokenHTTP

@testable import MobileToken

/// An HTTP answer with any status and body, read as a plain and as an encrypted one. The first two bytes make status and
/// table of errors.
func fuzzReply(_ input: UnsafeRawBufferPointer) {
    guard input.count >= 2 else { return }
    let statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503, 599]
    let (mode, rest) = input.split
    let status = statuses[mode % statuses.count]
    let (table, body) = rest.split
    let errors: ErrorTable = [.general, .approval, .operation][table % 3]
    let reply = Reply(HTTPResponse(status: status, body: [UInt8](body)), errors: errors, now: 0)
    do throws(Failure) {
        _ = try reply.plain()
        require(status == 200, "a failure of HTTP is a success")
    } catch {
        look(error, status)
    }
    do throws(Failure) {
        _ = try reply.encrypted()
        require(status == 200, "a failure of HTTP is a success")
    } catch {
        look(error, status)
    }
}

private func look(_ failure: Failure, _ status: Int) {
    require(failure.outcome == .answered, "an answer is not counted as one")
    require(failure.httpStatus == Int32(status), "the failure has another status")
    require(failure.retriable == (status >= 500), "the failure is wrongly retriable")
    require(!failure.message.isEmpty, "the failure says nothing")
}
