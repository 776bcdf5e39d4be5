import Foundation

/// Reads a multipart body front to back, a chunk at a time, and keeps every part to its announced length.
struct MultipartReader: Sendable {
    private enum Source {
        case none
        case file(FileHandle)
        case stream(RequestBody.Chunks)
    }

    static let chunkSize = 65536

    private var remaining: ArraySlice<MultipartSegment>
    private var source = Source.none
    private var sent: Int64 = 0

    init(segments: [MultipartSegment]) { remaining = segments[...] }

    /// The next chunk, never empty, or nil at the end.
    mutating func next() async throws(HTTPError) -> Data? {
        while let segment = remaining.first {
            let chunk: Data?
            switch segment.content {
            case .data(let data):
                remaining.removeFirst()
                chunk = merged(data)
            case .file(let url): chunk = try nextOfFile(url, segment)
            case .stream(_, let make): chunk = try await nextOfStream(make, segment)
            }
            if let chunk, !chunk.isEmpty { return chunk }
        }
        return nil
    }

    /// Puts what is in memory and small into one chunk, so that heads and line ends don't travel alone.
    private mutating func merged(_ data: Data) -> Data {
        var result = data
        while result.count < MultipartReader.chunkSize, let next = remaining.first, case .data(let more) = next.content,
            more.count <= MultipartReader.chunkSize
        {
            result.append(more)
            remaining.removeFirst()
        }
        return result
    }

    private mutating func nextOfFile(_ url: URL, _ segment: MultipartSegment) throws(HTTPError) -> Data? {
        do {
            let handle: FileHandle
            if case .file(let open) = source {
                handle = open
            } else {
                handle = try FileHandle(forReadingFrom: url)
                source = .file(handle)
            }
            let wanted = Int(min(Int64(MultipartReader.chunkSize), segment.length - sent))
            // At the announced end, one byte more must not be there.
            let chunk = try handle.read(upToCount: max(wanted, 1)) ?? Data()
            if wanted > 0, !chunk.isEmpty {
                sent += Int64(chunk.count)
                return chunk
            }
            let actual = sent + Int64(chunk.count)
            let size = chunk.isEmpty ? actual : max(actual, Int64(clamping: try handle.seekToEnd()))
            try handle.close()
            try finish(segment, actual: size)
            return nil
        } catch let error as HTTPError {
            throw error
        } catch {
            throw segment.failure(.unreadable(error.localizedDescription))
        }
    }

    private mutating func nextOfStream(
        _ make: @Sendable () throws -> RequestBody.Chunks, _ segment: MultipartSegment
    ) async throws(HTTPError) -> Data? {
        do {
            let stream: RequestBody.Chunks
            if case .stream(let open) = source {
                stream = open
            } else {
                stream = try make()
                source = .stream(stream)
            }
            // The stream is kept and not its iterator, which is not Sendable; all iterators of a stream share its state.
            var iterator = stream.makeAsyncIterator()
            let chunk = try await iterator.next()
            guard let chunk else {
                try Task.checkCancellation()
                try finish(segment, actual: sent)
                return nil
            }
            sent += Int64(chunk.count)
            guard sent <= segment.length else {
                throw segment.failure(.unexpectedLength(expected: segment.length, actual: sent))
            }
            return chunk
        } catch let error as HTTPError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw segment.failure(.unreadable(error.localizedDescription))
        }
    }

    /// Ends a part, which must have had the bytes announced.
    private mutating func finish(_ segment: MultipartSegment, actual: Int64) throws(HTTPError) {
        guard actual == segment.length else {
            throw segment.failure(.unexpectedLength(expected: segment.length, actual: actual))
        }
        remaining.removeFirst()
        source = .none
        sent = 0
    }
}
