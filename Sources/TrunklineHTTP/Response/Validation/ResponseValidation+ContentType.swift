import Foundation

extension ResponseValidation {
    /// Accepts content of these media types. Ranges like `image/*` and `*/*` are understood, letter case and parameters
    /// don't count (RFC 9110, sections 8.3.1 and 12.5.1), and an entry that is no media type matches nothing.
    ///
    /// A response without content has no type to judge and is accepted. Content without a `Content-Type` is accepted by
    /// `*/*` alone.
    public static func contentTypes(_ accepted: [String]) -> ResponseValidation {
        let ranges = accepted.compactMap { MediaType($0) }
        return ResponseValidation(checks: [{ reason($0, accepted: accepted, ranges) }])
    }

    /// Accepts content of the media types the request's own `Accept` asks for; anything where it has none.
    public static let acceptedContentType = ResponseValidation(checks: [
        { response in
            let accepted = response.request.headers.values(for: "Accept")
                .flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
            return accepted.isEmpty ? nil : reason(response, accepted: accepted, accepted.compactMap { MediaType($0) })
        }
    ])

    /// A check of the app's own: nil accepts, a reason, written to follow "The response was refused:", refuses.
    public static func check(_ refusal: @escaping @Sendable (HTTPResponse) -> String?) -> ResponseValidation {
        ResponseValidation(checks: [{ response in refusal(response).map { .custom($0) } }])
    }

    private static func reason(
        _ response: HTTPResponse, accepted: [String], _ ranges: [MediaType]
    ) -> ValidationFailure.Reason? {
        guard response.hasContent else { return nil }
        let everything = ranges.contains { $0.type == "*" && $0.subtype == "*" }
        guard let text = response.headers["Content-Type"] else {
            return everything ? nil : .missingContentType(accepted: accepted)
        }
        guard !everything else { return nil }
        guard let type = MediaType(text), ranges.contains(where: type.matches) else {
            return .unacceptableContentType(text, accepted: accepted)
        }
        return nil
    }
}

extension HTTPResponse {
    /// Whether there is content to judge: of a stream, whose length only the end tells, what the head promises.
    var hasContent: Bool {
        switch body {
        case .data(let data): !data.isEmpty
        case .file(let url): ((try? FileFacts.length(of: url)) ?? 0) > 0
        case .stream:
            request.method != .head && ![204, 205, 304].contains(statusCode) && headers["Content-Length"] != "0"
        }
    }
}
