import Testing
import Trunkline

@Suite("Path patterns")
struct PathPatternTests {
    @Test(
        "What matches what",
        arguments: [
            ("/items/new", "/items/new", true), ("items/new", "/items/new/", true), ("/items", "//items", true),
            ("/items", "/Items", false), ("/items", "/items/7", false), ("/items/new", "/items", false),
            ("/items/*", "/items/7", true), ("/items/*", "/items", false), ("/items/*", "/items/7/parts", false),
            ("/*/7", "/items/7", true), ("/*", "/", false), ("/*", "/a", true),
            ("/files/*.json", "/files/a.json", true), ("/files/*.json", "/files/.json", true),
            ("/files/*.json", "/files/a.xml", false), ("/a*b*c", "/a12b34c", true), ("/a*b*c", "/acb", false),
            ("/a*", "/a", true), ("/items/**", "/items", true), ("/items/**", "/items/7/parts/1", true),
            ("/items/**", "/item", false), ("/**/parts", "/items/7/parts", true), ("/**/parts", "/parts", true),
            ("/**/parts/*", "/parts/parts/1", true), ("/**", "/", true), ("**", "/a/b", true),
            ("/a/**/b/**/c", "/a/b/x/b/y/c", true), ("/a/**/b/**/c", "/a/x/c", false),
            ("/items/*", "/items/a%2Fb", true), ("/items/é", "/items/%C3%A9", true), ("/items/*", "/items/%ZZ", true),
            ("/items/*", "/items/7?x=/y/z", true), ("", "/", true), ("", "/a", false), ("/", "", true),
        ])
    func table(pattern: String, path: String, expected: Bool) {
        #expect(PathPattern(pattern).matches(path) == expected)
    }

    @Test("A pattern of many wildcards takes no time")
    func manyWildcards() {
        let stars = String(repeating: "*a", count: 200) + "b"
        #expect(!PathPattern(stars).matches(String(repeating: "a", count: 5_000)))
        let many = String(repeating: "/**/a", count: 200) + "/b"
        #expect(!PathPattern(many).matches(String(repeating: "/a", count: 2_000)))
    }
}
