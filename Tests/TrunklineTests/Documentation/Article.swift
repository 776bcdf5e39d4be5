import Foundation
import Testing

/// A page of the documentation whose samples are compiled: the README, or an article of a DocC catalogue.
struct Article: Sendable, CustomTestStringConvertible {
    /// The module it documents, or `README`.
    let module: String
    let file: URL

    var name: String { file.deletingPathExtension().lastPathComponent }
    var testDescription: String { "\(module)/\(name)" }

    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../..").standardizedFileURL

    /// Every page, in order.
    static let all: [Article] = {
        let readme = Article(module: "README", file: repository.appendingPathComponent("README.md"))
        return [readme]
            + catalogues.flatMap { module, catalogue in
                files(in: catalogue, pathExtension: "md").map { Article(module: module, file: $0) }
            }
    }()

    static let catalogues: [(module: String, directory: URL)] = [
        "TrunklineHTTP", "TrunklineTesting", "Trunkline", "TrunklineManagerTesting", "TrunklineInspector",
    ].map { ($0, repository.appendingPathComponent("Sources/\($0)/\($0).docc")) }

    static func files(in directory: URL, pathExtension: String) -> [URL] {
        let found = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == pathExtension }.sorted { $0.path < $1.path }
    }

    /// What the article presupposes, in a file of its own that only the compiler of samples reads: everything in it is
    /// under `#if ARTICLE_SAMPLES`.
    var prelude: URL? {
        let url = Self.repository.appendingPathComponent(
            "Tests/TrunklineTests/Documentation/Preludes/\(module)\(name)+Prelude.swift")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    /// The Swift file made of the article's samples; nil where it has none. Diagnostics of it name the article's lines.
    func source() throws -> String? {
        let samples = ArticleSample.all(in: try String(contentsOf: file, encoding: .utf8))
        guard !samples.isEmpty else { return nil }
        var writer = SampleWriter(path: file.path)
        for sample in samples { writer.add(sample) }
        // The module itself and what it is for; other modules are imported by the samples that need them.
        let imports = ["README", "TrunklineHTTP", "Trunkline"].contains(module) ? [] : ["Trunkline"]
        let own = module == "README" ? [] : ["Foundation", module]
        return (own + imports).map { "import \($0)\n" }.joined() + writer.text
    }
}
