import Foundation

/// The content of a stored answer: in memory where it is small, else in the entry's file.
public enum CachedBody: Hashable, Sendable {
    /// In memory.
    case data(Data)
    /// In the entry's file, to be read in pieces. Two are equal when they read the same open file.
    case file(CachedFile)

    /// No content.
    public static let empty = CachedBody.data(Data())

    /// The number of bytes.
    public var count: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(let file): file.count
        }
    }

    /// The bytes where they are in memory, else nil.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    /// A part of the content, without reading it.
    ///
    /// - Parameter range: byte positions from 0.
    /// - Returns: nil when the range is not within the content.
    public func slice(_ range: Range<Int64>) -> CachedBody? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        switch self {
        case .data(let data):
            // Both within the count, which is an Int.
            let start = data.startIndex + Int(range.lowerBound)
            return .data(Data(data[start..<(start + range.count)]))
        case .file(let file):
            return file.slice(range).map { .file($0) }
        }
    }

    /// The content as a stream for one reader, who gets the next piece when he asks for it; empty content is no piece.
    /// Pieces of a file are checked before they are given, and the stream ends with ``HTTPError/file(_:)`` when one is
    /// damaged or can't be read.
    public func chunks() -> ResponseBody.Chunks {
        switch self {
        case .file(let file): return file.chunks()
        case .data(let data):
            let rest = Protected(data.isEmpty ? nil : Optional(data))
            return ResponseBody.Chunks {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
        }
    }

    /// The whole content in memory.
    public func contents() async throws(HTTPError) -> Data {
        switch self {
        case .data(let data): data
        case .file(let file): try await file.contents()
        }
    }

    /// Writes the whole content into a new file, or over an old one.
    public func write(to url: URL) async throws(HTTPError) {
        guard url.isFileURL else {
            throw .file(FileFailure(url: url, operation: .write, reason: "the URL is not a file URL"))
        }
        try await CachedFile.perform { () throws(HTTPError) in
            let sink = try FileSink(url)
            do {
                switch self {
                case .data(let data): try sink.write(data)
                case .file(let file): try file.read { try sink.write($0) }
                }
                try sink.close()
            } catch {
                sink.discard()
                throw HTTPError(error)
            }
        }
    }

    /// The content as the request wants it.
    func delivered(_ delivery: BodyDelivery) async throws(HTTPError) -> ResponseBody {
        switch delivery {
        case .data: return .data(try await contents())
        case .stream: return .stream(chunks())
        case .file(let url):
            try await write(to: url)
            return .file(url)
        }
    }
}
