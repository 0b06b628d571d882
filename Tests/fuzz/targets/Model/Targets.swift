import FuzzSupport

/// The targets of the texts that the model reads. Nothing above the model is linked with them.
package let modelTargets = [
    FuzzTarget("json", fuzzJSON),
    FuzzTarget("operations", fuzzOperations),
    FuzzTarget("ui", fuzzUI),
    FuzzTarget("visual", fuzzVisual),
    FuzzTarget("honest", fuzzHonest),
    FuzzTarget("inbox", fuzzInbox),
    FuzzTarget("details", fuzzDetails),
    FuzzTarget("push", fuzzPush),
    FuzzTarget("qr", fuzzQR),
    FuzzTarget("data", fuzzData),
    FuzzTarget("pac", fuzzPAC),
    FuzzTarget("jwt", fuzzTokenOfPAC),
    FuzzTarget("uri", fuzzURI),
]

/// libFuzzer's `LLVMFuzzerInitialize`, by this name in the program of these targets.
@_cdecl("mtoken_fuzz_model")
package func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 { choose(among: modelTargets, arguments) }
