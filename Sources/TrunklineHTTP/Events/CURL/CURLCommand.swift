import Foundation

/// A request as a `curl` command that runs as it stands in a POSIX shell. Making the text sends nothing and reads no file.
struct CURLCommand {
    /// The most bytes of content that are written into a command. Text up to the first limit is an argument of curl's;
    /// longer text, and bytes that are no text, go through a pipe.
    private static let mostAsArgument = 100_000
    private static let mostInPipe = 1 << 20

    let request: HTTPRequest
    let redaction: Redaction
    /// Whether a form goes with the boundary the library sends, and no field that curl adds.
    let isExact: Bool

    /// How the content gets into the command.
    private struct Content {
        var words: [String] = []
        /// What writes curl's standard input.
        var pipe: String?
        /// What the reader has to do.
        var note: String?
    }

    var text: String {
        var words = ["curl", "--globoff", "--path-as-is"]
        if request.method == .head, request.body == nil {
            words.append("--head")
        } else if request.method != .get || request.body != nil {
            words += ["--request", ShellText.quoted(request.method.rawValue)]
        }
        let content = content()
        let isForm = content.words.contains("--form")
        for field in request.headers where !(isForm && HTTPHeaders.equal(field.name, "Content-Type")) {
            let value = redaction.value(field.value, ofHeader: field.name)
            // An empty value is sent with a semicolon; a colon would remove the field.
            words += ["--header", ShellText.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")]
        }
        for name in unwantedFields { words += ["--header", ShellText.quoted("\(name):")] }
        if request.headers.contains("Accept-Encoding") { words.append("--compressed") }
        words += content.words
        // curl would make a field of a user in the URL; the library sends no such thing.
        words.append(ShellText.quoted(redaction.url((try? CurlURL(request.url).text) ?? request.url.absoluteString)))
        let command = (content.pipe.map { [$0, "|"] } ?? []) + words
        return command.joined(separator: " ") + (content.note.map { " # \($0)" } ?? "")
    }

    /// Fields that curl would add and the library doesn't.
    private var unwantedFields: [String] {
        var names = isExact ? ["User-Agent", "Accept"] : []
        // curl asks first where a content is large.
        if request.body.map({ $0.contentLength ?? .max > 1_000_000 }) == true { names.append("Expect") }
        return names.filter { !request.headers.contains($0) }
    }

    private func content() -> Content {
        guard let body = request.body else { return Content() }
        if let form = body.form { return isExact ? exact(form, body) : parts(form) ?? exact(form, body) }
        let type = request.headers["Content-Type"] ?? body.contentType
        var content = Content(words: typeWords(type))
        switch body.source {
        case .data(let data):
            guard let text = redaction.text(of: data, contentType: type) else { return bytes(data, content) }
            guard !text.utf8.contains(0), text.utf8.count <= CURLCommand.mostAsArgument else {
                return bytes(Data(text.utf8), content)
            }
            // A text that begins with @ would be taken for the name of a file.
            content.words += [text.hasPrefix("@") ? "--data-raw" : "--data-binary", ShellText.quoted(text)]
        case .file(let url, _):
            content.words += ["--data-binary", ShellText.quoted("@" + url.path)]
        case .stream(let length, _, _):
            content.words += ["--data-binary", "@-"]
            content.note = "\(length.map { "\($0) bytes" } ?? "a stream") of content on standard input"
        }
        return content
    }

    /// Without a type curl would say that it is a form of fields.
    private func typeWords(_ type: String?) -> [String] {
        guard !request.headers.contains("Content-Type") else { return [] }
        return ["--header", ShellText.quoted(type.map { "Content-Type: \($0)" } ?? "Content-Type:")]
    }

    /// Bytes that are no argument: printed into a pipe, where they may be seen.
    private func bytes(_ data: Data, _ content: Content) -> Content {
        var content = content
        content.words += ["--data-binary", "@-"]
        if data.count <= CURLCommand.mostInPipe, redaction == .none || isText(data) {
            content.pipe = ShellText.printing(data)
        } else {
            content.note = "\(data.count) bytes of \(isText(data) ? "text" : "binary data") on standard input"
        }
        return content
    }

    private func isText(_ data: Data) -> Bool { HARText.text(data).encoding == nil && !data.contains(0) }
}

// MARK: - Forms

extension CURLCommand {
    /// The form part by part; curl chooses the boundary. Nil where curl has no way to say it: several parts that are no
    /// text, or header fields it would write in another way.
    private func parts(_ form: MultipartFormData) -> Content? {
        var content = Content()
        var notes: [String] = []
        for part in form.parts {
            var value = part.name + "="
            // The name ends at the first of these.
            guard !part.name.utf8.contains(UInt8(ascii: "=")) else { return redaction == .none ? nil : hidden(form) }
            switch part.content {
            case .data(let data):
                let isHidden = redaction.hidesField(part.name)
                if isHidden || isText(data), data.count <= CURLCommand.mostAsArgument {
                    let text = String(decoding: data, as: UTF8.self)
                    let shown = isHidden ? Redaction.mask : redaction.field(redaction.text(text), named: part.name)
                    // A content that has a file name is a file to curl: it comes from standard input.
                    if part.fileName != nil {
                        guard content.pipe == nil, notes.isEmpty else { return redaction == .none ? nil : hidden(form) }
                        value += "@-"
                        content.pipe = ShellText.printing(Data(shown.utf8))
                    } else {
                        value += formQuoted(shown)
                    }
                } else {
                    value += part.fileName == nil ? "<-" : "@-"
                    guard redaction == .none, data.count <= CURLCommand.mostInPipe else {
                        notes.append("\(data.count) bytes of binary data for \(part.name)")
                        break
                    }
                    guard content.pipe == nil else { return nil }
                    content.pipe = ShellText.printing(data)
                }
            case .file(let url): value += "@" + formQuoted(url.path)
            case .stream(let length, _):
                value += "<-"
                notes.append("\(length) bytes of content for \(part.name)")
            }
            if let name = part.fileName { value += ";filename=" + formQuoted(name) }
            if let type = part.contentType { value += ";type=\(type)" }
            content.words += ["--form", ShellText.quoted(value)]
        }
        if !notes.isEmpty { content.note = notes.joined(separator: ", ") + " on standard input" }
        return content
    }

