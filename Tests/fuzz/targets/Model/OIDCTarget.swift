import FuzzSupport
import MobileTokenCrypto
import MobileTokenModel

/// A redirect URI, or what comes back to one: its parts, and the parameters of its query, which are written and read again.
func fuzzURI(_ input: UnsafeRawBufferPointer) {
    do throws(URIParts.Malformed) {
        let uri = try URIParts(input)
        check(uri, in: input)
        if let query = uri.query { try check(query: input.piece(query)) }
    } catch {
        require((0...input.count).contains(error.offset), "the fault stands outside of the text")
    }
}

/// The parts stand in order, with their separators between them.
private func check(_ uri: URIParts, in text: UnsafeRawBufferPointer) {
    require(text.prefix(uri.scheme.count).map(ASCII.lowercased) == uri.scheme, "another scheme")
    var end = uri.scheme.count + 1
    if let authority = uri.authority {
        require(authority.lowerBound == end + 2, "the authority begins elsewhere")
        end = authority.upperBound
    }
    require(uri.path.lowerBound == end, "the path begins elsewhere")
    end = uri.path.upperBound
    for (part, mark) in [(uri.query, UInt8(ascii: "?")), (uri.fragment, UInt8(ascii: "#"))] {
        guard let part else { continue }
        require(text[end] == mark && part.lowerBound == end + 1, "query or fragment begins elsewhere")
        end = part.upperBound
    }
    require(end == text.count, "something follows the parts")
    uri.target.withUnsafeBytes { target in
        guard let again = try? URIParts(target) else { return require(false, "the target is no URI") }
        require(again.scheme == uri.scheme && again.query == nil && again.fragment == nil, "another target")
        require(again.path.count == max(uri.path.count, 1), "another path")
    }
}

private func check(query: UnsafeRawBufferPointer) throws(URIParts.Malformed) {
    let form: FormText
    do throws(URIParts.Malformed) {
        form = try FormText(query)
    } catch {
        return require((0..<query.count).contains(error.offset), "the fault stands outside of the query")
    }
    var written: [UInt8] = []
    for pair in form.pairs {
        if !written.isEmpty { written.append(UInt8(ascii: "&")) }
        FormText.appendEncoded(pair.name, to: &written)
        written.append(UInt8(ascii: "="))
        FormText.appendEncoded(pair.value, to: &written)
    }
    let again = try written.withBytes { (text: UnsafeRawBufferPointer) throws(URIParts.Malformed) in try FormText(text)
    }
    require(again.pairs.count == form.pairs.count, "parameters are lost")
    for (before, after) in zip(form.pairs, again.pairs) {
        require(
            before.name.isEqual(to: after.name) && before.value.isEqual(to: after.value),
            "a parameter is written as another one")
    }
}
