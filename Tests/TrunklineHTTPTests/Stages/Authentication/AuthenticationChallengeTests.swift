import Foundation
import Testing

@testable import TrunklineHTTP

@Suite struct AuthenticationChallengeTests {
    /// `scheme token68 name=value;…` of each, for short tables.
    private func parsed(_ text: String) -> [String] {
        AuthenticationChallenge.parse(text).map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            return ([challenge.scheme] + [challenge.token68 ?? "", parameters].filter { !$0.isEmpty })
                .joined(separator: " ")
        }
    }

    @Test(arguments: [
        (#"Basic realm="api""#, ["Basic realm=api"]),
        (#"Basic realm="api", charset="UTF-8""#, ["Basic realm=api;charset=UTF-8"]),
        (#"Bearer, Basic realm=x"#, ["Bearer", "Basic realm=x"]),
        ("Negotiate", ["Negotiate"]),
        ("Negotiate YII=, NTLM", ["Negotiate YII=", "NTLM"]),
        ("NTLM TlRMTVNTUAACAAAA+/==", ["NTLM TlRMTVNTUAACAAAA+/=="]),
        // RFC 9110, section 11.6.1.
        (
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            ["Basic realm=simple", #"Newauth realm=apps;type=1;title=Login to "apps""#]
        ),
        (
            #"Digest realm="a, b", nonce="n==", qop="auth,auth-int", algorithm=SHA-256, Digest realm=c"#,
            ["Digest realm=a, b;nonce=n==;qop=auth,auth-int;algorithm=SHA-256", "Digest realm=c"]
        ),
        ("Basic realm = \"x\" , a\t=\tb", ["Basic realm=x;a=b"]),
        (#" ,, Basic ,realm="x",,a=b,, Bearer"#, ["Basic realm=x;a=b", "Bearer"]),
        (#"Basic realm="""#, ["Basic realm="]),
        // What is wrong with these is forgiven.
        (#"Basic realm="never ends, Bearer"#, ["Basic realm=never ends, Bearer"]),
        (#"Digest realm="a" nonce="b""#, ["Digest realm=a;nonce=b"]),
        ("Digest nonce=a/b==, realm=a b", ["Digest nonce=a/b==;realm=a", "b"]),
        ("Basic realm=", ["Basic realm="]),
        (#""Basic" @@ Bearer"#, ["Basic", "Bearer"]),
        ("", []), (" ", []), (",,,", []), ("=", []), ("\"", []), ("\\", []),
    ])
    func `challenges are lists of lists`(text: String, challenges: [String]) {
        #expect(parsed(text) == challenges)
    }

    @Test func `names and schemes are compared without case, the first of a name counts`() {
        let challenge = AuthenticationChallenge.parse("bAsIc ReAlM=one, realm=two").first
        #expect(challenge?.isScheme("Basic") == true)
        #expect(challenge?.realm == "one" && challenge?["REALM"] == "one" && challenge?["none"] == nil)
    }

    @Test func `several lines are one list`() {
        let headers: HTTPHeaders = [
            "WWW-Authenticate": "Bearer realm=a", "www-authenticate": "Basic realm=b, Negotiate",
        ]
        #expect(headers.challenges.map(\.scheme) == ["Bearer", "Basic", "Negotiate"])
        #expect(HTTPHeaders().challenges.isEmpty)
    }

    @Test func `any text is read to its end Fuzz`() async {
        await HeavyWork.run {
            var random = SeededRandom(seed: 11)
            let pieces = [
                "Basic", "Digest", " ", ",", "=", "\"", "\\", "realm", "nonce=\"x\"", "\t", ";", "é", "\u{0}", "==",
                "a/b",
            ]
            for _ in 0..<FuzzRounds.count(full: 100_000) {
                let text = (0..<random.below(20)).map { _ in pieces[random.below(pieces.count)] }.joined()
                for challenge in AuthenticationChallenge.parse(text) {
                    #expect(HTTPToken.isToken(challenge.scheme))
                    #expect(challenge.token68 == nil || challenge.parameters.isEmpty)
                    _ = DigestChallenge(challenge)
                }
            }
        }
    }

    @Test func `what is written is read back`() async {
        await HeavyWork.run {
            var random = SeededRandom(seed: 12)
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                let challenges = (0..<random.below(4)).map { _ in
                    AuthenticationChallenge(
                        scheme: "S\(random.below(9))",
                        parameters: (0..<(1 + random.below(4))).map { index in
                            let value = (0..<random.below(6)).map { _ in
                                ["a", "\"", "\\", ",", "=", " "][random.below(6)]
                            }
                            return .init("p\(index)", value.joined())
                        })
                }
                let text = challenges.map { challenge in
                    challenge.scheme + " "
                        + challenge.parameters.map { parameter in
                            let escaped = parameter.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                            return "\(parameter.name)=\"\(escaped)\""
                        }.joined(separator: ", ")
                }.joined(separator: ", ")
                #expect(AuthenticationChallenge.parse(text) == challenges)
            }
        }
    }
}
