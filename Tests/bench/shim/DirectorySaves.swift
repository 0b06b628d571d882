import MobileToken
import MobileTokenCrypto

/// A directory store in which the client "bench" is open; NULL if it cannot be had. It is never freed.
@_cdecl("mtoken_bench_store_open")
public func mtoken_bench_store_open(_ path: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
    do throws(Failure) {
        let store = try DirectoryStore(path: String(cString: path))
        guard (try? store.acquire("bench")) != nil else { return nil }
        return Unmanaged.passRetained(store).toOpaque()
    } catch {
        return nil
    }
}

/// Saves that client's state; 0 if it is durable.
@_cdecl("mtoken_bench_store_save")
public func mtoken_bench_store_save(
    _ store: UnsafeMutableRawPointer, _ bytes: UnsafePointer<UInt8>, _ count: Int
) -> Int32 {
    let store = Unmanaged<DirectoryStore>.fromOpaque(store).takeUnretainedValue()
    do throws(StoreError) {
        try store.save("bench.state", UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    } catch {
        return -1
    }
}
