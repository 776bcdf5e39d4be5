import Foundation

/// Answers requests from files, in the place of a server: the path of the request is the path of the file in a
/// directory. Nothing reaches the network.
///
/// A path without such a file is looked for with `.json` after it. The query and the method don't matter. A path can't
/// leave the directory, by dot segments, escapes or symbolic links.
struct FixtureInterceptor: Interceptor {
    /// A base for the requests' URLs: the pipeline takes only `http`. Names under `.invalid` never resolve (RFC 6761,
    /// section 6.4).
    static let base = "http://fixtures.invalid"

    /// The directory, or a single file for the empty path.
    let root: URL

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let file = try FixtureInterceptor.file(for: exchange.request.url, in: root)
        let content: Data
        do {
            content = try Data(contentsOf: file)
        } catch {
            throw HTTPError.file(FileFailure(url: file, operation: .read, reason: error.localizedDescription))
        }
        return HTTPResponse(
            request: exchange.request, statusCode: 200,
            headers: [.contentType(MIMEType.of(fileName: file.lastPathComponent))], body: .data(content))
    }

    /// The file that answers a URL.
    static func file(for url: URL, in root: URL) throws(HTTPError) -> URL {
        var place = root
        for segment in url.path(percentEncoded: true).split(separator: "/") {
            guard let name = segment.removingPercentEncoding, name != ".", name != "..",
                !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
            else {
                throw .file(
                    FileFailure(url: url, operation: .read, reason: "\"\(segment)\" can't be the name of a fixture"))
            }
            place.appendPathComponent(name, isDirectory: false)
        }
        let candidates = [place, place.appendingPathExtension("json")]
        guard let found = candidates.first(where: isRegularFile) else {
            throw .file(
                FileFailure(
                    url: place, operation: .read, reason: "there is no such fixture, with or without .json after it"))
        }
        let inside = found.resolvingSymlinksInPath().standardizedFileURL.pathComponents
        guard inside.starts(with: root.resolvingSymlinksInPath().standardizedFileURL.pathComponents) else {
            throw .file(FileFailure(url: found, operation: .read, reason: "it is outside the fixture directory"))
        }
        return found
    }

    private static func isRegularFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }
}
