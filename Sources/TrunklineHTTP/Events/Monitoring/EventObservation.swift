/// What watches the requests of a session, made once for the session; nil where nothing does.
struct EventObservation: Sendable {
    let monitors: [any EventMonitor]
    let details: EventDetails
    let tracing: TracePropagation?

    init?(_ configuration: SessionConfiguration) {
        guard configuration.isObserved else { return nil }
        monitors = configuration.eventMonitors
        details = monitors.reduce(into: EventDetails()) { $0.formUnion($1.details) }
        tracing = configuration.tracing
    }

    /// Begins with a request. Called where the request is made, so that the caller's own trace is found.
    func reporter(for id: RequestID, _ request: HTTPRequest?) -> EventReporter {
        let reporter = EventReporter(id: id, observation: self, request: request)
        reporter.send(.created(request))
        return reporter
    }
}

extension SessionConfiguration {
    /// Whether the stages that tell of events, and the values they tell, are wanted at all.
    var isObserved: Bool { !eventMonitors.isEmpty || tracing != nil }

    /// Whether a monitor asks for the way through the stages.
    var watchesStages: Bool { eventMonitors.contains { $0.details.contains(.stages) } }
}
