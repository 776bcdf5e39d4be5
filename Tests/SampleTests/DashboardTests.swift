import Foundation
import Testing

@Suite("The Dashboard sample, as a user runs it")
struct DashboardTests {
    @Test("A batch: progress of the whole, a typed value for each part, and a gap for the one that fails")
    func frontPage() async throws {
        let run = try await SampleRun("Dashboard")
        #expect(run.exitStatus == 0)
        #expect(run.complaints == "")
        #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " })
        #expect(!run.output.contains("\u{1B}"))
        #expect(
            run.part("The front page, all parts at once") == [
                "The front page, all parts at once",
                "1 of 4 parts have ended",
                "2 of 4 parts have ended",
                "3 of 4 parts have ended",
                "4 of 4 parts have ended",
                "Part      What is shown",
                "Profile   Good morning, Ada",
                "Weather   Lisbon: clear, 21 °C",
                "News      Tram 28 runs again; A good year for sardines",
                "Stocks    not there: The exchange is closed until Monday.",
            ])
    }

    @Test("A graph: one part fails, what needs it is not loaded, the others come")
    func shop() async throws {
        let run = try await SampleRun("Dashboard")
        #expect(
            run.part("The shop, each part as soon as it can be") == [
                "The shop, each part as soon as it can be",
                "Part             What is shown",
                "profile          Ada",
                "catalogue        4 products for the autumn",
                "orders           Teapot, Lamp",
                "friends          not there: Nobody can be found today.",
                "gifts            not there: friends could not be loaded.",
                "recommendations  Tea, Blanket",
            ])
    }

    @Test("The timeline: parts that don't need each other at once, the others after what they need")
    func timeline() async throws {
        let run = try await SampleRun("Dashboard")
        let heading = "Part             Needs              When it was loaded"
        let lines = run.part(heading)
        #expect(
            lines.map { String($0.prefix(36)).trimmingCharacters(in: .whitespaces.union(["#"])) } == [
                "Part             Needs",
                "profile",
                "catalogue",
                "orders           profile",
                "friends          profile",
                "gifts            friends",
                "recommendations  orders, catalogue",
                "At the busiest moment 3 parts were l",
            ])
        // Where each bar begins and ends; gifts, which was not loaded, has none.
        let bars = lines.dropFirst().prefix(6).map { line in
            let bar = line.dropFirst(36)
            let begin = bar.prefix { $0 == " " }.count
            return begin..<max(begin, bar.count)
        }
        try #require(bars.count == 6)
        let (profile, catalogue, orders, friends, gifts, recommendations) =
            (bars[0], bars[1], bars[2], bars[3], bars[4], bars[5])
        #expect(gifts.isEmpty)
        #expect([profile, catalogue, orders, friends, recommendations].allSatisfy { !$0.isEmpty })
        #expect(min(profile.lowerBound, catalogue.lowerBound) == 0)
        // The server answers catalogue when it was asked for all three.
        #expect(orders.lowerBound <= catalogue.upperBound && friends.lowerBound <= catalogue.upperBound)
        #expect(orders.lowerBound >= profile.lowerBound && friends.lowerBound >= profile.lowerBound)
        #expect(recommendations.lowerBound >= max(orders.lowerBound, catalogue.lowerBound))
        #expect(recommendations.upperBound == bars.map(\.upperBound).max())
        #expect(lines.last == "At the busiest moment 3 parts were loaded at once")
    }

    @Test("A cancel ends every part, once, and gives up what is under way")
    func leaving() async throws {
        let run = try await SampleRun("Dashboard")
        #expect(
            run.part("The shop, left before it was there") == [
                "The shop, left before it was there",
                "The completion hears, once: cancelled",
                "Part             What is shown",
                "profile          not there: cancelled",
                "catalogue        not there: cancelled",
                "orders           not there: cancelled",
                "friends          not there: cancelled",
                "gifts            not there: cancelled",
                "recommendations  not there: cancelled",
            ])
        #expect(run.lines.suffix(2) == ["Under way when it was left, and given up: /v1/catalogue, /v1/profile", ""])
        // Nothing is held back for longer than the sample says.
        #expect(run.took < .seconds(30))
    }

    @Test("--help explains, and a wrong option is said on standard error with exit status 64")
    func options() async throws {
        for option in ["--help", "-h"] {
            let run = try await SampleRun("Dashboard", [option])
            #expect(run.exitStatus == 0 && run.complaints == "")
            #expect(run.lines.first == "Usage: swift run Dashboard")
            #expect(run.lines.allSatisfy { $0.count <= 80 })
        }
        for option in ["--pages", "help", ""] {
            let run = try await SampleRun("Dashboard", [option])
            #expect(run.exitStatus == 64 && run.output == "")
            #expect(run.complaints == "Dashboard: there is no option \"\(option)\". Try --help.\n")
        }
    }
}
