import MobileToken
import MobileTokenAsync
import Testing

/// What another package sees: nothing here is reached by `@testable`.
@Suite(.timeLimit(.minutes(2)))
struct AsyncTests {
    private static let configuration =
        "ARB+UC/uXAo16tp0NxZnyE0QEH3EF5GZm3YxUgtcmRHnTy8BAUEEJB/Gr/5ClpOPDpfE9H5rV8mIZhNu47kVcPfmMUrH1VHpRJ8N"
        + "5+2gi3iEM7UBCsCUh3MdF8RIGuMSCXnJrgg5yA=="

    /// A client of a server where nobody listens.
    private func client(_ runtime: Runtime) throws -> Client {
        let options = try ClientOptions(
            id: "a", configuration: Self.configuration, baseURL: "https://127.0.0.1:1", store: MemoryStore())
        return try Client(runtime: runtime, options: options)
    }

    @Test func aCallFailsAsItsTaskDoes() async throws {
        let client = try client(try Runtime())
        #expect(client.information.state == .empty)
        let call = try client.synchronizeTime()
        do throws(Failure) {
            try await call.value
            Issue.record("nobody listens")
        } catch {
            #expect(error.code == .network && error.outcome == .notSent)
            #expect(error.description.hasPrefix("network (network_generic): "))
        }
        #expect(call.task.state == .failed)
        #expect(throws: Failure.self) { try call.wait(milliseconds: 0) }
    }

    @Test func whatCannotBeAskedIsRefusedAtOnce() throws {
        let client = try client(try Runtime())
        do throws(Failure) {
            _ = try client.operations.list()
            Issue.record("there is no activation")
        } catch {
            #expect(error.code == .notActivated)
        }
        #expect(throws: Failure.self) { try client.activate(code: "VVVVV-VVVVV-VVVVV-VTFVB") }
    }

    @Test func eventsComeAndEnd() async throws {
        var options = Runtime.Options()
        options.events = .tasks
        let runtime = try Runtime(options: options)
        let client = try client(runtime)
        let events = runtime.eventSequence
        let call = try client.synchronizeTime()
        for await event in events {
            guard case .task(let task) = event.content, task === call.task else { continue }
            #expect(event.client == client.number)
            break
        }
        let rest = runtime.eventSequence
        runtime.stop()
        for await _ in rest {}
    }

    @Test func cancellingTheSwiftTaskCancelsTheCall() async throws {
        let client = try client(try Runtime())
        let call = try client.synchronizeTime()
        let task = Task { try await call.value }
        task.cancel()
        await #expect(throws: Failure.self) { try await task.value }
        #expect(call.task.state != .running)
    }
}
