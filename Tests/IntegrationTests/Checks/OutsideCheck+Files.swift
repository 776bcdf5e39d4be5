import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    private static func transfers(_ directory: URL) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.transferDirectory = directory.appendingPathComponent("transfers")
        return configuration
    }

    /// nginx's files.
    static let files: [OutsideCheck] = [
        OutsideCheck("A file, whole") { outside in
            let response = try await outside.response(.get("/text.txt", base: outside.nginx))
            #expect(response.data == OutsideContent.text)
            #expect(response.headers["Content-Type"]?.hasPrefix("text/plain") == true)
        },
        OutsideCheck("A file that nginx compresses") { outside in
            let response = try await outside.response(.get("/packed/text.txt", base: outside.nginx))
            #expect(response.data == OutsideContent.text)
        },
        OutsideCheck("The head of a file") { outside in
            let response = try await outside.response(.head("/large.bin", base: outside.nginx))
            #expect(response.headers["Content-Length"] == "3000000")
            #expect(response.headers["Accept-Ranges"] == "bytes")
            #expect(response.data.isEmpty)
        },
        OutsideCheck("A part of a file, and one that is not there") { outside in
            let part = try await outside.response(
                .get("/large.bin", base: outside.nginx, headers: ["Range": "bytes=-5"]))
            #expect(part.statusCode == 206)
            #expect(part.data == OutsideContent.large.suffix(5))
            let beyond = try await outside.response(
                .get("/large.bin", base: outside.nginx, headers: ["Range": "bytes=3000000-"]))
            #expect(beyond.statusCode == 416)
        },
        OutsideCheck("nginx's validators") { outside in
            let first = try await outside.response(.get("/text.txt", base: outside.nginx))
            let tag = try #require(first.headers["ETag"])
            let date = try #require(first.headers["Last-Modified"])
            for field in [("If-None-Match", tag), ("If-Modified-Since", date)] {
                var headers = HTTPHeaders()
                headers[field.0] = field.1
                let again = try await outside.response(.get("/text.txt", base: outside.nginx, headers: headers))
                #expect(again.statusCode == 304)
            }
        },
        OutsideCheck("More than nginx takes: 413") { outside in
            let response = try await outside.response(
                .post("/small", base: outside.nginx, body: .text("more than ten bytes")))
            #expect(response.statusCode == 413)
        },
        OutsideCheck("A method nginx's files don't know: 405") { outside in
            let status = try await outside.response(.post("/text.txt", base: outside.nginx)).statusCode
            #expect(status == 405)
        },
        OutsideCheck("A download with progress") { outside in
            let directory = try outside.directory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appendingPathComponent("large.bin")
            let download = outside.session(transfers(directory)).download(
                .get("/large.bin", base: outside.nginx), to: .file(file))
            var last: TransferProgress?
            for await progress in download.progress { last = progress }
            let place = try await download.file()
            #expect(place == file)
            let answer = try Data(contentsOf: file)
            #expect(answer == OutsideContent.large)
            #expect(last == TransferProgress(completed: 3_000_000, total: 3_000_000))
        },
        OutsideCheck("A download that is stopped goes on where it was") { outside in
            let directory = try outside.directory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appendingPathComponent("large.bin")
            let session = outside.session(transfers(directory))
            let slow = session.download(.get("/slow/large.bin", base: outside.nginx), to: .file(file))
            for await progress in slow.progress where progress.completed > 100_000 { slow.cancel() }
            await #expect(throws: HTTPError.self) { try await slow.file() }
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let again = session.download(.get("/slow/large.bin", base: outside.nginx), to: .file(file))
            _ = try await again.file()
            let resent = try await again.response().request.headers["Range"]?.hasPrefix("bytes=")
            #expect(resent == true)
            let answer = try Data(contentsOf: file)
            #expect(answer == OutsideContent.large)
        },
        OutsideCheck("A missing file leaves none") { outside in
            let directory = try outside.directory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appendingPathComponent("none")
            let download = outside.session(transfers(directory)).download(
                .get("/none", base: outside.nginx), to: .file(file))
            await #expect(throws: HTTPError.self) { try await download.file() }
            #expect(!FileManager.default.fileExists(atPath: file.path))
        },
    ]
}
