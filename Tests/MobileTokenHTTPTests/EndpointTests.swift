import Testing

@testable import MobileTokenHTTP

@Suite struct EndpointTests {
    @Test(arguments: [
        ("https://bank.example/path?query=1", "bank.example", 443),
        ("HTTPS://Bank.EXAMPLE", "bank.example", 443),
        ("http://bank.example?x", "bank.example", 80),
        ("https://bank.example:8443/", "bank.example", 8443),
        ("https://127.0.0.1:1/", "127.0.0.1", 1),
        ("https://[::1]:65535/a[1]", "::1", 65535),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443),
        ("https://my_host/%20~!$&'()*+,;=:@", "my_host", 443),
    ])
    func accepts(url: String, host: String, port: Int) throws {
        let endpoint = try #require(Endpoint(url: url))
        #expect(endpoint.host == [UInt8](host))
        #expect(Int(endpoint.port) == port)
        #expect((endpoint.kind == .name) == (host != "127.0.0.1" && host != "::1"))
    }

    @Test(arguments: [
        "", "https", "https:", "https:/a", "https://", "https:///path", "ftp://a/", "file:///etc/passwd", "//a/b",
        "https://a:0/", "https://a:65536/", "https://a:/", "https://a:1x/", "https://a:-1/", "https://a:+1/",
        "https://user@a/", "https://user:secret@a/", "https://a@b@c/", "https://a/#fragment", "https://a#f",
        "https://a b/", "https://a/ b", "https://a/\n", "https://a/\u{0}", "https://a\\b/", "https://a/\\b",
        "https://b\u{FC}cher.example/", "https://a/\u{E9}", "https://a..b/", "https://.a/", "https://a./",
        "https://-a/", "https://a-/", "https://127.1/", "https://0x7f000001/", "https://2130706433/",
        "https://0177.0.0.1/", "https://1.2.3.4.5/", "https://1.2.3.256/", "https://a.0x1/", "https://[::1/",
        "https://[127.0.0.1]/", "https://[::1%25eth0]/", "https://[::1]x/", "https://[]/", "https://::1/",
        "https://a%2eb/", "https://a/<b>", "https://a/{b}", "https://a/\"", "https://a/`", "https://a/|", "https://a/^",
        "https://" + String(repeating: "a", count: 64) + "/", "https://" + String(repeating: "a.", count: 130) + "b/",
        " https://a/", "https://a/" + String(repeating: "a", count: 9000),
    ])
    func refuses(url: String) {
        #expect(Endpoint(url: url) == nil)
    }

    @Test(arguments: [
        ("http://proxy.example:3128", "proxy.example", 3128), ("https://user:pa%40ss@proxy:1", "proxy", 1),
        ("socks5h://127.0.0.1:1080", "127.0.0.1", 1080), ("http://[::1]:8080", "::1", 8080),
    ])
    func acceptsProxies(url: String, host: String, port: Int) throws {
        let endpoint = try #require(Endpoint(proxy: url))
        #expect(endpoint.host == [UInt8](host))
        #expect(Int(endpoint.port) == port)
    }

    @Test(arguments: [
        "", "proxy:3128", "http://proxy", "http://proxy:3128/", "socks5://proxy:1080", "socks4://p:1", "ftp://p:1",
        "http://a@b@p:1", "http://p:1?x", "http://p p:1", "http://p:1#f",
    ])
    func refusesProxies(url: String) {
        #expect(Endpoint(proxy: url) == nil)
    }
}

@Suite struct PublicKeyPinTests {
    @Test func acceptsOnlyCanonicalBase64Of32Bytes() {
        #expect(PublicKeyPin(base64: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") != nil)
        #expect(PublicKeyPin(base64: "/+8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8=") != nil)
        for text in [
            "", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "-_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA;=",
            "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        ] {
            #expect(PublicKeyPin(base64: text) == nil)
        }
    }
}

@Suite struct HTTPHeadersTests {
    @Test func findsFieldsInAnyCase() {
        let headers = HTTPHeaders([
            HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-A", "1"), HTTPHeader("x-a", "2"),
            HTTPHeader("Empty", ""),
        ])
        #expect(headers["content-type"] == "application/json")
        #expect(headers["X-a"] == "1")
        #expect(headers["empty"] == "")
        #expect(headers["x"] == nil)
        #expect(headers.count == 4)
        #expect(headers.all.map(\.name) == ["Content-Type", "X-A", "x-a", "Empty"])
    }
}

@Suite struct RequestCheckTests {
    func code(_ request: HTTPRequest) -> TransportError.Code? {
        do throws(TransportError) {
            _ = try request.endpoints()
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("", "a"), ("a b", "a"), ("a:", "a"), ("\u{E4}", "a"), ("a", "b\r\nX: y"), ("a", "\n"), ("a", "\u{0}"),
        ("a", "\u{7F}"), ("Host", "a"), ("content-length", "1"), ("Transfer-Encoding", "chunked"), ("expect", ""),
        ("Connection", "close"), ("UPGRADE", "h2c"), ("Proxy-Authorization", "x"),
    ])
    func refusesHeaders(name: String, value: String) {
        #expect(code(HTTPRequest(.get, "https://a/", headers: [HTTPHeader(name, value)])) == .invalidRequest)
    }

    @Test func refusesWhatThePolicyForbids() throws {
        #expect(code(HTTPRequest(.get, "https://a/")) == nil)
        #expect(code(HTTPRequest(.get, "http://a/")) == .insecureURLRefused)
        #expect(code(HTTPRequest(.get, "http://a/", tls: TLSPolicy(allowPlainHTTP: true))) == nil)
        let pin = try #require(PublicKeyPin(base64: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        let pinned = TLSPolicy(pins: [pin], allowPlainHTTP: true)
        #expect(code(HTTPRequest(.get, "http://a/", tls: pinned)) == .insecureURLRefused)
        #expect(code(HTTPRequest(.get, "https://a/", tls: pinned)) == nil)
        #expect(code(HTTPRequest(.get, "ftp://a/")) == .invalidURL)
        #expect(code(HTTPRequest(.head, "https://a/", body: [1])) == .invalidRequest)
        #expect(code(HTTPRequest(.get, "https://a/", proxy: "socks4://a:1")) == .proxy)
        #expect(code(HTTPRequest(.get, "https://a/", tls: TLSPolicy(trust: .caPEM([])))) == .tls)
    }
}
