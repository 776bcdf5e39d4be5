import Foundation
import TrunklineHTTP

/// The exchanges of a cassette: what was read, what was used of it, what was recorded.
final class CassetteStore: Sendable {
    private struct State {
        /// By the order in which the exchanges began.
        var entries: [Int: HAREntry] = [:]
        var used: Set<Int> = []
        var lastSlot = 0
        var version = 0

        var inOrder: [(slot: Int, entry: HAREntry)] {
            entries.sorted { $0.key < $1.key }.map { (slot: $0.key, entry: $0.value) }
        }
    }

    let url: URL
    private let state: Protected<State>
    /// The version that is on the disk; held while it is written.
    private let written = Protected(0)

    init(url: URL, entries: [HAREntry]) {
        self.url = url
        var state = State()
        for entry in entries {
            state.lastSlot += 1
            state.entries[state.lastSlot] = entry
        }
        self.state = Protected(state)
    }

    /// Reads a file; nil when there is none.
    static func entries(of url: URL) throws(CassetteError) -> [HAREntry]? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let file: HARFile
        do {
            // Not the reading that makes do with half a file.
            file = try HARFile(parsing: try Data(contentsOf: url))
        } catch {
            throw .damaged(url, reason: HTTPError(error).description)
        }
        for (index, entry) in file.log.entries.enumerated() {
            let place = "The exchange \(index + 1), \(entry.request.method) \(entry.request.url),"
            guard entry.response.content.data != nil, entry.request.postData.map({ $0.data != nil }) ?? true else {
                throw .damaged(url, reason: "\(place) has content that is not the base64 it says it is.")
            }
            guard (100...599).contains(entry.response.status) || entry.response.failure != nil else {
                throw .damaged(url, reason: "\(place) has the status \(entry.response.status).")
            }
            if entry.response.failure == nil, URL(string: entry.request.url) == nil {
                throw .damaged(url, reason: "\(place) has no URL.")
            }
        }
        return file.log.entries
    }

    var entries: [HAREntry] { state.withLock { $0.inOrder.map(\.entry) } }

    var unusedCount: Int { state.withLock { $0.entries.count - $0.used.count } }

    /// Takes the exchange that answers a request.
    ///
    /// - Throws: ``CassetteError/noMatch(request:nearest:differences:file:)``.
    func take(_ request: HARRequest, _ matching: CassetteMatching) throws(CassetteError) -> HAREntry {
        let outcome = state.withLock { state -> Result<HAREntry, CassetteError> in
            let all = state.inOrder
            let unused = all.filter { !state.used.contains($0.slot) }
            let candidates = matching.order == .recorded ? Array(unused.prefix(1)) : unused
            let ranked = candidates.map {
                (slot: $0.slot, entry: $0.entry, matching.differences(request, $0.entry.request))
            }
            if let found = ranked.first(where: { $0.2.isEmpty }) {
                state.used.insert(found.slot)
                return .success(found.entry)
            }
            if matching.repeats,
                let again = all.last(where: {
                    state.used.contains($0.slot) && matching.differences(request, $0.entry.request).isEmpty
                })
            {
                return .success(again.entry)
            }
            let nearest = ranked.min { $0.2.count < $1.2.count }
            return .failure(
                .noMatch(
                    request: "\(request.method) \(request.url)",
                    nearest: nearest.map { "\($0.entry.request.method) \($0.entry.request.url)" },
                    differences: nearest?.2 ?? [], file: url))
        }
        return try outcome.get()
    }

    /// A place for an exchange that begins.
    func reserve() -> Int {
        state.withLock { state in
            state.lastSlot += 1
            return state.lastSlot
        }
    }

    /// Puts an exchange into its place, and the whole into the file.
    func put(_ entry: HAREntry, at slot: Int) throws(CassetteError) {
        state.withLock { state in
            state.entries[slot] = entry
            // What was recorded now is not there to be replayed by this run.
            state.used.insert(slot)
            state.version += 1
        }
        try write()
    }

    /// Writes the file: whole, or not at all.
    private func write() throws(CassetteError) {
        let reason = written.withLock { written -> String? in
            let (version, entries) = state.withLock { ($0.version, $0.inOrder.map(\.entry)) }
            guard version > written else { return nil }
            do {
                let data = try HARFile(log: HARLog(entries: entries)).data()
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: url, options: .atomic)
                written = version
                return nil
            } catch {
                return (error as? HTTPError)?.description ?? error.localizedDescription
            }
        }
        if let reason { throw .notWritten(url, reason: reason) }
    }
}
