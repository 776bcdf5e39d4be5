import Foundation

/// Asking the server whether an entry is still right (RFC 9111, section 4.3).
enum Validation {
    /// Whether there is anything to ask with.
    static func isPossible(_ headers: HTTPHeaders) -> Bool {
        headers.contains("ETag") || headers.contains("Last-Modified")
    }

    /// Makes the request a conditional one by the entry's validators (section 4.3.1): `If-None-Match` with its tag and
    /// `If-Modified-Since` with its time of last change, both as they were received.
    static func addConditions(to request: inout HTTPHeaders, from entry: HTTPHeaders) {
        if let tag = singleValue("ETag", entry) { request.set("If-None-Match", tag) }
        if let changed = singleValue("Last-Modified", entry) { request.set("If-Modified-Since", changed) }
    }

    /// Whether a 304 speaks of the entry (section 4.3.4): a tag it has must be the entry's, and so must a time of last
    /// change where there is no tag. One that has neither speaks of the only entry that was asked about.
    static func concerns(_ notModified: HTTPHeaders, _ entry: HTTPHeaders) -> Bool {
        if notModified.contains("ETag"), entry.contains("ETag") {
            guard let new = EntityTag(of: notModified), let old = EntityTag(of: entry) else {
                return notModified["ETag"] == entry["ETag"]
            }
            return new.means(old)
        }
        if let new = notModified["Last-Modified"], let old = entry["Last-Modified"] { return new == old }
        return true
    }

    /// Whether an answer to HEAD speaks of the entry, so that it may update it (section 4.3.5): what both have of `ETag`,
    /// `Last-Modified` and `Content-Length` is the same.
    static func headConcerns(_ head: HTTPHeaders, _ entry: HTTPHeaders) -> Bool {
        ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
            guard let new = head[name], let old = entry[name] else { return true }
            return new == old
        }
    }

    /// Whether the caller's own conditions make the entry's answer a 304 (section 4.3.2; RFC 9110, section 13.2.2):
    /// `If-None-Match` by weak comparison, and only without it `If-Modified-Since`.
    static func isNotModified(_ request: HTTPHeaders, entry: HTTPHeaders, arrivedAt: Date) -> Bool {
        if let wanted = request["If-None-Match"] {
            if FieldList.trimmed(wanted) == "*" { return true }
            guard let tag = EntityTag(of: entry) else { return false }
            return EntityTag.list(wanted).contains { $0.means(tag) }
        }
        guard let text = request["If-Modified-Since"], let since = StrictDate.parse(text, now: arrivedAt) else {
            return false
        }
        // Without Last-Modified the answer's Date stands in, or when it came (section 4.3.2).
        let changed =
            (entry["Last-Modified"] ?? entry["Date"]).flatMap { StrictDate.parse($0, now: arrivedAt) } ?? arrivedAt
        return changed <= since
    }

    /// The value of `If-Range` that goes with the entry, where it has a strong validator (RFC 9110, section 13.1.5).
    static func strongValidator(_ headers: HTTPHeaders) -> String? {
        if headers.contains("ETag") {
            guard let tag = EntityTag(of: headers), !tag.isWeak else { return nil }
            return headers["ETag"]
        }
        return strongDate(headers) == nil ? nil : headers["Last-Modified"]
    }

    /// Whether the caller's `If-Range` is the entry's strong validator (RFC 9110, section 13.1.5).
    static func ifRange(_ condition: String, matches entry: HTTPHeaders) -> Bool {
        if let wanted = EntityTag(condition) {
            return EntityTag(of: entry).map { $0.equals(wanted) } ?? false
        }
        return strongDate(entry) != nil && entry["Last-Modified"] == FieldList.trimmed(condition)
    }

    /// `Last-Modified` where it is a strong validator: at least a second before the answer's `Date` (RFC 9110, section
    /// 8.8.2.2).
    private static func strongDate(_ headers: HTTPHeaders) -> Date? {
        guard let text = headers["Last-Modified"], let changed = StrictDate.parse(text, now: Date()),
            let sent = headers["Date"].flatMap({ StrictDate.parse($0, now: Date()) }),
            sent.timeIntervalSince(changed) >= 1
        else { return nil }
        return changed
    }

    private static func singleValue(_ name: String, _ headers: HTTPHeaders) -> String? {
        let values = headers.values(for: name)
        return values.count == 1 ? values.first : nil
    }
}
