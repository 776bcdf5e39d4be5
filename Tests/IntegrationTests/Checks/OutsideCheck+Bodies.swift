import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    private struct Book: Codable, Equatable, Sendable {
        var title: String
        var pages: Int64
        var tags: [String]
    }

    /// What is sent: forms, JSON, bytes, files, multipart.
    static let bodies: [OutsideCheck] = [
        OutsideCheck("A form") { outside in
            let json = try await outside.echo(
                .post("/post", base: outside.httpbin, parameters: ["title": "Emma & co", "note": "a+b=c d"]))
            #expect(json["form"] == ["title": "Emma & co", "note": "a+b=c d"])
            #expect(
                json.value(at: "headers")?["Content-Type"]?.string?.hasPrefix("application/x-www-form-urlencoded")
                    == true)
        },
        OutsideCheck("JSON from parameters") { outside in
            let json = try await outside.echo(
                .post(
                    "/post", base: outside.httpbin,
                    parameters: ["book": ["title": "Emma", "tags": ["a", "b"], "price": 9.5, "none": NSNull()]],
                    encoding: .json))
            #expect(json["json"] == ["book": ["title": "Emma", "tags": ["a", "b"], "price": 9.5, "none": .null]])
        },
        OutsideCheck("JSON from a value, large numbers kept") { outside in
            let book = Book(title: "Żółć 📚 \"\\/\u{8}", pages: .max, tags: [])
            let json = try await outside.echo(.post("/post", base: outside.httpbin, json: book))
            #expect(json.value(at: "json.title")?.string == book.title)
            #expect(json.value(at: "json.pages")?.int64 == book.pages)
        },
        OutsideCheck("PUT and PATCH with JSON") { outside in
            let put = try await outside.echo(.put("/put", base: outside.httpbin, json: ["a": 1]))
            let patch = try await outside.echo(.patch("/patch", base: outside.httpbin, json: ["b": 2]))
            #expect(put["json"] == ["a": 1])
            #expect(patch["json"] == ["b": 2])
        },
        OutsideCheck("Text") { outside in
            let json = try await outside.echo(.post("/post", base: outside.httpbin, body: .text("just text, ą")))
            #expect(json["data"]?.string == "just text, ą")
        },
        OutsideCheck("Every byte") { outside in
            let bytes = Data((0...255).map { UInt8($0) })
            let json = try await outside.echo(
                .post("/post", base: outside.httpbin, body: .data(bytes, contentType: "application/octet-stream")))
            #expect(
                json["data"]?.string == "data:application/octet-stream;base64," + bytes.base64EncodedString())
        },
        OutsideCheck("A POST of nothing says so") { outside in
            let json = try await outside.echo(.post("/anything", base: outside.httpbin))
            #expect(json.value(at: "headers")?["Content-Length"] == "0")
        },
        OutsideCheck("A body of unknown length goes out in chunks") { outside in
            let body = RequestBody.stream(contentType: "text/plain") {
                RequestBody.Chunks { chunks in
                    for part in ["one ", "two ", "three"] { chunks.yield(Data(part.utf8)) }
                    chunks.finish()
                }
            }
            let json = try await outside.echo(.post("/anything", base: outside.httpbin, body: body))
            #expect(json["data"]?.string == "one two three")
            // URLSession counts what it has at once.
            guard outside.transport == .curl else { return }
            #expect(json.value(at: "headers")?["Content-Length"] == nil)
        },
        OutsideCheck("Multipart: fields and a file, with names beyond ASCII") { outside in
            var form = MultipartFormData()
            form.append("Emma", name: "title")
            form.append("ą\r\nę", name: "note")
            form.append(Data("%PDF".utf8), name: "scan", fileName: "książka \"1\".pdf")
            let json = try await outside.echo(.post("/post", base: outside.httpbin, body: try .multipart(form)))
            #expect(json["form"] == ["title": "Emma", "note": "ą\r\nę"])
            #expect(json["files"] == ["scan": "%PDF"])
        },
        OutsideCheck("Multipart: a file of 1 MB from disk") { outside in
            let directory = try outside.directory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appendingPathComponent("scan.txt")
            let text = String(repeating: "0123456789abcde\n", count: 65_536)
            try Data(text.utf8).write(to: file)
            var form = MultipartFormData()
            form.append(file: file, name: "scan")
            let json = try await outside.echo(.post("/post", base: outside.httpbin, body: try .multipart(form)))
            #expect(json.value(at: "files.scan")?.string == text)
        },
        OutsideCheck("A file as the body, with progress") { outside in
            let directory = try outside.directory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appendingPathComponent("large.bin")
            try OutsideContent.large.prefix(500_000).write(to: file)
            let upload = outside.session().upload(.file(file), to: .post("/post", base: outside.httpbin))
            var last: TransferProgress?
            for await progress in upload.progress { last = progress }
            #expect(last == TransferProgress(completed: 500_000, total: 500_000))
            let status = try await upload.response().statusCode
            #expect(status == 200)
        },
        OutsideCheck("A gzipped request") { outside in
            var endpoint = Endpoint(
                .post, "/anything", base: outside.httpbin, body: .text(String(repeating: "ab", count: 5_000)))
            endpoint.headers["X-Marker"] = "gz"
            let response = try await outside.session().send(endpoint, interceptors: [RequestCompression()])
            let json = try JSONValue(parsing: response.data)
            #expect(json.value(at: "headers")?["Content-Encoding"] == "gzip")
            #expect((json.value(at: "headers")?["Content-Length"]?.string.flatMap { Int($0) } ?? 10_000) < 1_000)
        },
    ]
}
