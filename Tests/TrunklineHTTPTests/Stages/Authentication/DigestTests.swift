import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct DigestTests {
    /// RFC 1321, appendix A.5, and the lengths around a block's end.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
        (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
        (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
    ])
    func `MD5 has the values of RFC 1321`(text: String, digest: String) {
        #expect(MD5Digest.hex(of: Array(text.utf8)) == digest)
    }

    private func session(
        _ challenge: String, _ username: String = "Mufasa", _ password: String = "Circle of Life", clientNonce: String
    ) throws -> DigestSession {
        let parsed = AuthenticationChallenge.parse(challenge)
        return DigestSession(
            try #require(DigestChallenge.strongest(of: parsed)), username: username, password: password,
            clientNonce: clientNonce, isProven: false)
    }

    private func fields(_ authorization: String) throws -> [String: String] {
        let challenge = try #require(AuthenticationChallenge.parse(authorization).first)
        #expect(challenge.scheme == "Digest")
        return Dictionary(challenge.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// RFC 7616, section 3.9.1.
    @Test(arguments: [
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ])
    func `the answers are those of RFC 7616`(algorithm: String, response: String) throws {
        var session = try session(
            """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        let fields = try fields(session.authorization(method: "GET", target: "/dir/index.html"))
        #expect(
            fields == [
                "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html",
                "algorithm": algorithm, "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "nc": "00000001",
                "cnonce": "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "qop": "auth", "response": response,
                "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
            ])
    }

    /// RFC 2617, section 3.5, with and without the quality of protection (RFC 2069).
    @Test(arguments: [
        (#", qop="auth,auth-int""#, "6629fae49393a05397450978507c4ef1"), ("", "670fd8c2df070c60b045671b8b24ff02"),
    ])
    func `older answers are those of RFC 2617 and RFC 2069`(quality: String, response: String) throws {
        var session = try session(
            """
            Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"\(quality)
            """, "Mufasa", "Circle Of Life", clientNonce: "0a4f113b")
        let fields = try fields(session.authorization(method: "GET", target: "/dir/index.html"))
        #expect(fields["response"] == response)
        #expect(fields["algorithm"] == nil)
        #expect((fields["nc"] == nil) == quality.isEmpty)
    }

    @Test func `a session algorithm keeps the hash of its first nonces`() throws {
        let challenge = #"Digest realm="r", nonce="n1", qop=auth, algorithm=MD5-sess"#
        var session = try session(challenge, "u", "p", clientNonce: "c")
        func md5(_ text: String) -> String { MD5Digest.hex(of: Array(text.utf8)) }
        let first = md5("\(md5("u:r:p")):n1:c")
        let second = md5("GET:/")
        #expect(
            try fields(session.authorization(method: "GET", target: "/"))["response"]
                == md5("\(first):n1:00000001:c:auth:\(second)"))
        session.take(nextNonce: "n2")
        #expect(
            try fields(session.authorization(method: "GET", target: "/"))["response"]
                == md5("\(first):n2:00000001:c:auth:\(second)"))
    }

    @Test(arguments: [
        (#"Digest realm=a, nonce=1, algorithm=MD5, Digest realm=a, nonce=2, algorithm=SHA-256"#, "2"),
        (#"Digest realm=a, nonce=1, algorithm=sha-256, Digest realm=a, nonce=2, algorithm=SHA-256-sess"#, "1"),
        (#"Digest realm=a, nonce=1, algorithm=SHA-512-256, Basic realm=b, digest realm=a, nonce=2"#, "2"),
        (#"Digest realm=a, nonce=1, qop="auth-int", Digest realm=a, nonce=2, qop="auth-int,AUTH""#, "2"),
        (#"Digest realm=a, nonce=1, algorithm=token, Digest nonce=2, Digest realm=a, Basic realm=x"#, nil),
        ("Basic realm=x", nil), ("", nil),
    ])
    func `the strongest supported challenge is chosen`(text: String, nonce: String?) {
        #expect(DigestChallenge.strongest(of: AuthenticationChallenge.parse(text))?.nonce == nonce)
    }

    @Test func `names beyond ASCII, quotes and backslashes are carried`() throws {
        let challenge = #"Digest realm="a \"q\" \\ b", nonce="n", qop=auth, charset=UTF-8"#
        var session = try session(challenge, "J\u{E4}s\u{F8}n Doe", "Secret, or not?", clientNonce: "c")
        let text = session.authorization(method: "GET", target: "/doe.json")
        #expect(text.hasPrefix(#"Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm="a \"q\" \\ b", "#))
        #expect(try fields(text)["realm"] == #"a "q" \ b"#)
    }
}
