import Foundation
import MobileTokenHTTP
import TestSupport

@testable import MobileToken

/// A recording with one exchange and no secrets.
struct PlainRecording: Decodable {
    let exchange: Recordings.Exchange
}

extension Recordings.Exchange {
    /// The answer as the transport hands it up.
    var response: HTTPResponse {
        HTTPResponse(
            status: status, headers: HTTPHeaders(answerHeaders.map { HTTPHeader($0.key, $0.value) }),
            body: [UInt8](answer.utf8))
    }

    /// The code of the answer's error object; nil: it is none.
    var serverCode: String? {
        let content = try? JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
        guard content?["status"] as? String == "ERROR" else { return nil }
        return (content?["responseObject"] as? [String: Any])?["code"] as? String
    }
}

extension Call {
    /// What this call makes of an answer by itself: what the engine starts from, whatever it does next.
    func refusal(_ response: HTTPResponse) -> Failure? {
        let reply = Reply(response, errors: errors, now: 0)
        do throws(Failure) {
            if case .none = encryption { _ = try reply.plain() } else { _ = try reply.encrypted() }
            return nil
        } catch {
            return error
        }
    }
}

extension Failure {
    /// Whether it tells more than that somebody refused: a 401 does not say why.
    var claimsToKnowTheCause: Bool {
        if remainingAttempts != nil { return true }
        let text = message.lowercased()
        return ["pin", "password", "wrong", "incorrect", "blocked", "removed", "attempts", "biometr"].contains {
            text.contains($0)
        }
    }
}
