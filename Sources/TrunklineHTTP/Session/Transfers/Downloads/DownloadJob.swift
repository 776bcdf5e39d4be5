import Foundation

/// One download from its first attempt to its place: receives every attempt's content, goes on where the one before
/// stopped, and hands the file over when the answer was accepted.
final class DownloadJob: TransferWork {
    private struct State: Sendable {
        var partial: PartialDownload?
        /// The content of an answer that is not what the download goes on with.
        var other: PartialDownload?
        /// The sum of what arrived last, and the file it is of.
        var sum: (DownloadSum, URL)?
        var keepsPartial = true
        var hasEnded = false
        var isOver = false
    }

    private let destination: DownloadDestination
    private let checksum: DownloadChecksum?
    private let directory: TransferDirectory
    /// Nil where nothing is kept.
    private let location: PartialDownload.Location?
    private let state = Protected(State())

    /// - Parameter key: the name the partial content is kept under, nil to keep none.
    init(destination: DownloadDestination, checksum: DownloadChecksum?, directory: TransferDirectory, key: String?) {
        self.destination = destination
        self.checksum = checksum
        self.directory = directory
        location = key.map { directory.download($0) }
    }

    var attemptStage: (any Interceptor)? { self.stage }
    private var stage: DownloadStage { DownloadStage(job: self, resumes: location != nil) }

    // MARK: - The end

    func run(_ exchange: Exchange, pipeline: Next, validation: ResponseValidation) async throws -> HTTPResponse {
        do {
            try checksum?.check()
            let response = try await pipeline(exchange)
            try Task.checkCancellation()
            try validation.validate(response)
            let placed = try await place(response)
            close()
            return placed
        } catch HTTPError.validation(var failure) {
            // A whole content that was refused is not what anybody wants to go on with.
            failure.response = DownloadPlacement.refused(failure.response)
            keepPartial(false)
            close()
            throw HTTPError.validation(failure)
        } catch {
            close()
            throw error
        }
    }

    func requestEnded() {
        state.withLock { $0.hasEnded = true }
    }

    /// Whether the request's outcome is known; its work may be on its last steps.
    var hasEnded: Bool { state.current.hasEnded }

    /// Has the partial content removed at the end, at once where no work has begun.
    func forget() {
        keepPartial(false)
        guard let location, state.withLock({ $0.partial == nil }) else { return }
        if let partial = try? PartialDownload.open(location) { partial.discard() }
    }

    private func keepPartial(_ keeps: Bool) { state.withLock { $0.keepsPartial = keeps } }

    private func place(_ response: HTTPResponse) async throws -> HTTPResponse {
        var response = response
        let file: URL
        let (partial, other) = state.withLock { ($0.partial, $0.other) }
        switch response.body {
        case .file(let url): file = url
        case .data(let data):
            // An interceptor's answer.
            let own = try openUnkept()
            try own.write(data, at: 0)
            file = own.location.content
        case .stream(let chunks):
            // An interceptor's answer, or a cached one.
            let own = try openUnkept()
            var length: Int64 = 0
            for try await chunk in chunks {
                try own.write(chunk, at: length)
                length += Int64(chunk.count)
            }
            file = own.location.content
        }
        do {
            try verify(file, response)
        } catch {
            keepPartial(false)
            throw error
        }
        // The last moment for a cancel to count.
        if hasEnded { throw HTTPError.cancelled }
        let target = try destination.url(for: response)
        let place = try FilePlacing.move(
            file, to: target, conflict: destination.conflict, makesDirectories: destination.makesDirectories)
        for moved in [partial, other] where moved?.location.content == file { moved?.wasMoved() }
        response.body = .file(place)
        return response
    }

    /// Throws unless the content is the one asked for. Its sum is known where it came through the stage.
    private func verify(_ file: URL, _ response: HTTPResponse) throws(HTTPError) {
        guard let checksum else { return }
        if let (sum, summed) = state.withLock({ $0.sum }), summed == file {
            return try sum.verify(checksum, announced: sum.announced)
        }
        var sum = DownloadSum()
        try sum.take(file)
        try sum.verify(checksum, announced: DownloadChecksum.announced(in: response.headers, isWhole: true))
    }

    /// Lets go of the files: what can be gone on with stays, unless the caller doesn't want it.
    private func close() {
        let (partial, other, keeps) = state.withLock { state in
            defer { (state.partial, state.other, state.isOver) = (nil, nil, true) }
            return (state.partial, state.other, state.keepsPartial)
        }
        other?.discard()
        if let partial {
            if !keeps || !partial.isWorthKeeping { partial.discard() }
            partial.release()
            PartialHolders.leave(partial.location)
        }
    }

    // MARK: - For the stage

    /// The partial content of this download; its own, which is not kept, where another download has it.
    func openPartial() async throws -> PartialDownload {
        if let partial = state.withLock({ $0.partial }) { return partial }
        var opened: PartialDownload?
        if let location {
            // A directory that can't be used costs the resumption, not the download.
            opened = try? PartialDownload.open(location)
            let deadline = ContinuousClock.now + .seconds(10)
            while opened == nil, PartialHolders.isBeingLeft(location), ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(5))
                opened = try? PartialDownload.open(location)
            }
        }
        let partial: PartialDownload
        if let opened {
            partial = opened
            PartialHolders.enter(self, for: partial.location)
        } else {
            partial = try directory.openUnkeptDownload()
        }
        state.withLock { $0.partial = partial }
        return partial
    }

    /// A file for an answer that is not the content; the one of an attempt before is removed.
    func openUnkept() throws(HTTPError) -> PartialDownload {
        let own = try directory.openUnkeptDownload()
        let before = state.withLock { state in
            defer { state.other = own }
            return state.other
        }
        before?.discard()
        return own
    }

    /// A sum for the content, begun with the bytes that are there; nil where none was asked for.
    func beginSum(_ partial: PartialDownload, offset: Int64, announced: String?) throws(HTTPError) -> DownloadSum? {
        guard checksum != nil else { return nil }
        var sum = DownloadSum()
        sum.announced = announced
        try partial.read(upTo: offset) { sum.take($0) }
        return sum
    }

    func keep(_ sum: DownloadSum?, of file: URL) { state.withLock { $0.sum = sum.map { ($0, file) } } }
}
