import Foundation

/// The words of a log.
struct LogWriter: Sendable {
    let redaction: Redaction
    let style: LogStyle
    let maximumBodyBytes: Int

    /// The one line of a request.
    func line(
        _ id: RequestID, _ request: HTTPRequest?, _ outcome: Event.Outcome, bytes: Int64, duration: Duration,
        _ notes: [String]
    ) -> String {
        var words = [style.apply(.grey, id.description)]
        if let request {
            words += [style.apply(.cyan, request.method.rawValue), LogStyle.plain(redaction.url(request.url))]
        } else {
            words.append("(no request)")
        }
        switch outcome {
        case .success(let response):
            let colour: LogStyle.Colour = response.statusCode < 300 ? .green : .yellow
            words += [style.apply(colour, "\(response.statusCode)"), LogWriter.size(bytes)]
        case .failure(let error):
            words.append(style.apply(.red, "failed: " + LogStyle.plain(redaction.text(error.description))))
        }
        words.append("in \(LogWriter.time(duration))")
        if !notes.isEmpty { words.append(style.apply(.grey, "(\(notes.joined(separator: ", ")))")) }
        return words.joined(separator: " ")
    }

    /// What was sent.
    func request(_ request: HTTPRequest, withBody: Bool) -> [String] {
        var lines = ["> \(request.method.rawValue) \(LogStyle.plain(redaction.url(request.url)))"]
        lines += fields(request.headers, "> ")
        guard let body = request.body else { return lines }
        let type = request.headers["Content-Type"] ?? body.contentType
        let size = body.contentLength.map(LogWriter.size) ?? "unknown size"
        guard withBody else { return lines + ["> (\(size))"] }
        if let data = body.data {
            return lines + content(data, type: type, size: Int64(data.count), isWhole: true, "> ")
        }
        if case .file(let url, _) = body.source {
            return lines + ["> (\(size) of the file \(LogStyle.plain(url.path)))"]
        }
        return lines + ["> (\(size), \(body.form == nil ? "a stream" : "a form"))"]
    }

    /// What came.
    func response(_ response: HTTPResponse, _ end: Event.AttemptEnd?, withBody: Bool) -> [String] {
        var lines = ["< \(response.statusCode) \(LogStyle.plain(redaction.url(response.url)))"]
        lines += fields(response.headers, "< ")
        var data = response.data
        if data.isEmpty, case .success(let kept)? = end?.outcome { data = kept.data }
        let size = max(Int64(data.count), end?.contentBytes ?? 0)
        guard size > 0 else { return lines }
        guard withBody else { return lines + ["< (\(LogWriter.size(size)))"] }
        if case .file(let url) = response.body, data.isEmpty {
            return lines + ["< (\(LogWriter.size(size)) in the file \(LogStyle.plain(url.path)))"]
        }
        return lines
            + content(
                data, type: response.headers["Content-Type"], size: size, isWhole: Int64(data.count) == size, "< ")
    }

    private func fields(_ headers: HTTPHeaders, _ prefix: String) -> [String] {
        headers.map { field in
            prefix
                + LogStyle.plain("\(field.name): \(redaction.value(field.value, ofHeader: field.name))")
        }
    }

    /// A content as text: JSON laid out, bounded, and masked before it is cut.
    private func content(_ data: Data, type: String?, size: Int64, isWhole: Bool, _ prefix: String) -> [String] {
        let isLong = data.count > 64 * max(maximumBodyBytes, 1 << 10)
        guard !data.isEmpty, !isLong, let text = redaction.text(of: data, contentType: type) else {
            return [prefix + "(\(LogWriter.size(size))\(isLong ? "" : " of binary data"))"]
        }
        let laidOut = isWhole ? LogWriter.pretty(text) ?? text : text
        let shown = String(decoding: laidOut.utf8.prefix(maximumBodyBytes), as: UTF8.self)
        var lines = LogStyle.plain(shown.replacingOccurrences(of: "\r\n", with: "\n"), keepingLines: true)
            .split(separator: "\n", omittingEmptySubsequences: false).map { prefix + $0 }
        if shown.utf8.count < laidOut.utf8.count || !isWhole {
            lines.append(prefix + "(cut; \(LogWriter.size(size)) in all)")
        }
        return lines
    }

    /// JSON with a line for each member; nil for other text.
    static func pretty(_ text: String) -> String? {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
            let tree = try? JSONValue(parsing: Data(text.utf8))
        else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(tree)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number of bytes: `512 B`, `4.1 kB`, `2.3 MB`.
    static func size(_ bytes: Int64) -> String {
        var value = Double(max(0, bytes))
        if value < 1000 { return "\(max(0, bytes)) B" }
        for unit in ["kB", "MB", "GB", "TB"] {
            value /= 1000
            if value < 999.95 { return "\(tenths(value)) \(unit)" }
        }
        return "\(tenths(value)) TB"
    }

    /// A time: `0.4 ms`, `38 ms`, `1.2 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.seconds * 1000)
        if milliseconds < 10 { return "\(tenths(milliseconds)) ms" }
        return milliseconds < 1000 ? "\(Int(milliseconds.rounded())) ms" : "\(tenths(milliseconds / 1000)) s"
    }

    private static func tenths(_ value: Double) -> String { "\((min(value, 1e15) * 10).rounded() / 10)" }
}
