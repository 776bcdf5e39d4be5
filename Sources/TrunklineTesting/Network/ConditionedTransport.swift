import Foundation
import TrunklineHTTP

/// Any transport behind a network of given quality.
///
/// ```swift
/// let network = ConditionedTransport(stubs, conditions: .poor, clock: clock, seed: 7)
/// let session = SessionManager(transport: network)
/// network.conditions.isOffline = true   // requests in flight lose their connection, later ones are `.offline`
/// ```
///
/// What is random comes from the seed: three numbers an exchange, in the order the exchanges begin, so that a run whose
/// requests come in the same order meets the same network. A pause longer than the request's `Timeouts.idle` ends it with
/// `HTTPError.timedOut(_:)`, as a real transport's would.
///
/// All members may be used from any thread.
public final class ConditionedTransport: Transport {
    /// What an exchange meets, drawn at its beginning.
    private struct Luck {
        enum Loss { case none, request, answer }
        var jitter: Double
        var loss: Loss

        init(_ random: inout SplitMix, _ conditions: NetworkConditions) {
            let (jitter, chance, side) = (random.fraction(), random.fraction(), random.fraction())
            self.jitter = jitter
            loss = chance < conditions.lossRate ? (side < 0.5 ? .request : .answer) : .none
        }
    }

    private struct State {
        var conditions: NetworkConditions
        var random: SplitMix
        var lastID = 0
        /// What ends the exchanges in flight.
        var inFlight: [Int: @Sendable () -> Void] = [:]
        /// Counts how often the network went away.
        var outages = 0
    }

    private let base: any Transport
    private let clock: any Clock<Duration>
    private let state: Protected<State>

    /// Puts a network in front of a transport.
    ///
    /// - Parameters:
    ///   - base: what sends the requests.
    ///   - conditions: the network's quality at the beginning.
    ///   - clock: what pauses run on.
    ///   - seed: what random numbers are made from.
    public init(
        _ base: any Transport, conditions: NetworkConditions = .perfect,
        clock: any Clock<Duration> = ContinuousClock(), seed: UInt64 = 0
    ) {
        self.base = base
        self.clock = clock
        state = Protected(State(conditions: conditions, random: SplitMix(seed: seed)))
    }

    /// The network's quality. A change holds for requests that begin after it and, of those in flight, for what is still
    /// to be waited for at the next piece of a stream; going offline ends all of them with
    /// `HTTPError.connectionLost(_:)`.
    public var conditions: NetworkConditions {
        get { state.withLock { $0.conditions } }
        set {
            let ended = state.withLock { state in
                let goesAway = newValue.isOffline && !state.conditions.isOffline
                state.conditions = newValue
                guard goesAway else { return [@Sendable () -> Void]() }
                state.outages += 1
                return Array(state.inFlight.values)
            }
            for end in ended { end() }
        }
    }

    /// The transport's, whatever the network.
    public var capabilities: TransportCapabilities { base.capabilities }

    /// Invalidates the transport behind it.
    public func invalidate() { base.invalidate() }

    public func send(_ exchange: Exchange) async throws -> HTTPResponse {
        try await underConditions { [self] conditions, luck in
            let timer = ElapsedTimer(clock)
            let idle = exchange.timeouts.idle
            try await timer.wait(until: .zero, idle: idle)
            var exchange = exchange
            if let rate = conditions.uploadBytesPerSecond {
                try await slowUpload(&exchange, rate: max(1, rate), timer)
            }
            let latency = ConditionedTransport.latency(conditions, luck)
            let arrival = timer.elapsed + latency
            if luck.loss == .request {
                try await timer.wait(until: arrival, idle: idle)
                throw ConditionedTransport.loss(.beforeResponse, "the request was lost on its way")
            }
            let response = try await base.send(exchange)
            try await timer.wait(until: arrival, idle: idle)
            if luck.loss == .answer {
                ConditionedTransport.discard(response)
                throw ConditionedTransport.loss(.beforeResponse, "the answer was lost on its way")
            }
            return try await slowDownload(response, idle: idle)
        }
    }

