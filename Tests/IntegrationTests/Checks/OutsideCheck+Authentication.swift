import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    private static func configuration(_ authentication: any Authentication) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.authentication = authentication
        return configuration
    }

    /// Credentials of every scheme.
    static let authentication: [OutsideCheck] =
        [
            OutsideCheck("Basic") { outside in
                let right = try BasicAuthentication(username: "emma", password: "wood", origins: [outside.bin])
                let json = try await outside.echo(
                    .get("/basic-auth/emma/wood", base: outside.httpbin), configuration(right))
                #expect(json["user"] == "emma")
                let wrong = try BasicAuthentication(username: "emma", password: "house", origins: [outside.bin])
                let error = await outside.failure(
                    .get("/basic-auth/emma/wood", base: outside.httpbin), configuration(wrong))
                #expect(error?.response?.statusCode == 401)
            },
            OutsideCheck("Basic that is never asked for") { outside in
                let basic = try BasicAuthentication(username: "emma", password: "wood", origins: [outside.bin])
                let json = try await outside.echo(
                    .get("/hidden-basic-auth/emma/wood", base: outside.httpbin), configuration(basic))
                #expect(json["authenticated"] == true)
            },
            OutsideCheck("No credential: 401 at once") { outside in
                let error = await outside.failure(.get("/basic-auth/emma/wood", base: outside.httpbin))
                #expect(error?.response?.statusCode == 401)
            },
            OutsideCheck("Bearer") { outside in
                let json = try await outside.echo(
                    .get("/bearer", base: outside.httpbin),
                    configuration(BearerAuthentication(token: "t0ken", origins: [outside.bin])))
                #expect(json["token"] == "t0ken")
            },
            OutsideCheck("A credential of another origin stays here") { outside in
                let bearer = BearerAuthentication(token: "t0ken", origins: ["https://api.example.com"])
                let json = try await outside.echo(.get("/headers", base: outside.httpbin), configuration(bearer))
                #expect(json.value(at: "headers")?["Authorization"] == nil)
            },
            OutsideCheck("nginx's Basic, with a blank in the password") { outside in
                let origin = Origin(outside.nginx)
                let basic = try BasicAuthentication(username: "emma", password: "wood house", origins: [origin])
                let text = try await outside.session(configuration(basic)).request(
                    .get("/private/letter.txt", base: outside.nginx)
                ).string()
                #expect(text == "for emma")
            },
        ]
        + ["MD5", "SHA-256", "SHA-512"].flatMap { algorithm in
            ["auth", "auth-int"].map { quality in
                OutsideCheck("Digest \(algorithm), \(quality)") { outside in
                    let digest = DigestAuthentication(username: "emma", password: "wood", origins: [outside.bin])
                    let response = try await outside.response(
                        .get("/digest-auth/\(quality)/emma/wood/\(algorithm)", base: outside.httpbin),
                        configuration(digest))
                    // What the library doesn't answer (see DigestAuthentication) stays the server's 401.
                    let isAnswered = algorithm != "SHA-512" && quality == "auth"
                    #expect(response.statusCode == (isAnswered ? 200 : 401))
                }
            }
        }
}
