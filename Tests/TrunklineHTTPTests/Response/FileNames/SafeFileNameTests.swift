import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("File names of servers") struct SafeFileNameTests {
    private static let directory = URL(fileURLWithPath: "/tmp/trunkline-d", isDirectory: true)

    private func name(_ disposition: String?, url: String = "http://h/dl/last.bin") throws -> String {
        var headers = HTTPHeaders()
        if let disposition { headers.set("Content-Disposition", disposition) }
        let request = HTTPRequest(url: try #require(URL(string: url)))
        return HTTPResponse(request: request, statusCode: 200, headers: headers).suggestedFileName.text
    }

    /// The name, as a file of D: always a direct child.
    private func child(_ name: String) -> Bool {
        let file = SafeFileNameTests.directory.appendingPathComponent(name, isDirectory: false)
        return file.standardizedFileURL.deletingLastPathComponent() == SafeFileNameTests.directory
            && !name.contains("/") && !name.contains("\\") && file.lastPathComponent == name
    }

    @Test(
        "A35: the table",
        arguments: [
            (#"attachment; filename="../../etc/passwd""#, "passwd"),
            (#"attachment; filename="..""#, "last.bin"), (#"attachment; filename=".""#, "last.bin"),
            (#"attachment; filename="""#, "last.bin"),
            (#"attachment; filename="x.txt"; filename*=UTF-8''%E4%B8%AD.txt"#, "中.txt"),
            (#"attachment; filename*=UTF-8''%E4%B8%AD.txt; filename="x.txt""#, "中.txt"),
            (#"attachment; filename*=UTF-8''..%2F..%2Fx"#, "x"), (#"attachment; filename="a\"b.txt""#, #"a"b.txt"#),
            (#"attachment; filename="C:\dir\f.txt""#, "f.txt"), ("attachment; filename=\"a\u{0}b.txt\"", "ab.txt"),
            ("attachment; filename=\"a\r\nb\t.txt\"", "ab.txt"), (#"attachment; filename=plain.txt"#, "plain.txt"),
            (#"attachment; filename=two words.txt ; x=1"#, "two words.txt"), ("filename=bare.txt", "bare.txt"),
            (#"ATTACHMENT; FileName="up.txt""#, "up.txt"), (#"attachment; filename*=UTF-8''%E4%B8; filename=ok"#, "ok"),
            (#"attachment; filename*=iso-8859-1'en'%A3.txt"#, "£.txt"),
            (#"attachment; filename*=x''a; filename="b""#, "b"),
            (#"attachment; x=";filename=no"; filename=yes"#, "yes"),
            (#"inline"#, "last.bin"), (#"attachment; filename="unclosed.txt"#, "unclosed.txt"),
            (#"attachment; filename=".bashrc""#, "bashrc"), (#"attachment; filename="  .. .a ""#, "a"),
            ("attachment; filename=\"\u{202E}gpj.exe\"", "gpj.exe"), ("", "last.bin"), ("; ;;=", "last.bin"),
        ])
    func table(disposition: String, expected: String) throws {
        let name = try name(disposition)
        #expect(name == expected)
        #expect(child(name))
    }

    @Test("A35: without a header, the URL's last segment, decoded, if it is safe")
    func urls() throws {
        for (url, expected) in [
            ("http://h/dl/%2e%2e%2fx", "x"), ("http://h/", "download"), ("http://h", "download"),
            ("http://h/a/b.txt?x=/c", "b.txt"), ("http://h/a/%E4%B8%AD.txt", "中.txt"),
            ("http://h/a/%2E%2E", "download"),
            ("http://h/a/b%00.txt", "b.txt"), ("http://h/a/", "a"), ("http://h/%FF", "%FF"),
        ] {
            let name = try name(nil, url: url)
            #expect(name == expected, "\(url)")
            #expect(child(name))
        }
    }

    @Test("A35: a long name is cut to 255 bytes and keeps its extension")
    func long() throws {
        for stem in [
            String(repeating: "n", count: 400), String(repeating: "中", count: 400),
            "e" + String(repeating: "\u{301}", count: 400),
        ] {
            let name = try #require(SafeFileName(stem + ".tar")).text
            #expect(name.utf8.count <= 255 && name.utf8.count > 248 && name.hasSuffix(".tar"))
            let numbered = try #require(SafeFileName(stem + ".tar")).numbered(12).text
            #expect(numbered.utf8.count <= 255 && numbered.hasSuffix(" (12).tar"))
        }
        let noExtension = try #require(SafeFileName("a." + String(repeating: "x", count: 400))).text
        #expect(noExtension.utf8.count == 255)
    }

    @Test("Numbers go before the extension")
    func numbers() {
        #expect(SafeFileName("x.txt")?.numbered(1).text == "x (1).txt")
        #expect(SafeFileName("x")?.numbered(2).text == "x (2)")
        #expect(SafeFileName("x.")?.numbered(3).text == "x. (3)")
    }

    @Test("Portable names: no Windows device, none of its forbidden characters")
    func portable() {
        for (text, expected) in [
            ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("com1", "_com1"), ("COM10", "COM10"), ("a:b?.txt", "a_b_.txt"),
            ("a. .", "a"), ("LPT².x", "_LPT².x"), ("console", "console"),
        ] {
            #expect(SafeFileName(text, isPortable: true)?.text == expected)
        }
        #expect(SafeFileName("CON")?.text == "CON" && SafeFileName(" . .. ", isPortable: true) == nil)
    }

    @Test("Whatever a server sends, the file is a direct child of its directory")
    func namesFuzz() async throws {
        try await HeavyWork.run {
            var random = SeededRandom(seed: 35)
            let pieces = [
                "..", ".", "/", "\\", "a", "\"", "filename=", "filename*=UTF-8''", "%2F", "%2e", "%00", "\u{0}", ";",
                "=", " ",
                "\t", "中", "\u{301}", "\u{202E}", "~", "attachment", "'", "%", "%E4%B8%AD", "CON", ":", "\u{FF0F}",
                "\r\n",
            ]
            for _ in 0..<FuzzRounds.count(full: 40_000) {
                var text = random.below(2) == 0 ? "attachment; filename=\"" : ""
                for _ in 0..<random.below(12) { text += pieces[random.below(pieces.count)] }
                let name = try name(text)
                #expect(child(name), "\(text.debugDescription) gave \(name.debugDescription)")
                #expect(!name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255)
                if let portable = SafeFileName(text, isPortable: true) { #expect(child(portable.text)) }
            }
        }
    }
}
