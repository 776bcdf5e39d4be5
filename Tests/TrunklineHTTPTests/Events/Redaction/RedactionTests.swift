import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Redaction")
struct RedactionTests {
    private let standard = Redaction.standard

    @Test(
        "Header fields that carry credentials, however they are spelt",
        arguments: [
            "Authorization", "authorization", "Proxy-Authorization", "COOKIE", "set-cookie", "X-API-Key", "apikey",
            "Api_Key", "X-Auth-Token", "X-Amz-Security-Token", "X-CSRF-Token", "X-Session-Id", "X-Goog-Api-Key",
            "Ocp-Apim-Subscription-Key", "X-Shopify-Access-Token", "X-Client-Secret", "X-Hub-Signature-256", "X-Auth",
        ])
    func headers(name: String) {
        #expect(standard.value("HUSH", ofHeader: name) == Redaction.mask)
        #expect(Redaction.none.value("HUSH", ofHeader: name) == "HUSH")
    }

    @Test(
        "Header fields that don't are shown",
        arguments: ["Accept", "Content-Type", "ETag", "X-Request-Id", "Author", "If-None-Match", "Keep-Alive", "X-Key"])
    func plain(name: String) { #expect(standard.value("seen", ofHeader: name) == "seen") }

    @Test(
        "URLs: user, query, fragment, and URLs in a value",
        arguments: [
            ("http://u:HUSH@h/p?q=1", "http://<redacted>@h/p?q=1"), ("http://HUSH@h", "http://<redacted>@h"),
            ("http://h/?a=1&Access_Token=HUSH&b=2#f", "http://h/?a=1&Access_Token=<redacted>&b=2#f"),
            ("http://h/?tok%65n=HUSH", "http://h/?tok%65n=<redacted>"),
            ("http://h/#access_token=HUSH&state=1", "http://h/#access_token=<redacted>&state=1"),
            ("http://h/?user%5Bpassword%5D=HUSH", "http://h/?user%5Bpassword%5D=<redacted>"),
            ("http://h/?next=http%3A%2F%2Fu%3AHUSH%40x%2F", "http://h/?next=http://<redacted>@x/"),
            ("http://h/?page=2&sort=key", "http://h/?page=2&sort=key"),
            ("not a url ?sig=HUSH", "not a url ?sig=<redacted>"),
        ])
    func urls(text: String, shown: String) { #expect(standard.url(text) == shown) }

    @Test(
        "Text of any kind",
        arguments: [
            ("sent Authorization: Bearer HUSH", "sent Authorization: <redacted>"),
            ("the token Bearer HUSHHUSH was refused", "the token Bearer <redacted> was refused"),
            (#"{"password": "HU\"SH", "n": 1}"#, #"{"password": "<redacted>", "n": 1}"#),
            (
                "can't reach http://u:HUSH@h:8080/x?api_key=HUSH, sorry",
                "can't reach http://<redacted>@h:8080/x?api_key=<redacted>, sorry"
            ),
            ("<login><Password>HUSH</Password></login>", "<login><Password><redacted></Password></login>"),
            ("client_secret=HUSH&grant_type=code", "client_secret=<redacted>&grant_type=code"),
            (#"Bearer realm="example", error="invalid""#, #"Bearer realm="example", error="invalid""#),
            (#"at "access_token": expected String"#, #"at "access_token": expected String"#),
            ("The request timed out (idle limit).", "The request timed out (idle limit)."),
            ("天 = 1; page=2", "天 = 1; page=2"),
        ])
    func texts(text: String, shown: String) {
        #expect(standard.text(text) == shown)
        #expect(Redaction.none.text(text) == text)
    }

    @Test("JSON: members at any depth, by path, in strings, with escapes in names; numbers stay")
    func json() throws {
        let redaction = standard.hiding(jsonPaths: ["cards[].number", "user.address.*"])
        let body = #"""
            {"access_token":"HUSH","nested":[{"apiKey":"HUSH"}],"pass\u0077ord":1234,"max_tokens":100,
            "cards":[{"number":"HUSH","name":"n"}],"user":{"address":{"street":"HUSH"},"name":"Emma"},
            "link":"http://h/?token=HUSH","number":"seen"}
            """#
        let shown = try #require(redaction.text(of: Data(body.utf8), contentType: "application/json"))
        #expect(!shown.contains("HUSH") && !shown.contains("1234"), "\(shown)")
        for seen in [#""max_tokens":100"#, #""number":"seen""#, #""name":"Emma""#, #""name":"n""#] {
            #expect(shown.contains(seen), "\(shown)")
        }
        let broken = redaction.text(of: Data(#"{"token":"HUSH","#.utf8), contentType: "application/json")
        #expect(broken == Redaction.mask)
        let lines = redaction.text(
            of: Data("{\"token\":\"HUSH\"}\n{\"n\":1}\n".utf8), contentType: "application/x-ndjson")
        #expect(lines == "{\"token\":\"<redacted>\"}\n{\"n\":1}\n")
        #expect(redaction.text(of: Data([0xFF, 0]), contentType: "application/json") == nil)
    }

    @Test("Forms: fields and parts")
    func forms() {
        let form = standard.text(
            of: Data("user=emma&password=HUSH&client%5Fsecret=HUSH".utf8),
            contentType: "application/x-www-form-urlencoded")
        #expect(form == "user=emma&password=<redacted>&client%5Fsecret=<redacted>")
        let parts =
            "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nHUSH\r\n--b\r\n"
            + "Content-Disposition: form-data; name=\"title\"\r\n\r\nEmma\r\n--b--\r\n"
        let shown = standard.text(of: Data(parts.utf8), contentType: "multipart/form-data; boundary=b")
        #expect(shown?.contains("HUSH") == false && shown?.contains("Emma") == true)
    }

    @Test("Rules of the app's own")
    func rules() throws {
        let redaction = standard.hiding(rules: [
            Redaction.Rule { place, name, value in
                switch place {
                case .path: value.replacingOccurrences(of: "/bot123", with: "/bot…")
                case .json where name == "user.ssn": "***"
                case .header where name == "X-Tenant": String(value.prefix(1)) + "…"
                default: nil
                }
            }
        ])
        #expect(redaction.url("http://h/bot123/send?x=1") == "http://h/bot…/send?x=1")
        #expect(redaction.value("acme", ofHeader: "X-Tenant") == "a…")
        let shown = redaction.text(of: Data(#"{"user":{"ssn":"1-2"}}"#.utf8), contentType: "application/json")
        #expect(shown == #"{"user":{"ssn":"***"}}"#)
        #expect(redaction == redaction.hiding() && redaction != standard)
    }

    @Test("Any text goes through without harm, and what is masked stays masked")
    func anythingFuzz() async {
        await HeavyWork.run { [standard] in
            var random = SeededRandom(seed: 39)
            let pieces = [
                "token", "=", ":", "\"", "\\", "//", "@", "&", " ", "\n", "Bearer ", "http://", "天", "<", ">", "{", "x",
            ]
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                let text = (0..<random.below(12)).map { _ in pieces[random.below(pieces.count)] }.joined()
                let once = standard.text(text)
                #expect(standard.text(of: Data(text.utf8), contentType: nil) != nil)
                #expect(!once.isEmpty || text.isEmpty)
                _ = standard.url(text)
            }
            let planted = (0..<200).map { _ in
                let before = (0..<random.below(6)).map { _ in pieces[random.below(5)] }.joined()
                return before + " token=PLANTED&x=1"
            }
            for text in planted { #expect(!standard.text(text).contains("PLANTED"), "\(text)") }
        }
    }
}
