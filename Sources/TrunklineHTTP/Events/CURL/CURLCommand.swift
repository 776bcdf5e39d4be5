import Foundation

/// A request as a `curl` command that runs as it stands in a POSIX shell.
///
/// Everything is in single quotes, the only kind in which a shell expands nothing. Making the text sends nothing and reads
/// no file.
struct CURLCommand {
    let request: HTTPRequest
    let redaction: Redaction

    var text: String {
        var words = ["curl", "--globoff", "--path-as-is"]
        if request.method == .head {
            words.append("--head")
        } else if request.method != .get || request.body != nil {
            words += ["--request", quoted(request.method.rawValue)]
        }
        for field in request.headers where !isFormType(field) {
            let value = redaction.value(field.value, ofHeader: field.name)
            // An empty value is sent with a semicolon; a colon would remove the field.
            words += ["--header", quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")]
        }
        if request.headers["Accept-Encoding"] != nil { words.append("--compressed") }
        let body = bodyWords()
        words += body.words
        words.append(quoted(redaction.url(request.url)))
        return words.joined(separator: " ") + (body.note.map { " # \($0)" } ?? "")
    }

    /// curl writes the boundary of a form itself.
    private func isFormType(_ field: HTTPHeaders.Field) -> Bool {
        request.body?.form != nil && HTTPHeaders.equal(field.name, "Content-Type")
    }

    private func bodyWords() -> (words: [String], note: String?) {
        guard let body = request.body else { return ([], nil) }
        if let form = body.form { return formWords(form) }
        let type = request.headers["Content-Type"] ?? body.contentType
        var words: [String] = []
        // Without one curl would say that it is a form of fields.
        if request.headers["Content-Type"] == nil {
            words += ["--header", quoted(type.map { "Content-Type: \($0)" } ?? "Content-Type:")]
        }
        switch body.source {
        case .data(let data):
            guard !data.contains(0), let text = redaction.text(of: data, contentType: type) else {
                return (words + ["--data-binary", "@-"], "\(data.count) bytes of binary data on standard input")
            }
            // A text that begins with @ would be taken for the name of a file.
            return (words + [text.hasPrefix("@") ? "--data-raw" : "--data-binary", quoted(text)], nil)
        case .file(let url, _):
            return (words + ["--data-binary", quoted("@" + url.path)], nil)
        case .stream(let length, _, _):
            let size = length.map { "\($0) bytes" } ?? "a stream"
            return (words + ["--data-binary", "@-"], "\(size) of content on standard input")
        }
    }

    private func formWords(_ form: MultipartFormData) -> (words: [String], note: String?) {
        var words: [String] = []
        var left: [String] = []
        for part in form.parts {
            var value = formQuoted(part.name) + "="
            switch part.content {
            case .data(let data):
                if !data.contains(0), let text = redaction.fieldText(data, named: part.name) {
                    value += formQuoted(text)
                } else {
                    value += "<-"
                    left.append("\(data.count) bytes of binary data for \(part.name)")
                }
            case .file(let url): value += "@" + formQuoted(url.path)
            case .stream(let length, _):
                value += "<-"
                left.append("\(length) bytes of content for \(part.name)")
            }
            if let name = part.fileName { value += ";filename=" + formQuoted(name) }
            if let type = part.contentType { value += ";type=\(type)" }
            words += ["--form", quoted(value)]
        }
        return (words, left.isEmpty ? nil : left.joined(separator: ", ") + " on standard input")
    }

    /// Quotes inside the value of `--form`, where `;` and `,` have a meaning.
    private func formQuoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}

extension DataRequest {
    /// The request as a `curl` command; see ``HTTPRequest/cURLDescription(redacting:)``. Empty for one that could not be
    /// resolved.
    public func cURLDescription(redacting redaction: Redaction = .standard) -> String {
        request?.cURLDescription(redacting: redaction) ?? ""
    }
}

extension HTTPRequest {
    /// The request as a `curl` command for a POSIX shell: the same method, URL, header fields and content.
    ///
    /// Credentials are masked by default; with ``Redaction/none`` the command sends what the library would. A body that is
    /// no text is read from standard input, with its size in a comment; a file's is read from the file.
    ///
    /// - Parameter redaction: what is masked.
    public func cURLDescription(redacting redaction: Redaction = .standard) -> String {
        CURLCommand(request: self, redaction: redaction.coveringCredential(of: self)).text
    }
}
