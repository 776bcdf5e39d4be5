import Foundation
import TrunklineHTTP

extension StubAnswer {
    /// The content of a file, read now.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - contentType: the media type; by default by the file's extension.
    ///   - status: the status code.
    ///   - headers: the header fields.
    /// - Throws: ``StubError/fixture(name:reason:)`` when it can't be read, with the names that are beside it.
    public static func file(
        _ url: URL, contentType: String? = nil, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws -> StubAnswer {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            let folder = url.deletingLastPathComponent()
            throw StubError.fixture(
                name: url.lastPathComponent, reason: "there is no file \(url.path)\(neighbours(in: folder))")
        }
        guard !isDirectory.boolValue else {
            throw StubError.fixture(name: url.lastPathComponent, reason: "\(url.path) is a directory")
        }
        do {
            let data = try Data(contentsOf: url)
            let type = contentType ?? MIMEType.of(fileName: url.lastPathComponent)
            return .data(data, contentType: type, status: status, headers: headers)
        } catch {
            throw StubError.fixture(name: url.lastPathComponent, reason: error.localizedDescription)
        }
    }

    /// The content of a resource, read now: `.fixture("items/first.json", in: .module)`.
    ///
    /// - Parameters:
    ///   - name: the file's name, with directories before it where it has some.
    ///   - bundle: the test target's bundle.
    ///   - contentType: the media type; by default by the file's extension.
    ///   - status: the status code.
    ///   - headers: the header fields.
    /// - Throws: ``StubError/fixture(name:reason:)`` when there is none, with where it was looked for.
    public static func fixture(
        _ name: String, in bundle: Bundle, contentType: String? = nil, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws -> StubAnswer {
        let folders = [bundle.resourceURL, bundle.bundleURL].compactMap(\.self)
        for folder in folders {
            let url = folder.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: url.path) {
                return try file(url, contentType: contentType, status: status, headers: headers)
            }
        }
        let places = folders.reduce(into: [String]()) { if !$0.contains($1.path) { $0.append($1.path) } }
        let folder = folders.first?.appendingPathComponent(name).deletingLastPathComponent()
        throw StubError.fixture(
            name: name,
            reason: "it is not in \(places.joined(separator: " or "))\(folder.map { neighbours(in: $0) } ?? ""); "
                + "is it among the resources of the test target?")
    }

    private static func neighbours(in folder: URL) -> String {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return ", and no folder for it"
        }
        let shown = names.sorted().prefix(10).joined(separator: ", ")
        return names.isEmpty ? "; the folder is empty" : "; there is \(shown)\(names.count > 10 ? ", …" : "")"
    }
}
