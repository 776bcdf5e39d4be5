import Foundation

extension Redaction {
    /// The value of a header field as it may be shown.
    public func value(_ value: String, ofHeader name: String) -> String {
        guard self != .none else { return value }
        let folded = RedactedNames.fold(name)
        if headerNames.contains(folded) || wordNames.isPart(of: folded) { return Redaction.mask }
        return ruled(.header, name, value) ?? text(value)
    }

    /// The fields as they may be shown.
    public func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(headers.fields.map { HTTPHeaders.Field($0.name, value($0.value, ofHeader: $0.name)) })
    }

    /// The URL as it may be shown: its user and password, and the values of hidden items of its query and fragment, are
    /// masked.
    public func url(_ url: URL) -> String { self.url(url.absoluteString) }

    /// The text of a URL, whether it is a good one or not, as it may be shown.
    public func url(_ text: String) -> String {
        guard self != .none else { return text }
        let question = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let (place, rest) = (String(text[..<question]), text[question...])
        var shown = path(hidesUserInfo ? TextScrubber.withoutUserInfo(place) : place)
        guard let first = rest.first else { return shown }
        shown.append(first)
        let parts = rest.dropFirst().split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        shown += parts.map { form(String($0), .query) }.joined(separator: "#")
        return shown
    }

    private func path(_ text: String) -> String {
        guard !rules.isEmpty else { return text }
        var start = text.startIndex
        if let scheme = text.range(of: "://") {
            start = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
        }
        return ruled(.path, "", String(text[start...])).map { text[..<start] + $0 } ?? text
    }

    /// Content as it may be shown, by its media type: JSON, forms and other text with hidden values masked.
    ///
    /// - Returns: nil when the bytes are not text. JSON that can't be read, and has the name of a hidden member in it, is
    ///   hidden whole.
    public func text(of body: Data, contentType: String?) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        guard text.utf8.count == body.count, text.utf8.elementsEqual(body) else { return nil }
        guard self != .none else { return text }
        let type = contentType.flatMap { MediaType($0) }
        switch type?.essence {
        case "application/x-www-form-urlencoded"?: return form(text, .form)
        case "multipart/form-data"?: return multipart(text, boundary: type?["boundary"])
        case "application/x-ndjson"?, "application/jsonl"?, "application/json-lines"?, "application/json-seq"?:
            return text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { json(String($0)) ?? self.text(String($0)) }.joined(separator: "\n")
        default: break
        }
        let isJSON = type?.isJSON ?? text.first.map { $0 == "{" || $0 == "[" } ?? false
        return isJSON ? json(text) ?? text : self.text(text)
    }

    /// Text of any kind as it may be shown, the description of an error for example: what looks like a hidden value in it
    /// is masked. It finds URLs with a user or query items, `name=value`, `Name: value`, `"name":"value"`,
    /// `<name>value</name>`, and `Bearer` and `Basic` credentials.
    public func text(_ text: String) -> String {
        guard self != .none else { return text }
        return TextScrubber(self).scrub(text)
    }

    /// Whether a name is hidden somewhere.
    func hides(_ name: String) -> Bool {
        let folded = RedactedNames.fold(name)
        return headerNames.contains(folded) || fieldNames.contains(folded) || keyNames.contains(folded)
            || wordNames.isPart(of: folded)
    }

    package func hidesField(_ name: String) -> Bool {
        let folded = RedactedNames.fold(name)
        return fieldNames.contains(folded) || wordNames.isPart(of: folded)
    }

    /// The value of a form's field as it may be shown.
    package func field(_ value: String, named name: String) -> String {
        hidesField(name) ? Redaction.mask : ruled(.form, name, value) ?? value
    }

    /// Masks values of `a=1&b=2`.
    private func form(_ text: String, _ place: Place) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            let (name, value) = (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
            let plain = name.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? name
            // The last part of `user[password]` is a name of its own.
            if hidesField(plain) || plain.split(separator: "[").last.map({ hidesField(String($0)) }) == true {
                return "\(name)=\(Redaction.mask)"
            }
            if let ruled = ruled(place, plain, value.removingPercentEncoding ?? value) { return "\(name)=\(ruled)" }
            // A value may be a URL itself.
            guard value.contains("%") || value.contains("/"), let decoded = value.removingPercentEncoding,
                decoded.contains("=") || decoded.contains("@")
            else { return String(pair) }
            let shown = self.text(decoded)
            return shown == decoded ? String(pair) : "\(name)=\(shown)"
        }.joined(separator: "&")
    }

    /// Masks the content of hidden parts.
    private func multipart(_ text: String, boundary: String?) -> String {
        guard let boundary, !boundary.isEmpty else { return self.text(text) }
        let delimiter = "--\(boundary)"
        return text.components(separatedBy: delimiter).map { part in
            guard let end = part.range(of: "\r\n\r\n"),
                let start = part.range(
                    of: "; name=\"", options: .caseInsensitive, range: part.startIndex..<end.lowerBound),
                let close = part[start.upperBound..<end.lowerBound].firstIndex(of: "\"")
            else { return part }
            let name = String(part[start.upperBound..<close])
            let content = part[end.upperBound...]
            return part[..<end.upperBound] + (hidesField(name) ? Redaction.mask + "\r\n" : self.text(String(content)))
        }.joined(separator: delimiter)
    }
}
