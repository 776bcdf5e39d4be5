import TrunklineHTTP

/// A stretch of an exchange's time; milliseconds from its start.
struct Phase: Hashable, Sendable, Encodable {
    enum Kind: String, Hashable, Sendable, Encodable {
        /// Waiting for a turn, for a network, for a credential or before a retry.
        case blocked
        /// Resolving the name.
        case dns
        /// Making the TCP connection.
        case connect
        /// The TLS handshake.
        case tls
        /// Sending, and waiting for the first byte.
        case wait
        /// Receiving the answer.
        case receive
        /// Answered without the network.
        case local
    }

    let kind: Kind
    let from: Double
    let to: Double
}

extension Phase {
    /// Where the time of an exchange went, in order. What is not over yet has no phase.
    static func all(of record: ExchangeRecord) -> [Phase] {
        var phases = record.attempts.flatMap { attempt(of: $0, from: record.start) } + blocked(in: record)
        if record.attempts.isEmpty, let end = record.end, phases.isEmpty {
            let kind: Kind = record.answer == nil ? .blocked : record.isCoalesced ? .wait : .local
            phases = [Phase(kind: kind, from: 0, to: milliseconds(end.time - record.start))]
        }
        return phases.filter { $0.to - $0.from >= 0.005 }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// The phases of one attempt. A transport counts from the attempt's start; figures that contradict the attempt's
    /// own times are cut to them.
    static func attempt(of attempt: AttemptRecord, from zero: ContinuousClock.Instant) -> [Phase] {
        let start = milliseconds(attempt.start - zero)
        let end = attempt.end.map { milliseconds($0.time - zero) }
        let head = attempt.headTime.map { milliseconds($0 - zero) }
        guard let end else { return head.map { [Phase(kind: .wait, from: start, to: $0)] } ?? [] }
        let metrics = attempt.end?.response?.metrics
        var phases: [Phase] = []
        var position = start
        func add(_ kind: Kind, until time: Double) {
            let time = min(max(time, position), end)
            phases.append(Phase(kind: kind, from: position, to: time))
            position = time
        }
        func add(_ kind: Kind, until duration: Duration?) {
            if let duration { add(kind, until: start + milliseconds(duration)) }
        }
        if metrics?.isReusedConnection != true {
            add(.dns, until: metrics?.nameLookup)
            add(.connect, until: metrics?.connect)
            add(.tls, until: metrics?.secureConnect)
        }
        if let firstByte = metrics?.firstByte {
            add(.wait, until: start + milliseconds(firstByte))
            add(.receive, until: end)
        } else if let head {
            add(.wait, until: head)
            add(.receive, until: end)
        } else {
            add(.wait, until: end)
        }
        return phases
    }

    /// The waits of a request, from its notes.
    private static func blocked(in record: ExchangeRecord) -> [Phase] {
        var phases: [Phase] = []
        var open: [String: Double] = [:]
        func end(_ key: String, at time: Double) {
            if let start = open.removeValue(forKey: key) {
                phases.append(Phase(kind: .blocked, from: start, to: time))
            }
        }
        for note in record.notes {
            let time = milliseconds(note.time - record.start)
            switch note.kind {
            case .waitStarted(let reason): open[reason.rawValue] = time
            case .waitEnded(let reason, _): end(reason.rawValue, at: time)
            case .refreshStarted: open["refresh"] = time
            case .refreshEnded: end("refresh", at: time)
            case .suspended: open["suspended"] = time
            case .resumed: end("suspended", at: time)
            case .retryScheduled(_, let delay) where delay > .zero: open["retry"] = time
            case .attemptStarted: end("retry", at: time)
            case .completed: for key in open.keys.sorted() { end(key, at: time) }
            default: break
            }
        }
        return phases
    }

    /// A duration in milliseconds, with microseconds.
    static func milliseconds(_ duration: Duration) -> Double {
        (max(0, duration.seconds) * 1_000_000).rounded() / 1000
    }
}
