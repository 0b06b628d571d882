// SPDX-License-Identifier: Apache-2.0
import CMToken
import MobileToken

/// A second handle of a client, whose calls have options of their own.
final class ClientView {
    /// The client's own handle: the view is void when that is.
    let client: UInt
    let options: CallOptions

    init(client: UInt, options: CallOptions) {
        self.client = client
        self.options = options
    }
}

/// All handles that hosts hold.
package enum Handles {
    package static let runtimes = HandleTable<Runtime>(kind: 1)
    static let clients = HandleTable<Client>(kind: 2)
    static let views = HandleTable<ClientView>(kind: 11)

    /// The client of its own handle or of a second one.
    package static func client(_ handle: OpaquePointer?) -> Client? {
        if let client = clients[handle] { return client }
        guard let view = views[handle] else { return nil }
        return clients[OpaquePointer(bitPattern: view.client)]
    }

    /// The options of calls with a handle; nil: it is the client's own.
    static func callOptions(_ handle: OpaquePointer?) -> CallOptions? { views[handle]?.options }

    package static let stores = HandleTable<Store>(kind: 3)
    static let sealers = HandleTable<Sealer>(kind: 14)
    static let tasks = HandleTable<HostTask>(kind: 4)
    /// Only counts: an event is a struct, and what it points to is its own.
    static let events = HandleTable<HeldEvent>(kind: 5)
    static let watchers = HandleTable<ExpirationWatcher>(kind: 6)
    static let tokenData = HandleTable<MobileTokenData>(kind: 7)
    static let recorders = HandleTable<ScreenRecorder>(kind: 8)
    static let storeNames = HandleTable<HostNames>(kind: 13)
    package static let challenges = HandleTable<HostChallenge>(kind: 10)
    static let replies = HandleTable<StoreReply>(kind: 12)
    static let oidcRequests = HandleTable<HostOIDCRequest>(kind: 9)

    /// Handles that were given out and not given back, by the kind of their table.
    package static var live: [(kind: Int32, count: Int)] {
        [
            (1, runtimes.count),
            (2, clients.count),
            (3, stores.count),
            (4, tasks.count),
            (5, events.count),
            (6, watchers.count),
            (7, tokenData.count),
            (8, recorders.count),
            (9, oidcRequests.count),
            (11, views.count),
            (12, replies.count),
            (13, storeNames.count),
            (10, challenges.count),
            (14, sealers.count),
        ]
    }
}

/// Runs the body of an exported function and reports its failure in the way of the interface. Not copied into each of them.
@inline(never)
package func report(
    _ error: ErrorOut?, _ body: () throws(Failure) -> Void
) -> mtoken_status {
    error?.pointee = nil
    do throws(Failure) {
        try body()
        return MTOKEN_OK.rawValue
    } catch {
        return fail(error)
    }

    func fail(_ failure: Failure) -> mtoken_status {
        error?.pointee = Arena.error(failure)
        return failure.code.rawValue
    }
}

/// The client of a handle.
@inline(never)
func client(_ handle: OpaquePointer?) throws(Failure) -> Client {
    guard let client = Handles.client(handle) else { throw .unusable(handle, "client") }
    guard !client.waitsForThisThread else { throw .insideHostFunction() }
    return client
}

/// Checks an out argument and sets it to NULL.
package func output<T>(
    _ pointer: UnsafeMutablePointer<T?>?, _ name: StaticString
) throws(Failure) -> UnsafeMutablePointer<T?> {
    guard let pointer else { throw .argument(name, " is NULL.") }
    pointer.pointee = nil
    return pointer
}

/// Starts a call of a client and gives the host its task. Short, since the compiler makes a copy of it for each function.
@inline(never)
func startTask(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ start: (Client, CallTask) throws(Failure) -> Void
) throws(Failure) {
    let (client, task) = try makeTask(handle, out)
    do throws(Failure) {
        try start(client, task)
    } catch {
        removeTask(task)
        throw error
    }
    out?.pointee = OpaquePointer(bitPattern: task.number)
}

@inline(never)
private func makeTask(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) throws(Failure) -> (Client, CallTask) {
    _ = try output(out, "out_task")
    let client = try client(handle)
    let number = try Handles.tasks.reserve()
    let task = CallTask(
        number: number, client: client.number, board: client.board, options: Handles.callOptions(handle))
    Handles.tasks.fill(number, HostTask(task))
    return (client, task)
}

@inline(never)
private func removeTask(_ task: CallTask) { Handles.tasks.remove(task.number) }
