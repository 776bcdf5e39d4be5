import Foundation
import TrunklineHTTP

extension LoopbackResponse {
    /// Content that can be asked for in part (RFC 9110, section 14): 200 with the whole, 206 with one range, 416 for one
    /// that lies outside. `If-Range` is respected; several ranges at once get the whole.
    ///
    /// - Parameters:
    ///   - data: the whole content.
    ///   - request: the request.
    ///   - etag: its entity tag, quotes included; nil for none.
    ///   - contentType: its media type.
    public static func ranged(
        _ data: Data, of request: LoopbackRequest, etag: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> LoopbackResponse {
        var headers: HTTPHeaders = ["Accept-Ranges": "bytes"]
        if let etag { headers.set("ETag", etag) }
        let whole = LoopbackResponse.data(data, contentType: contentType, headers: headers)
        guard let field = request.headers["Range"], let asked = RangeField(field) else { return whole }
        // A weak tag never matches here (RFC 9110, section 13.1.5).
        if let condition = request.headers["If-Range"], condition != etag || condition.hasPrefix("W/") { return whole }
        guard let range = asked.range(of: data.count) else {
            return .status(416, headers: headers.merging(["Content-Range": "bytes */\(data.count)"]))
        }
        headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(data.count)")
        let part = data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
        return .data(Data(part), contentType: contentType, status: 206, headers: headers)
    }
}

/// A `Range` field with one range of bytes.
private struct RangeField {
    private enum Kind {
        case from(Int, to: Int?)
        case last(Int)
    }

    private let kind: Kind

    /// Nil for what a server must pass over: other units, several ranges, nonsense.
    init?(_ field: String) {
        guard field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (ends[0].trimmingCharacters(in: .whitespaces), ends[1].trimmingCharacters(in: .whitespaces))
        if first.isEmpty {
            guard let count = Int(last), count >= 0 else { return nil }
            kind = .last(count)
            return
        }
        guard let start = Int(first), start >= 0 else { return nil }
        if last.isEmpty {
            kind = .from(start, to: nil)
            return
        }
        guard let end = Int(last), end >= start else { return nil }
        kind = .from(start, to: end)
    }

    /// The bytes that are meant; nil where there are none.
    func range(of length: Int) -> Range<Int>? {
        switch kind {
        case .last(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - min(count, length))..<length
        case .from(let start, let end):
            guard start < length else { return nil }
            return start..<min(length, end.map { $0 < Int.max ? $0 + 1 : $0 } ?? length)
        }
    }
}
