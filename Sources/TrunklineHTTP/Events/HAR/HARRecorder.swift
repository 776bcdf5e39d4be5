import Foundation

/// Records a session's exchanges into a HAR file, as browsers' network panels read it: set it in
/// ``SessionConfiguration/eventMonitors``.
///
/// ```swift
/// let recorder = try HARRecorder(to: file)
/// configuration.eventMonitors = [recorder]
/// …
/// try recorder.finish()
/// ```
///
/// - Every request that goes out is an entry, also a redirect's hop, a retry and a failure; so is an answer from the cache.
///   They stand in the order they ended in.
/// - What is secret is masked (``Redaction/standard``). Content that is no text is kept as base64 and can't be searched
///   for secrets.
/// - The file is written entry by entry and is valid after each; ``HARFile/init(contentsOf:)`` reads what there is of one
///   whose process was killed within a write. It is readable for its owner alone.
/// - At ``maximumFileBytes`` the older half of the entries is dropped, and the file says how many were; an entry that is
///   larger than that by itself is not kept.
///
/// All members may be used from any thread. Files are written on a queue of the recorder's own.
public final class HARRecorder: EventMonitor {
    private struct Key: Hashable, Sendable {
        let id: RequestID
        let attempt: Int
    }

    private struct State: Sendable {
        /// When what is under way began: attempts by number, the whole exchange as 0.
        var starts: [Key: (date: Date, time: ContinuousClock.Instant)] = [:]
        var decisions: [RequestID: CacheEvent] = [:]
        var waiting = 0
        var dropped = 0
        var isFinished = false
    }

    /// How many entries wait to be written at most; more are dropped.
    private static let mostWaiting = 2000

    /// The file.
    public let file: URL
    /// The most bytes of each content that are kept.
    public let maximumBodyBytes: Int
    /// The most bytes of the file; nil for no limit.
    public let maximumFileBytes: Int64?

    private let builder: HARBuilder
    private let writer: Protected<HARWriter>
    private let state = Protected(State())
    private let queue = DispatchQueue(label: "trunkline-har", qos: .utility)

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - file: where it is written; what was there is replaced, unless `appends`.
    ///   - appends: whether the entries of a HAR file that is there already are kept.
    ///   - redaction: what is masked; by default credentials. ``Redaction/none`` shows everything.
    ///   - maximumBodyBytes: the most bytes of each content; by default 1 MB. Of content that is streamed or goes into a
    ///     file no more than 1 MB is kept.
    ///   - maximumFileBytes: the most bytes of the file; by default 50 MB. Nil for no limit.
    /// - Throws: ``HTTPError/file(_:)`` when the file can't be written, ``HTTPError/decoding(_:)`` when it is to be gone on
    ///   with and is no HAR file.
    public init(
        to file: URL, appends: Bool = false, redaction: Redaction = .standard, maximumBodyBytes: Int = 1 << 20,
        maximumFileBytes: Int64? = 50 << 20
    ) throws(HTTPError) {
        self.file = file
        self.maximumBodyBytes = max(0, maximumBodyBytes)
        self.maximumFileBytes = maximumFileBytes.map { max(0, $0) }
        builder = HARBuilder(redaction: redaction, maximumBodyBytes: maximumBodyBytes)
        var entries: [HAREntry] = []
        if appends, FileManager.default.fileExists(atPath: file.path) {
            entries = try HARFile(contentsOf: file).log.entries
        }
        writer = Protected(try HARWriter(file, entries: entries, limit: self.maximumFileBytes))
    }

    /// Streamed content too.
    public var details: EventDetails { .content }

    /// How many entries the file has; those on their way are not among them.
    public var entryCount: Int { writer.withLock { $0.count } }

    /// How many entries were dropped for want of room, in the file or on the way to it.
    public var droppedEntries: Int { writer.withLock { $0.dropped } + state.withLock { $0.dropped } }

    /// What the file could not be written for, where that happened; nothing is written any more then.
    public var failure: HTTPError? { writer.withLock { $0.failure } }

    public func receive(_ event: Event) {
        let id = event.id
        switch event.kind {
        case .exchangeStarted:
            note(Key(id: id, attempt: 0), event)
        case .attemptStarted(let attempt):
            note(Key(id: id, attempt: attempt.number), event)
        case .cache(let decision):
            if decision != .stored { state.withLock { $0.decisions[id] = decision } }
        case .attemptEnded(let attempt, let end):
            guard let (start, elapsed) = take(Key(id: id, attempt: attempt.number), event) else { return }
            let cache = state.withLock { $0.decisions[id] }
            write { builder in
                builder.entry(attempt, end, of: id, start: start, elapsed: elapsed, cache: cache)
            }
        case .exchangeEnded(let outcome):
            guard let (start, elapsed) = take(Key(id: id, attempt: 0), event), case .success(let response) = outcome,
                case .cache = response.source
            else { return }
            let cache = state.withLock { $0.decisions[id] }
            write { $0.cached(response, of: id, start: start, elapsed: elapsed, cache: cache) }
        case .completed:
            state.withLock { state in
                state.decisions[id] = nil
                state.starts[Key(id: id, attempt: 0)] = nil
            }
        default:
            break
        }
    }

    /// Waits until everything is written, and closes the file. What ends later is not recorded. Blocks; without effect the
    /// second time.
    ///
    /// - Throws: ``HTTPError/file(_:)`` when the file could not be written.
    public func finish() throws(HTTPError) {
        state.withLock { $0.isFinished = true }
        queue.sync {}
        let failure = writer.withLock { writer in
            writer.close()
            return writer.failure
        }
        if let failure { throw failure }
    }

    /// Waits until everything that has ended is written. Blocks.
    public func flush() { queue.sync {} }

    private func note(_ key: Key, _ event: Event) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.starts[key] = (event.date, event.time)
        }
    }

    private func take(_ key: Key, _ event: Event) -> (Date, Duration)? {
        state.withLock { $0.starts.removeValue(forKey: key) }.map { ($0.date, event.time - $0.time) }
    }

    private func write(_ entry: @escaping @Sendable (HARBuilder) -> HAREntry) {
        let mayWait = state.withLock { state in
            guard !state.isFinished else { return false }
            guard state.waiting < HARRecorder.mostWaiting else {
                state.dropped += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard mayWait else { return }
        queue.async { [self] in
            let entry = entry(builder)
            writer.withLock { $0.append(entry) }
            state.withLock { $0.waiting -= 1 }
        }
    }
}
