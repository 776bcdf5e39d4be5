import Foundation

/// Takes a request body out of the input as it comes: by length or chunked (RFC 9112, sections 6.2 and 7.1).
struct BodyReader {
    private enum Phase {
        case content(left: Int64)
        case chunkHead
        case chunk(left: Int64)
        case chunkEnd
        case trailers
        case done
    }

    /// Where the content goes.
    private(set) var sink: BodySink
    /// The trailer fields, when all is read.
    private(set) var trailers: HTTPHeaders = [:]
    private var phase: Phase

    init(framing: RequestHead.Framing, sink: BodySink) {
        self.sink = sink
        switch framing {
        case .none: phase = .done
        case .length(let length): phase = .content(left: length)
        case .chunked: phase = .chunkHead
        }
    }

    var isDone: Bool {
        if case .done = phase { true } else { false }
    }

    /// Consumes what belongs to the body.
    mutating func read(from input: inout InputBuffer) throws(RequestFault) {
        while try step(&input) {}
    }

    /// One step; false when the body is done or more input is needed.
    private mutating func step(_ input: inout InputBuffer) throws(RequestFault) -> Bool {
        switch phase {
        case .done: return false
        case .content(let left):
            let rest = try content(&input, left, isFramed: false)
            phase = rest == 0 ? .done : .content(left: rest)
            return false
        case .chunk(let left):
            let rest = try content(&input, left, isFramed: true)
            phase = rest == 0 ? .chunkEnd : .chunk(left: rest)
            return rest == 0
        case .chunkHead:
            guard let line = try line(&input, limit: 4096) else { return false }
            let size = try BodyReader.chunkSize(line)
            phase = size == 0 ? .trailers : .chunk(left: size)
            return true
        case .chunkEnd:
            guard let line = try line(&input, limit: 2) else { return false }
            guard line.count == 2 else { throw .bad("a chunk is longer than its size says") }
            phase = .chunkHead
            return true
        case .trailers:
            guard let block = try trailerBlock(&input) else { return false }
            let outcome: Result<[RequestHead.FieldRange], RequestFault> = block.withUnsafeBytes { raw in
                Result { () throws(RequestFault) in try HeadParser.fields(raw, from: 0) }
            }
            trailers = HTTPHeaders(RequestHead.strings(try outcome.get(), in: block))
            phase = .done
            return false
        }
    }

    private mutating func content(
        _ input: inout InputBuffer, _ left: Int64, isFramed: Bool
    ) throws(RequestFault) -> Int64 {
        let part = Int(min(left, Int64(input.count)))
        guard part > 0 else { return left }
        let outcome: Result<Void, RequestFault> = input.withBytes { bytes in
            Result { () throws(RequestFault) in
                try sink.take(UnsafeRawBufferPointer(rebasing: bytes[..<part]), isFramed: isFramed)
            }
        }
        try outcome.get()
        input.consume(part)
        return left - Int64(part)
    }

    /// The next line with its CR LF; nil when it is not there in whole.
    private mutating func line(_ input: inout InputBuffer, limit: Int) throws(RequestFault) -> [UInt8]? {
        let line = input.withBytes { bytes in
            bytes.firstIndex(of: 0x0A, from: 0).map { [UInt8](bytes[...$0]) }
        }
        guard let line else {
            guard input.count <= limit else { throw .bad("the chunked body is not framed as it should be") }
            return nil
        }
        guard line.count >= 2, line.count <= limit, line[line.count - 2] == 0x0D else {
            throw .bad("the chunked body is not framed as it should be")
        }
        input.consume(line.count)
        sink.takeFraming(line)
        return line
    }

    /// The trailer section with its empty line; nil when it is not there in whole.
    private mutating func trailerBlock(_ input: inout InputBuffer) throws(RequestFault) -> [UInt8]? {
        let limit = 64 << 10
        var end = 0
        while true {
            let newline = input.withBytes { $0.firstIndex(of: 0x0A, from: end) }
            guard let newline, newline <= limit else {
                guard input.count <= limit else { throw .bad("the trailers are longer than \(limit) bytes") }
                return nil
            }
            let length = newline + 1 - end
            let endsInReturn = length >= 2 && input.withBytes { $0[newline - 1] == 0x0D }
            guard endsInReturn else { throw .bad("a trailer line ends in a bare line feed") }
            end = newline + 1
            if length == 2 { break }
        }
        let block = input.withBytes { [UInt8]($0[..<end]) }
        input.consume(end)
        sink.takeFraming(block)
        return block
    }

    /// The size in a chunk's first line; extensions are ignored.
    private static func chunkSize(_ line: [UInt8]) throws(RequestFault) -> Int64 {
        var size: Int64 = 0
        var digits = 0
        for byte in line {
            guard let value = LoopbackTarget.hexValue(byte) else {
                guard digits > 0, byte == 0x0D || byte == 0x3B || byte == 0x20 || byte == 0x09 else { break }
                return size
            }
            digits += 1
            guard digits <= 15 else { break }
            size = size << 4 | Int64(value)
        }
        throw .bad("a chunk's size is not a hexadecimal number")
    }
}

/// Keeps the content of a body, or only counts and sums it.
struct BodySink {
    let keeps: Bool
    /// The most bytes that are kept.
    let limit: Int64
    private(set) var content: [UInt8] = []
    /// The chunked body as it was framed; empty for a body by length, which has no framing.
    private(set) var framed: [UInt8] = []
    private(set) var count: Int64 = 0
    private(set) var checksum = LoopbackChecksum()

    init(keeps: Bool, limit: Int64) {
        self.keeps = keeps
        self.limit = limit
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer, isFramed: Bool) throws(RequestFault) {
        count &+= Int64(bytes.count)
        guard keeps else {
            checksum.update(bytes)
            return
        }
        guard count <= limit else {
            throw RequestFault(status: 413, reason: "the request body is longer than \(limit) bytes")
        }
        content.append(contentsOf: bytes.bindMemory(to: UInt8.self))
        if isFramed { framed.append(contentsOf: bytes.bindMemory(to: UInt8.self)) }
    }

    mutating func takeFraming(_ bytes: [UInt8]) {
        if keeps { framed.append(contentsOf: bytes) }
    }
}
