import Foundation

/// Reads an event stream by the rules of WHATWG HTML, sections 9.2.5 and 9.2.6. Pure: bytes go in, in pieces of any size,
/// and events come out; where the pieces are cut makes no difference.
///
/// Lines end with CR LF, LF or CR. A byte-order mark at the start is skipped, bytes that are not UTF-8 become U+FFFD, comments
/// and unknown fields are ignored. An event counts when the empty line after it is there: an incomplete last one is never
/// given.
public struct EventSourceParser: Sendable {
    /// The last event ID: what a reconnection sends as `Last-Event-ID`. Changes with the empty line after an event.
    public private(set) var lastEventID: String
    /// The reconnection time the stream has asked for last; nil while it has not.
    public private(set) var reconnectionTime: Duration?
    /// Why the parser takes no more, where it has met something it can't read. The events before it were given.
    public private(set) var failure: HTTPError?

    private let maximumEventLength: Int
    private var lines: LineSplitter
    private var idBuffer: String
    private var eventType = ""
    private var data = ""
    private var hasData = false
    private var retry: Duration?
    private var isAtStart = true
    private var held = Data()

    /// The most bytes of an event unless something else is asked for: 8 MB.
    public static let defaultMaximumEventLength = 8 << 20

    /// Makes a parser for one connection.
    ///
    /// - Parameters:
    ///   - lastEventID: the last event ID of the connection before.
    ///   - maximumEventLength: the most bytes of an event's data, and of a line.
    public init(lastEventID: String = "", maximumEventLength: Int = defaultMaximumEventLength) {
        self.lastEventID = lastEventID
        idBuffer = lastEventID
        self.maximumEventLength = max(0, maximumEventLength)
        lines = LineSplitter(maximumLength: self.maximumEventLength)
    }

    /// Takes the next piece of the stream and returns the events it completes.
    ///
    /// - Throws: ``HTTPError/invalidResponse(reason:)`` when a line or an event is longer than allowed; where the same piece
    ///   completes events before, they are returned and the next call throws.
    public mutating func push(_ bytes: Data) throws(HTTPError) -> [ServerSentEvent] {
        if let failure { throw failure }
        var piece = bytes
        if isAtStart {
            held.append(bytes)
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            // Whether there is a mark is only known with the third byte.
            if held.count < 3, mark.starts(with: held) { return [] }
            isAtStart = false
            piece = held.withoutByteOrderMark
            held = Data()
        }
        lines.append(piece)
        var events: [ServerSentEvent] = []
        do {
            while let line = try lines.next() {
                if line.isEmpty {
                    if let event = dispatch() { events.append(event) }
                } else {
                    try read(line)
                }
            }
        } catch {
            failure = error
            if events.isEmpty { throw error }
        }
        return events
    }

    private mutating func read(_ line: Data) throws(HTTPError) {
        let name: Data
        var value: Data
        if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            if colon == line.startIndex { return }
            name = line[..<colon]
            value = line[line.index(after: colon)...]
            if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        } else {
            name = line
            value = Data()
        }
        switch name.count {
        case 4 where name.elementsEqual("data".utf8):
            if hasData { data.append("\n") }
            hasData = true
            data += String(decoding: value, as: UTF8.self)
            if data.utf8.count > maximumEventLength {
                throw .invalidResponse(reason: "an event is longer than \(maximumEventLength) bytes")
            }
        case 5 where name.elementsEqual("event".utf8):
            eventType = String(decoding: value, as: UTF8.self)
        case 2 where name.elementsEqual("id".utf8):
            if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        case 5 where name.elementsEqual("retry".utf8):
            if let time = EventSourceParser.milliseconds(value) {
                reconnectionTime = time
                retry = time
            }
        default:
            break
        }
    }

    /// An empty line: the event is complete. One without data is none, but its ID counts.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer {
            eventType = ""
            data = ""
            hasData = false
            retry = nil
        }
        guard hasData else { return nil }
        return ServerSentEvent(
            id: lastEventID, event: eventType.isEmpty ? "message" : eventType, data: data, retry: retry)
    }

    /// Digits only, in milliseconds; a number too large for a clock becomes the largest that is safe.
    private static func milliseconds(_ value: Data) -> Duration? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let most: Int64 = 1 << 42
        return .milliseconds(min(Int64(String(decoding: value, as: UTF8.self)) ?? most, most))
    }
}
