import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    private struct Slide: Decodable, Sendable {
        var title: String
    }

    /// What comes back: codings, media types, lengths, repeated fields.
    static let contents: [OutsideCheck] = [
        OutsideCheck("gzip is undone") { outside in
            let answer = try await outside.echo(.get("/gzip", base: outside.httpbin))["gzipped"]
            #expect(answer == true)
        },
        OutsideCheck("deflate is undone") { outside in
            let answer = try await outside.echo(.get("/deflate", base: outside.httpbin))["deflated"]
            #expect(answer == true)
        },
        OutsideCheck("brotli is undone where it is announced") { outside in
            guard outside.transport.make().capabilities.contentEncodings.contains("br") else { return }
            let answer = try await outside.echo(.get("/brotli", base: outside.httpbin))["brotli"]
            #expect(answer == true)
        },
        OutsideCheck("UTF-8 text") { outside in
            let text = try await outside.session().request(.get("/encoding/utf8", base: outside.httpbin)).string()
            #expect(text.contains("ði ıntəˈnæʃənəl fəˈnɛtık əsoʊsiˈeıʃn"))
        },
        OutsideCheck("A value at a path of the JSON") { outside in
            let response = try await outside.session().send(.get("/json", base: outside.httpbin))
            let slides = try response.decode([Slide].self, at: "slideshow.slides")
            #expect(slides.map(\.title) == ["Wake up to WonderWidgets!", "Overview"])
        },
        OutsideCheck("JSON where another type was expected is a typed failure") { outside in
            await #expect(throws: HTTPError.self) {
                _ = try await outside.session().request(.get("/json", base: outside.httpbin)).value(of: [Int].self)
            }
        },
        OutsideCheck("HTML and XML as text") { outside in
            let html = try await outside.session().request(.get("/html", base: outside.httpbin)).string()
            let xml = try await outside.session().request(.get("/xml", base: outside.httpbin)).string()
            #expect(html.contains("Herman Melville"))
            #expect(xml.hasPrefix("<?xml"))
        },
        OutsideCheck("An image, by Accept") { outside in
            let image = try await outside.session().request(
                .get("/image", base: outside.httpbin, headers: ["Accept": "image/png"])
            ).data()
            #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        },
        OutsideCheck("100 KB of binary") { outside in
            let bytes = try await outside.session().request(.get("/bytes/100000", base: outside.httpbin)).data()
            #expect(bytes.count == 100_000)
        },
        OutsideCheck("Repeated response fields are kept apart") { outside in
            let response = try await outside.response(
                .get("/response-headers?X-Tag=a&X-Tag=b&X-One=1", base: outside.httpbin))
            #expect(response.headers["X-One"] == "1")
            #expect(response.headers.values(for: "x-tag").joined(separator: ",").filter { $0 != " " } == "a,b")
        },
        OutsideCheck("base64 in the path") { outside in
            let text = try await outside.session().request(
                .get("/base64/{text}", base: outside.httpbin, parameters: ["text": "RW1tYSAmIGNv"])
            ).string()
            #expect(text == "Emma & co")
        },
        OutsideCheck("A media type that was not asked for") { outside in
            let options = RequestOptions(validation: .success.and(.contentTypes(["application/json"])))
            let error = await outside.failure(.get("/html", base: outside.httpbin, options: options))
            guard case .validation? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        },
    ]
}
