import Foundation
import Testing
import Trunkline

/// Which page is next, as a function of the answer.
@Suite("Paging strategies")
struct PagingStrategyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var strategy: PagingStrategy
        var at: PageTarget
        var facts: PageFacts
        var next: PageTarget?
        var testDescription: String { name }

        init(_ name: String, _ strategy: PagingStrategy, _ at: PageTarget, _ facts: PageFacts, _ next: PageTarget?) {
            self.name = name
            self.strategy = strategy
            self.at = at
            self.facts = facts
            self.next = next
        }
    }

    private static func facts(
        _ count: Int?, loaded: Int = 0, total: Int? = nil, size: Int = 2, json: JSONValue? = nil,
        link: String? = nil
    ) -> PageFacts {
        PageFacts(
            itemCount: count, pageSize: size, loadedItemCount: loaded, totalCount: total, json: json,
            headers: link.map { ["Link": $0] } ?? [:], url: URL(string: "https://h/api/list?page=1"))
    }

    private static let cursor = PagingStrategy.cursor(path: "meta.next")
    private static func cursor(_ value: JSONValue) -> PageFacts {
        facts(2, json: .object(["meta": .object(["next": value])]))
    }

    private static let letters = PagingStrategy.custom(
        parameters: { token, size in ["from": token ?? "", "n": size] },
        next: { token, facts in facts.itemCount == 0 ? nil : (token ?? "") + "x" })

    @Test(
        "The next page",
        arguments: [
            Case("a full page", .page(), .page(1), facts(2, loaded: 2), .page(2)),
            Case("a short page", .page(), .page(3), facts(1, loaded: 5), nil),
            Case("an empty page", .page(), .page(3), facts(0, loaded: 4), nil),
            Case("an uncounted page", .page(), .page(1), facts(nil, loaded: 2), .page(2)),
            Case("the total reached", .page(), .page(2), facts(2, loaded: 4, total: 4), nil),
            Case("the total passed", .page(), .page(2), facts(2, loaded: 5, total: 4), nil),
            Case("short of the total", .page(), .page(2), facts(1, loaded: 3, total: 4), .page(3)),
            Case("empty, short of the total", .page(), .page(2), facts(0, loaded: 2, total: 4), nil),
            Case("a total of none", .page(), .page(1), facts(2, loaded: 2, total: 0), nil),
            Case("pages from zero", .page(first: 0), .page(0), facts(2, loaded: 2), .page(1)),
            Case("no page after the greatest number", .page(), .page(.max), facts(2), nil),
            Case("an offset", .offset(limit: 2), .offset(0), facts(2, loaded: 2), .offset(2)),
            Case(
                "an offset by what came", .offset(limit: 5), .offset(5), facts(3, loaded: 8, total: 9, size: 5),
                .offset(8)),
            Case("an uncounted offset", .offset(limit: 2), .offset(2), facts(nil, loaded: 4), .offset(4)),
            Case("a short offset", .offset(limit: 2), .offset(2), facts(1, loaded: 3), nil),
            Case("no offset after the greatest", .offset(limit: 2), .offset(.max), facts(2), nil),
            Case("an offset that would stand still", .offset(limit: 0), .offset(2), facts(nil, size: 0), nil),
            Case("a cursor", cursor, .first, cursor("abc"), .token("abc")),
            Case("a cursor that is a number", cursor, .first, cursor(17), .token("17")),
            Case("a cursor beyond Int64", cursor, .first, cursor(.unsigned(.max)), .token("18446744073709551615")),
            Case("a null cursor", cursor, .token("a"), cursor(.null), nil),
            Case("an empty cursor", cursor, .token("a"), cursor(""), nil),
            Case("the same cursor again", cursor, .token("a"), cursor("a"), nil),
            Case("a cursor that is a list", cursor, .first, cursor([1]), nil),
            Case("no cursor", cursor, .first, facts(2, json: [:]), nil),
            Case("no JSON for a cursor", cursor, .first, facts(2), nil),
            Case(
                "a cursor after a short page", cursor, .first,
                {
                    var facts = cursor("b"); facts.itemCount = 1; return facts
                }(), .token("b")),
            Case(
                "a link", .linkHeader, .first, facts(2, link: "<https://h/api/list?page=2>; rel=next"),
                .link("https://h/api/list?page=2")),
            Case(
                "a relative link", .linkHeader, .first, facts(2, link: "<?page=2>; rel=next"),
                .link("https://h/api/list?page=2")),
            Case(
                "a link by path", .linkHeader, .first, facts(2, link: "</b>; rel=\"next last\""), .link("https://h/b")),
            Case("only another link", .linkHeader, .first, facts(2, link: "</b>; rel=prev"), nil),
            Case("a link of something else", .linkHeader, .first, facts(2, link: "</b>; rel=next; anchor=\"#x\""), nil),
            Case("a link to itself", .linkHeader, .first, facts(2, link: "<https://h/api/list?page=1>; rel=next"), nil),
            Case("no link", .linkHeader, .first, facts(2), nil),
            Case("an own token", letters, .first, facts(2), .token("x")),
            Case("a later own token", letters, .token("x"), facts(1), .token("xx")),
            Case("the last own token", letters, .token("x"), facts(0), nil),
        ])
    func next(_ test: Case) {
        #expect(test.strategy.next(after: test.at, given: test.facts) == test.next)
    }

    @Test("Where lists begin")
    func firstTargets() {
        #expect(PagingStrategy.page(first: 0).firstTarget == .page(0))
        #expect(PagingStrategy.offset(limit: 3).firstTarget == .offset(0))
        for strategy in [Self.cursor, .linkHeader, Self.letters] { #expect(strategy.firstTarget == .first) }
    }
}
