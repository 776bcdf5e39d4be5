import Foundation
import Testing
import Trunkline

@Suite("Link header fields")
struct WebLinkTests {
    @Test(
        "What a line says",
        arguments: [
            (#"<https://h/p?page=2>; rel="next""#, ["https://h/p?page=2|next"]),
            (#"<a>; rel=next, <b>; rel="prev last""#, ["a|next", "b|prev,last"]),
            // Commas and semicolons inside brackets and quotes separate nothing.
            (#"<a?x=1,2;3>; title="one, two; <b>; rel=prev"; rel=next"#, ["a?x=1,2;3|next"]),
            (#"<a> ; REL = "Next" ; rel="prev""#, ["a|next"]),
            (#"<a>; title="say \"hi\", \\"; rel=next"#, ["a|next"]),
            ("<>; rel=next", ["|next"]),
            ("<a>", ["a|"]),
            ("<a>; rel", ["a|"]),
            ("<a>;;rel=next;", ["a|next"]),
            (" , ,<a>;rel=next,", ["a|next"]),
            ("nonsense; rel=next, <b>; rel=next", ["b|next"]),
            (#"nonsense "<x>; rel=next, " , <b>; rel=next"#, ["b|next"]),
            ("<a; rel=next", []), ("", []), ("<", []), (">", []), (#"""#, []), (",", []),
            (#"<a>; rel="next"#, ["a|next"]),
            (#"<a>; rel="next\"#, ["a|next\\"]),
            ("<a> trailing; rel=next, <b>; rel=next", ["a|", "b|next"]),
        ])
    func table(line: String, expected: [String]) {
        #expect(
            WebLink.parse([line]).map { $0.target + "|" + $0.relations.joined(separator: ",") } == expected)
    }

    @Test("Lines are read one after the other, parameters by name in any case")
    func linesAndParameters() {
        let links = WebLink.parse([#"<a>; rel=prev; Title="A""#, "<b>; rel=next; x=y"])
        #expect(links.map(\.target) == ["a", "b"])
        #expect(links.first?["TITLE"] == "A" && links.last?["x"] == "y" && links.last?["z"] == nil)
    }

    @Test("Any text is read to its end")
    func hostileFuzz() {
        var random = SeededRandom(seed: 8288)
        let pieces = ["<", ">", ";", ",", "\"", "\\", "=", " ", "\t", "rel", "next", "a", "é", "\u{0}", "👩‍👩‍👧", "*"]
        for _ in 0..<FuzzRounds.count(full: 40_000) {
            let text = (0..<random.below(30)).map { _ in pieces[random.below(pieces.count)] }.joined()
            let links = WebLink.parse([text])
            #expect(links.count <= text.utf8.filter { $0 == UInt8(ascii: "<") }.count)
        }
    }
}
