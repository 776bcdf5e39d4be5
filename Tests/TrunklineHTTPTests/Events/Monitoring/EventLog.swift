import TrunklineHTTP

/// Keeps what it hears.
final class EventLog: EventMonitor {
    let details: EventDetails
    private let events = Collector<Event>()

    init(_ details: EventDetails = []) { self.details = details }

    func receive(_ event: Event) { events.add(event) }

    var all: [Event] { events.all }
    var names: [String] { all.map(\.kind.name) }
    var ids: Set<RequestID> { Set(all.map(\.id)) }

    func of(_ id: RequestID) -> [Event] { all.filter { $0.id == id } }
    func names(of id: RequestID) -> [String] { of(id).map(\.kind.name) }
}

extension [Event] {
    /// What is wrong with the events of one request; empty for nothing.
    var mistakes: [String] {
        var mistakes: [String] = []
        func expect(_ condition: Bool, _ mistake: String) {
            if !condition { mistakes.append("\(mistake): \(map(\.kind.name))") }
        }
        expect(first?.kind.name == "created", "does not begin with created")
        expect(last?.kind.name == "completed", "does not end with completed")
        expect(filter { ["created", "completed"].contains($0.kind.name) }.count == 2, "created or completed twice")
        expect(map(\.number) == Array<Int>(1...Swift.max(1, count)), "numbers out of order")
        expect(zip(self, dropFirst()).allSatisfy { $0.time <= $1.time }, "times out of order")
        for (start, end) in [
            ("attemptStarted", "attemptEnded"), ("exchangeStarted", "exchangeEnded"), ("waitStarted", "waitEnded"),
            ("refreshStarted", "refreshEnded"), ("stageEntered", "stageLeft"),
        ] {
            expect(
                filter { $0.kind.name == start }.count == filter { $0.kind.name == end }.count, "\(start) without end")
        }
        return mistakes
    }
}
