import Foundation

/// A durable queue for changes made while offline: requests wait on the disk until the server has accepted them.
///
/// ```swift
/// let outbox = try Outbox(directory: support.appending(path: "Outbox"), session: session)
/// await outbox.start()
/// let ticket = try await outbox.enqueue(.post("https://api.example.com/favourites", json: book), lane: "favourites")
/// waiting.text = "\(await outbox.entries.count) changes waiting"
/// ```
///
/// - A request that ``enqueue(_:lane:)`` has returned a ticket for survives the process and a power failure.
/// - Within a lane, requests go out one at a time in the order they were enqueued, also across processes; lanes go side
///   by side.
/// - Each request carries an `Idempotency-Key`, the same in every attempt and process. A process that is killed between
///   the server's answer and the note of it sends the request again: a server that heeds the key applies it once.
/// - Credentials are never stored: the session's interceptors, or the service, apply them to each attempt.
/// - A damaged file is set aside and reported, and its lane goes on.
/// - A lane that waits after a failure of the network goes on at once when the network is back; one that a server has asked
///   to wait doesn't.
///
/// Work happens on a queue of the outbox's own. Keep the outbox for as long as it is to send.
public actor Outbox {
    private let executor = QueueExecutor(label: "trunkline-outbox", qos: .utility)
    /// The outbox's own queue: waiting for the disk holds no thread of the cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let configuration: OutboxConfiguration
    let sender: OutboxSender
    let reachability: (any OutboxReachability)?
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let jitter: @Sendable () -> Double
    let feed = Broadcast<OutboxEvent>(.unbounded)

    /// Nil once closed, so that the directory is free.
    var store: OutboxStore?
    var queue = OutboxQueue()
    private var nextSequence: UInt64
    var workers: [String: Task<Void, Never>] = [:]
    /// The pauses of lanes that end when the network is back.
    var pauses: [String: Task<Void, Never>] = [:]
    var sending: [UUID: Task<Result<HTTPResponse, OutboxFailure>, Never>] = [:]
    var watcher: Task<Void, Never>?

    /// The files that were damaged and set aside, when the outbox was opened or since.
    public internal(set) var damagedFiles: [URL]

    /// Opens the outbox in a directory, which is made where it is missing. Nothing is sent before ``start()``.
    ///
    /// - Parameters:
    ///   - directory: for this outbox alone; a second one in it is refused.
    ///   - session: sends requests with absolute URLs.
    ///   - configuration: limits and policies.
    ///   - serviceFactory: resolves service identifiers when a request is sent; by default the shared one.
    ///   - reachability: nothing is sent while it says no; by default everything is tried.
    ///   - sealer: encrypts what is kept; by default it is plain, in files of the user alone.
    ///   - clock: measures the waits between attempts.
    ///   - now: the wall clock, for ages.
    ///   - jitter: a number in 0..<1 that spreads the waits of many devices.
    /// - Throws: ``OutboxError``: `.inUse`, `.file`, or `.sealer` when an entry can't be opened.
    public init(
        directory: URL, session: SessionManager = .default, configuration: OutboxConfiguration = OutboxConfiguration(),
        serviceFactory: ServiceFactory? = nil, reachability: (any OutboxReachability)? = nil,
        sealer: (any DataSealer)? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) throws(OutboxError) {
        let store = try OutboxStore(directory: directory, sealer: sealer)
        let contents = try store.load(settingAsideUnsealable: configuration.setsAsideUnsealable)
        self.store = store
        self.configuration = configuration
        self.reachability = reachability
        self.clock = clock
        self.now = now
        self.jitter = jitter
        sender = OutboxSender(session: session, factory: serviceFactory)
        nextSequence = contents.nextSequence
        damagedFiles = contents.damaged
        for (record, attempts) in contents.records {
            queue.add(OutboxQueue.Item(record: record, entry: record.entry(attempts: attempts)))
        }
        queue.isReachable = reachability == nil
    }

    deinit {
        watcher?.cancel()
        for worker in workers.values { worker.cancel() }
        feed.finish()
    }

    // MARK: - What waits

    /// The entries that have not ended, in the order they were enqueued.
    public var entries: [OutboxEntry] { queue.items.map(\.entry) }

    /// What happens from now on. Each call gives a stream of its own, which keeps events until they are read and ends with
    /// the outbox.
    public nonisolated var events: AsyncStream<OutboxEvent> { feed.stream() }

    /// Keeps a request with an absolute URL. When this returns, it is on the disk.
    ///
    /// Method, URL, header fields and body are kept; `RequestOptions` are not. A body in a file is copied, one that is a
    /// stream is read now. An `Idempotency-Key` among the headers is used; otherwise one is made.
    ///
    /// - Parameters:
    ///   - request: an `Endpoint` or any other description of a request, without credentials.
    ///   - lane: requests of one lane keep their order.
    /// - Returns: names the entry, in later processes too.
    /// - Throws: ``OutboxError``; nothing is kept then.
    @discardableResult
    public func enqueue(
        _ request: some RequestConvertible, lane: String = "default"
    ) async throws(OutboxError) -> OutboxTicket {
        try await enqueue(OutboxDraft(request, credentials: configuration.credentialFields), lane: lane)
    }

    /// Keeps a request to a service. Its address, header fields, interceptors, authentication, signing, rules' header fields
    /// and limits, and session are taken for each attempt, so a change of environment or user applies. The service's
    /// parameters are not added.
    ///
    /// - Parameters:
    ///   - endpoint: its URL is the path below the service's address.
    ///   - service: has to be registered when the request is sent.
    ///   - lane: requests of one lane keep their order.
    /// - Returns: names the entry, in later processes too.
    /// - Throws: ``OutboxError``; nothing is kept then.
    @discardableResult
    public func enqueue(
        _ endpoint: Endpoint, service: ServiceIdentifier, lane: String = "default"
    ) async throws(OutboxError) -> OutboxTicket {
        try await enqueue(
            OutboxDraft(endpoint, service: service, credentials: configuration.credentialFields), lane: lane)
    }

    private func enqueue(_ draft: OutboxDraft, lane: String) async throws(OutboxError) -> OutboxTicket {
        let collected = try await Self.collected(draft.body)
        // No suspension from here on: the order of sequence numbers is the order of the calls.
        guard let store else { throw .closed }
        var record = draft.record(sequence: nextSequence, lane: lane, now: now())
        nextSequence += 1
        var data: Data?
        switch collected?.source {
        case .data(let bytes): data = bytes
        case .file(let url, _) where store.sealer == nil:
            record.bodyFile = try store.addBody(url, sequence: record.sequence)
        case .file(let url, _):
            do { data = try Data(contentsOf: url) } catch { throw .file(url.path, reason: "\(error)") }
        case .stream, nil: break
        }
        record.inlineBody = data.map { Int64($0.count) }
        do throws(OutboxError) {
            try store.add(record, body: data)
        } catch {
            // A copied body must not stay without its entry.
            try? store.remove(record.sequence)
            throw error
        }
        let item = OutboxQueue.Item(record: record, entry: record.entry(attempts: 0))
        queue.add(item)
        feed.send(.enqueued(item.entry))
        wake()
        return item.entry.ticket
    }

    /// The body with a stream read to its end.
    private static func collected(_ body: RequestBody?) async throws(OutboxError) -> RequestBody? {
        guard let body, case .stream(_, _, let make) = body.source else { return body }
        var data = Data()
        do {
            for try await chunk in try make() { data.append(chunk) }
        } catch {
            throw .request(reason: "its body can't be read: \(error)")
        }
        return .data(data)
    }
}