    /// The form's bytes, with the boundary the library sends: what is in memory printed, files copied in between.
    private func exact(_ form: MultipartFormData, _ body: RequestBody) -> Content {
        var content = Content(words: typeWords(body.contentType) + ["--data-binary", "@-"])
        guard redaction == .none, let segments = try? form.segments() else { return hidden(form) }
        var commands: [String] = []
        var memory = Data()
        func flush() {
            if !memory.isEmpty { commands.append(ShellText.printing(memory)) }
            memory = Data()
        }
        for segment in segments {
            switch segment.content {
            case .data(let data): memory.append(data)
            case .file(let url):
                flush()
                commands.append("cat " + ShellText.quoted(url.path))
            case .stream: return hidden(form)
            }
        }
        flush()
        content.pipe = commands.count == 1 ? commands.first : "{ " + commands.joined(separator: "; ") + "; }"
        return content
    }

    /// A form that can't be shown.
    private func hidden(_ form: MultipartFormData) -> Content {
        Content(
            words: typeWords(form.contentType) + ["--data-binary", "@-"],
            note: "a form of \(form.parts.count) parts on standard input")
    }

    /// Quotes inside the value of `--form`, where `;` and `,` have a meaning.
    private func formQuoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }
}

extension DataRequest {
    /// The request as a `curl` command; see ``HTTPRequest/cURLDescription(redacting:exactly:)``. Empty for one that could
    /// not be resolved.
    public func cURLDescription(redacting redaction: Redaction = .standard, exactly: Bool = false) -> String {
        request?.cURLDescription(redacting: redaction, exactly: exactly) ?? ""
    }
}

extension HTTPRequest {
    /// The request as a `curl` command for a POSIX shell: the same method, URL, header fields and content. It runs as it
    /// stands, and sends nothing while it is made.
    ///
    /// - Credentials are masked by default; with ``Redaction/none`` the command sends what the library would.
    /// - Content in memory is an argument of `--data-binary`, or is printed into a pipe where it is no text or is long; a
    ///   file is read by curl, `@/path`. Content that is no text can't be searched for secrets: unless nothing is masked it
    ///   is left out, and its size stands in a comment. So it does for streams.
    /// - A form of parts is given part by part, `--form`: the same parts with a boundary of curl's own, and no
    ///   `Content-Type` field, which curl writes. With `exactly` it is the library's bytes, with the library's boundary.
    /// - A user in the URL is left out: the library makes no credential of it.
    /// - curl adds its own `User-Agent` and `Accept` where the request has none; with `exactly` it doesn't.
    ///
    /// - Parameters:
    ///   - redaction: what is masked.
    ///   - exactly: whether a form's bytes and the absence of fields count; by default the command is written to be read.
    public func cURLDescription(redacting redaction: Redaction = .standard, exactly: Bool = false) -> String {
        CURLCommand(request: self, redaction: redaction.coveringCredential(of: self), isExact: exactly).text
    }
}
