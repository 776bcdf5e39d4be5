import Foundation

/// Parts of a content in the store (RFC 9111, sections 3.3 and 3.4). An entry with status 206 holds one contiguous part, whose
/// place its `Content-Range` names.
enum PartialContent {
    /// What of the entry answers a request for the range; nil when it has not all of it.
    ///
    /// - Parameter field: the request's `Range` as it is: the answer to the same question is the whole of the stored part.
    static func form(of entry: CachedResponse, for range: RequestedRange, field: String?) -> CacheAnswer.Form? {
        // The offsets of a coded content are not those of the decoded one that is stored.
        guard hasPlainContent(entry.headers) else { return nil }
        if entry.statusCode == 200 {
            let total = entry.body.count
            guard let offsets = range.resolved(total: total) else { return nil }
            return .part(offsets, first: offsets.lowerBound, total: total)
        }
        guard entry.statusCode == 206, let place = ContentRange(of: entry.headers), entry.body.count > 0 else {
            return nil
        }
        if let field, entry.requestHeaders["Range"] == field { return .whole }
        // Of a content that is shorter or longer than its place says, the bytes that are there and belong there.
        let held = place.first..<place.first + min(place.last - place.first + 1, entry.body.count)
        guard let wanted = wanted(range, place, held), held.contains(wanted.lowerBound),
            wanted.upperBound <= held.upperBound, !wanted.isEmpty
        else { return nil }
        return .part(
            wanted.lowerBound - place.first..<wanted.upperBound - place.first, first: wanted.lowerBound,
            total: place.total)
    }

    /// The offsets in the whole that the request wants. A part that reaches the end has whatever goes to the end.
    private static func wanted(_ range: RequestedRange, _ place: ContentRange, _ held: Range<Int64>) -> Range<Int64>? {
        switch range {
        case .closed(let first, let last):
            let end = place.total.map { min(last, $0 - 1) } ?? last
            return first <= end ? first..<end + 1 : nil
        case .from(let first):
            return place.reachesEnd && first < held.upperBound ? first..<held.upperBound : nil
        case .suffix(let count):
            guard place.reachesEnd, let total = place.total else { return nil }
            let first = max(0, total - count)
            return first < held.upperBound ? first..<held.upperBound : nil
        }
    }

    /// The offset from which a stored beginning has to be completed; nil when it is no beginning, its bytes are not in memory,
    /// or the length of the whole is not known.
    static func missing(from entry: CachedResponse) -> Int64? {
        guard entry.statusCode == 206, hasPlainContent(entry.headers), let place = ContentRange(of: entry.headers),
            place.first == 0, let data = entry.body.data, Int64(data.count) == place.last + 1,
            let total = place.total, place.last + 1 < total
        else { return nil }
        return place.last + 1
    }

    /// The stored part with another one behind it (section 3.4): both must have the same strong validator, agree about the
    /// whole, and leave no gap. Nil when they don't belong together.
    static func combined(_ entry: CachedResponse, with headers: HTTPHeaders, _ data: Data) -> CachedResponse? {
        guard entry.statusCode == 206, let stored = ContentRange(of: entry.headers), let held = entry.body.data,
            let new = ContentRange(of: headers), hasPlainContent(headers), hasPlainContent(entry.headers),
            let validator = Validation.strongValidator(headers),
            validator == Validation.strongValidator(entry.headers),
            Int64(held.count) == stored.last - stored.first + 1, Int64(data.count) == new.last - new.first + 1,
            stored.total == new.total || stored.total == nil || new.total == nil
        else { return nil }
        guard new.first >= stored.first, new.first <= stored.last + 1, new.last > stored.last else { return nil }
        let overlap = Int(stored.last + 1 - new.first)
        var combined = entry
        combined.body = .data(held + data.dropFirst(overlap))
        combined.headers = StoredFields.updated(entry.headers, by: headers, isPartial: true)
        let place = ContentRange(first: stored.first, last: new.last, total: new.total ?? stored.total)
        combined.requestHeaders.remove("Range")
        if place.first == 0, place.reachesEnd {
            combined.statusCode = 200
            combined.headers.remove("Content-Range")
            combined.headers.set("Content-Length", String(new.last + 1))
        } else {
            combined.headers.set("Content-Range", place.text)
            combined.headers.set("Content-Length", String(new.last - stored.first + 1))
        }
        return combined
    }

    /// The head of an entry whose content was cut short after so many bytes, as a stored part that can be completed later
    /// (section 3.3); nil when the head doesn't allow it: no length, no strong validator, a coded content, no 200.
    static func head(of entry: CachedResponse, cutAfter count: Int64) -> CachedResponse? {
        guard entry.statusCode == 200, entry.requestMethod == .get, count > 0, hasPlainContent(entry.headers),
            let total = entry.headers.contentLength, count < total,
            Validation.strongValidator(entry.headers) != nil
        else { return nil }
        var part = entry
        part.statusCode = 206
        part.headers.set("Content-Range", ContentRange(first: 0, last: count - 1, total: total).text)
        part.headers.set("Content-Length", String(count))
        return part
    }

    /// Whether the stored bytes are those the server counts.
    private static func hasPlainContent(_ headers: HTTPHeaders) -> Bool {
        guard let coding = headers["Content-Encoding"] else { return true }
        return HTTPHeaders.equal(FieldList.trimmed(coding), "identity")
    }
}
