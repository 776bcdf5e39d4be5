import Foundation
import TestSupport
import Testing

/// Every code sample of the documentation compiles as it stands, without a warning.
@Suite(.enabled(if: SampleCompiler.isAvailable)) struct ArticleSampleTests {
    @Test(arguments: Article.all) func `The samples of an article compile`(_ article: Article) async throws {
        let complaints = try await HeavyWork.run { () throws -> [String] in
            guard let source = try article.source() else { return [] }
            let compiler = try #require(try SampleCompiler(), "the modules are not where this test was built")
            defer { compiler.cleanUp() }
            let file = try compiler.write(source, as: "Samples")
            return try compiler.complaints(about: [file] + (article.prelude.map { [$0] } ?? []))
        }
        for complaint in complaints { Issue.record(Comment(rawValue: complaint)) }
    }

    @Test func `No page is overlooked`() throws {
        let pages = Set(Article.all.map(\.testDescription))
        #expect(pages.isSuperset(of: ["README/README", "TrunklineHTTP/ManagingLoad", "Trunkline/APIManagers"]))
    }

    @Test func `A mistake in a sample is found at its line`() async throws {
        let markdown = "# Page\n\n```swift\nstruct A { let a: Int }\n\nlet b = A(a: 1)\nprint(b.c)\n```\n"
        let complaints = try await HeavyWork.run { () throws -> [String] in
            var writer = SampleWriter(path: "/page.md")
            for sample in ArticleSample.all(in: markdown) { writer.add(sample) }
            let compiler = try #require(try SampleCompiler())
            defer { compiler.cleanUp() }
            return try compiler.complaints(about: [try compiler.write(writer.text, as: "Samples")])
        }
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("/page.md:7:") == true)
    }

    @Test func `Blocks are taken apart into declarations and statements`() throws {
        let markdown = """
            ```swift
            // What it is.
            @MainActor
            final class A
            {
                let a = 1
            }
            let b = A()
                .a
            ```

            ```sh
            ```swift
            ```
            """
        let samples = ArticleSample.all(in: markdown)
        #expect(samples.count == 1)
        let pieces = try #require(samples.first).pieces
        #expect(pieces.map(\.line) == [2, 8])
        #expect(pieces.map(\.isDeclaration) == [true, false])
        #expect(pieces.map(\.declaredName) == ["A", nil])
        #expect(pieces.last?.lines == ["let b = A()", "    .a"])
    }
}
