import Testing

@testable import TrunklineHTTP

@Suite("News for any number of readers")
struct BroadcastTests {
    @Test("Each reader hears its first, then all that is sent, in order, to the end")
    func order() async {
        let feed = Broadcast<Int>(.unbounded)
        let (one, two) = (feed.stream(from: 0), feed.stream())
        for number in 1...100 { feed.send(number) }
        feed.finish()
        feed.send(101)
        #expect(await one.reduce(into: []) { $0.append($1) } == Array(0...100))
        #expect(await two.reduce(into: []) { $0.append($1) } == Array(1...100))
        // One that comes late gets its first, and the end.
        #expect(await feed.stream(from: 7).reduce(into: []) { $0.append($1) } == [7])
        #expect(feed.readerCount == 0)
    }

    @Test("One that is behind keeps the newest, one that leaves is let go, and the end of the feed ends the rest")
    func readers() async {
        var feed: Broadcast<Int>? = Broadcast(.bufferingNewest(2))
        let slow = feed?.stream()
        do {
            let leaving = feed?.stream()
            #expect(feed?.readerCount == 2 && leaving != nil)
        }
        #expect(await eventually { feed?.readerCount == 1 })
        for number in 1...5 { feed?.send(number) }
        feed = nil
        #expect(await slow?.reduce(into: []) { $0.append($1) } == [4, 5])
    }
}
