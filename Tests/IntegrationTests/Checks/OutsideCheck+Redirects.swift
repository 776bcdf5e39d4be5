import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    private static func redirects(_ policy: RedirectPolicy) -> RequestOptions { RequestOptions(redirects: policy) }

    /// Redirects, by the library's own rules on both transports.
    static let redirects: [OutsideCheck] =
        ["redirect", "relative-redirect", "absolute-redirect"].map { kind in
            OutsideCheck("Five hops by \(kind)") { outside in
                let response = try await outside.response(.get("/\(kind)/5", base: outside.httpbin))
                #expect(response.statusCode == 200)
                #expect(response.url.path == "/get")
            }
        } + [
            OutsideCheck("More hops than the policy allows") { outside in
                let options = redirects(.follow(limit: 3))
                let error = await outside.failure(.get("/redirect/5", base: outside.httpbin, options: options))
                guard case .tooManyRedirects(limit: 3, let last)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(last.statusCode == 302)
            },
            OutsideCheck("A redirect that is not followed") { outside in
                let response = try await outside.response(
                    .get("/redirect/1", base: outside.httpbin, options: redirects(.refuse)))
                #expect(response.statusCode == 302)
                #expect(response.headers["Location"] == "/get")
            },
            OutsideCheck("307 keeps method and content") { outside in
                let json = try await outside.echo(
                    .post(
                        "/redirect-to?url=/anything&status_code=307", base: outside.httpbin, body: .text("kept")))
                #expect(json["method"] == "POST")
                #expect(json["data"] == "kept")
            },
            OutsideCheck("303 becomes a GET without content") { outside in
                let json = try await outside.echo(
                    .post(
                        "/redirect-to?url=/anything&status_code=303", base: outside.httpbin, body: .text("dropped")))
                #expect(json["method"] == "GET")
                #expect(json["data"] == "")
                #expect(json.value(at: "headers")?["Content-Type"] == nil)
            },
            OutsideCheck("A redirect to another origin leaves credentials behind") { outside in
                let target = outside.nginx.absoluteString + "/headers"
                let text = try await outside.session().request(
                    .get(
                        "/redirect-to", base: outside.httpbin, parameters: ["url": target],
                        headers: ["Authorization": "Bearer secret", "Cookie": "a=secret"])
                ).string()
                #expect(text == "[][][GET]")
            },
            OutsideCheck("nginx's 308, and the slash it adds to a folder") { outside in
                let text = try await outside.response(.get("/old", base: outside.nginx))
                #expect(text.data == OutsideContent.text)
                let folder = try await outside.response(.get("/folder", base: outside.nginx))
                #expect(folder.data == Data("inside".utf8))
                #expect(folder.url.path.hasSuffix("/folder/") || folder.url.absoluteString.hasSuffix("/folder/"))
            },
        ]
}
