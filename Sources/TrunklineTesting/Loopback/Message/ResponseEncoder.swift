import Foundation

/// Turns an answer into the steps that send it.
enum ResponseEncoder {
    /// What the answer depends on besides itself.
    struct Context {
        var isHead = false
        var minorVersion = 1
        /// Whether the connection may be kept.
        var keepsAlive = true
    }

    /// The steps of an answer, its end included.
    static func steps(_ response: LoopbackResponse, _ context: Context) -> [LoopStep] {
        var steps: [LoopStep] = []
        if let gate = response.gate { steps.append(.script(.hold(gate))) }
        if let delay = response.delay { steps.append(.script(.wait(delay))) }
        if case .raw(let script) = response.body {
            steps += script.map(LoopStep.script)
            steps.append(.end(closes: !context.keepsAlive || response.closesConnection))
            return steps
        }
        let endsByClose = isEndedByClose(response.body, context)
        let closes = !context.keepsAlive || response.closesConnection || endsByClose
        if case .pipe(let handler) = response.body {
            steps += [.bytes(head(response, context, closes: false)), .pipe(handler)]
            return steps
        }
        let hasBody = !context.isHead && allowsBody(response.status)
        var bytes = head(response, context, closes: closes)
        let rate = response.bytesPerSecond
        if let rate, hasBody {
            steps.append(.bytes(bytes))
            steps.append(.script(.limitRate(bytesPerSecond: rate)))
            bytes = []
        }
        if hasBody {
            body(response.body, framesChunks: !endsByClose, after: &bytes, into: &steps)
        }
        if !bytes.isEmpty { steps.append(.bytes(bytes)) }
        if rate != nil, hasBody { steps.append(.script(.limitRate(bytesPerSecond: nil))) }
        steps.append(.end(closes: closes))
        return steps
    }

    /// Adds the body: to the bytes that are collected, and steps where something is between bytes.
    private static func body(
        _ body: LoopbackBody, framesChunks: Bool, after bytes: inout [UInt8], into steps: inout [LoopStep]
    ) {
        switch body {
        case .none, .raw, .pipe: break
        case .data(let data), .untilClose(let data): bytes.append(contentsOf: data)
        case .generated(let pattern, let count):
            steps.append(.bytes(bytes))
            bytes = []
            steps.append(.script(.generated(pattern, count: max(0, count))))
        case .chunked(let chunks, let trailers, let interval):
            var isFirst = true
            for chunk in chunks where !chunk.isEmpty {
                if let interval, !isFirst {
                    steps.append(.bytes(bytes))
                    bytes = []
                    steps.append(.script(.wait(interval)))
                }
                isFirst = false
                if framesChunks { bytes.append(contentsOf: (String(chunk.count, radix: 16) + "\r\n").utf8) }
                bytes.append(contentsOf: chunk)
                if framesChunks { bytes.append(contentsOf: "\r\n".utf8) }
            }
            guard framesChunks else { return }
            bytes.append(contentsOf: "0\r\n".utf8)
            append(trailers, to: &bytes)
            bytes.append(contentsOf: "\r\n".utf8)
        }
    }

    /// The head of an answer, the empty line included.
    private static func head(_ response: LoopbackResponse, _ context: Context, closes: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        let reason = response.reason ?? StatusPhrase.of(response.status)
        bytes.append(contentsOf: "HTTP/1.1 \(response.status) \(reason)\r\n".utf8)
        append(response.headers, to: &bytes)
        if allowsBody(response.status), !response.headers.contains("Content-Length") {
            switch response.body {
            case .none: append("Content-Length", "0", to: &bytes)
            case .data(let data): append("Content-Length", String(data.count), to: &bytes)
            case .generated(_, let count): append("Content-Length", String(max(0, count)), to: &bytes)
            case .chunked(_, let trailers, _):
                if context.minorVersion == 1, !response.headers.contains("Transfer-Encoding") {
                    append("Transfer-Encoding", "chunked", to: &bytes)
                    if !trailers.isEmpty, !response.headers.contains("Trailer") {
                        append("Trailer", trailers.map(\.name).joined(separator: ", "), to: &bytes)
                    }
                }
            case .untilClose, .raw, .pipe: break
            }
        }
        let isPipe = if case .pipe = response.body { true } else { false }
        if !response.headers.contains("Connection"), response.status >= 200 {
            if closes {
                append("Connection", "close", to: &bytes)
            } else if context.minorVersion == 0, !isPipe {
                append("Connection", "keep-alive", to: &bytes)
            }
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    private static func isEndedByClose(_ body: LoopbackBody, _ context: Context) -> Bool {
        switch body {
        case .untilClose: true
        case .chunked: context.minorVersion == 0
        default: false
        }
    }

    private static func allowsBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }

    private static func append(_ headers: HTTPHeaders, to bytes: inout [UInt8]) {
        for field in headers { append(field.name, field.value, to: &bytes) }
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(0x3A)
        bytes.append(0x20)
        bytes.append(contentsOf: value.utf8)
        bytes.append(0x0D)
        bytes.append(0x0A)
    }
}