    public func openWebSocket(_ exchange: Exchange, options: WebSocketOptions) async throws -> WebSocketAnswer {
        try await underConditions { [self] conditions, luck in
            let timer = ElapsedTimer(clock)
            try await timer.wait(until: ConditionedTransport.latency(conditions, luck), idle: exchange.timeouts.idle)
            guard luck.loss == .none else {
                throw ConditionedTransport.loss(.beforeResponse, "the handshake was lost on its way")
            }
            return try await base.openWebSocket(exchange, options: options)
        }
    }

    // MARK: - One exchange

    /// Runs an exchange in a task of its own, which the loss of the network ends.
    private func underConditions<Value: Sendable>(
        _ work: @escaping @Sendable (NetworkConditions, Luck) async throws -> Value
    ) async throws -> Value {
        let (id, conditions, luck) = state.withLock { state in
            state.lastID += 1
            return (state.lastID, state.conditions, Luck(&state.random, state.conditions))
        }
        guard !conditions.isOffline else { throw HTTPError.offline }
        let wentAway = Protected(false)
        let task = Task { try await work(conditions, luck) }
        let isLate = state.withLock { state in
            if state.conditions.isOffline { return true }
            state.inFlight[id] = {
                wentAway.withLock { $0 = true }
                task.cancel()
            }
            return false
        }
        if isLate {
            wentAway.withLock { $0 = true }
            task.cancel()
        }
        defer { state.withLock { _ = $0.inFlight.removeValue(forKey: id) } }
        do {
            let value = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            return value
        } catch {
            if wentAway.current, !Task.isCancelled {
                throw ConditionedTransport.loss(.beforeResponse, "the network went away")
            }
            throw HTTPError(error)
        }
    }

    private static func latency(_ conditions: NetworkConditions, _ luck: Luck) -> Duration {
        max(.zero, conditions.latency) + max(.zero, conditions.jitter) * luck.jitter
    }

    private static func loss(_ stage: ConnectionLoss.Stage, _ reason: String) -> HTTPError {
        .connectionLost(ConnectionLoss(stage: stage, reason: reason))
    }

    /// What nobody will get must not stay behind.
    private static func discard(_ response: HTTPResponse) {
        if case .file(let url) = response.body { try? FileManager.default.removeItem(at: url) }
    }

    private func slowUpload(_ exchange: inout Exchange, rate: Int, _ timer: ElapsedTimer) async throws {
        guard let body = exchange.request.body else { return }
        let idle = exchange.timeouts.idle
        guard case .stream(let length, let isReplayable, let make) = body.source else {
            // Bytes leave all the time: no single pause is as long as the whole.
            let time = Duration.seconds(Double(body.contentLength ?? 0) / Double(rate))
            return try await timer.wait(until: time, idle: nil)
        }
        let paced: @Sendable () throws -> RequestBody.Chunks = {
            let source = try make()
            return PacedChunks.make(source, timer: timer, idle: idle) { rate }
        }
        exchange.request.body = RequestBody(
            source: .stream(length: length, replayable: isReplayable, make: paced), contentType: body.contentType)
    }

    private func slowDownload(_ response: HTTPResponse, idle: Duration?) async throws -> HTTPResponse {
        let timer = ElapsedTimer(clock)
        let size: Int64
        switch response.body {
        case .data(let data): size = Int64(data.count)
        case .file(let url):
            let facts = try? FileManager.default.attributesOfItem(atPath: url.path)
            size = (facts?[.size] as? NSNumber)?.int64Value ?? 0
        case .stream(let chunks):
            var response = response
            let outages = state.withLock { $0.outages }
            let paced = PacedChunks.make(chunks, timer: timer, idle: idle) { [state] in
                let (now, rate) = state.withLock { ($0.outages, $0.conditions.downloadBytesPerSecond) }
                guard now == outages else {
                    throw ConditionedTransport.loss(.duringBody, "the network went away")
                }
                return rate
            }
            response.body = .stream(paced)
            return response
        }
        guard let rate = conditions.downloadBytesPerSecond else { return response }
        do {
            try await timer.wait(until: .seconds(Double(size) / Double(max(1, rate))), idle: nil)
        } catch {
            ConditionedTransport.discard(response)
            throw error
        }
        return response
    }
}
