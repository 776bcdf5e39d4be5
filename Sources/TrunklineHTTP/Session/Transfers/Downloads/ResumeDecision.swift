/// What an answer means for the bytes that are there: a pure function of what was asked and the answer's head.
enum ResumeDecision: Hashable, Sendable {
    /// The whole content, from its first byte on; with its length, where it is known.
    case whole(length: Int64?)
    /// The content from the offset asked for on: so many bytes, of so many in all where the server told.
    case rest(count: Int64, total: Int64?)
    /// What is there is of no use any more, or the answer can't be put behind it: forget it and ask for the whole.
    case startOver
    /// Not the content: a refusal, or an answer nobody asked a range of.
    case other
    /// The server sent a part that nobody asked for.
    case unaskedPart

    /// - Parameters:
    ///   - offset: the first byte asked for by `Range`, or nil when the whole was asked for.
    ///   - state: what is known about the bytes before it.
    static func decide(status: Int, headers: HTTPHeaders, offset: Int64?, state: DownloadState?) -> ResumeDecision {
        let isCoded = headers["Content-Encoding"].map { !HTTPHeaders.equal($0, "identity") } ?? false
        switch status {
        case 200:
            return .whole(length: isCoded ? nil : headers.contentLength)
        case 206:
            let range = ContentRange(headers["Content-Range"])
            // All of it, if not what was asked for: some servers send any range as the whole.
            if let range, range.first == 0, range.total == range.count, !isCoded {
                return .whole(length: range.count)
            }
            guard let offset, let state else { return .unaskedPart }
            // A coded part counts other bytes than those that are there.
            guard let range, range.first == offset, !isCoded, !state.validator.contradicts(headers) else {
                return .startOver
            }
            if let known = state.total, let total = range.total, known != total { return .startOver }
            if let total = range.total ?? state.total, range.last >= total { return .startOver }
            if let length = headers.contentLength, length != range.count { return .startOver }
            return .rest(count: range.count, total: range.total ?? state.total)
        case 416 where offset != nil:
            return .startOver
        default:
            return .other
        }
    }
}
