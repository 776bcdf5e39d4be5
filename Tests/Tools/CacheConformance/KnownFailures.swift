/// Cases that are not passed on purpose, and why. All of them are checks, which tell what a cache does and are not counted.
enum KnownFailures {
    static let reasons: [String: String] = [
        "freshness-max-age-two-stale-fresh-sameline": first,
        "freshness-max-age-two-stale-fresh-sepline": first,
        "freshness-max-age-decimal-zero": strict,
        "freshness-max-age-decimal-five": strict,
        "freshness-max-age-100a": strict,
        "stale-warning-stored": warning,
        "stale-warning-become": warning,
        "heuristic-delta-5": tenth,
        "heuristic-delta-10": tenth,
        "heuristic-delta-30": tenth,
        "pragma-request-no-cache": "a caller who says no-cache in the old way is taken at his word",
        "conditional-etag-vary-headers-mismatch": "an entry for other request fields is not asked about",
        "304-etag-update-response-Content-Encoding":
            "the transport refuses content whose coding it does not know, before the cache sees it",
        "head-410-update": "only a 200 to HEAD updates an entry (RFC 9111, section 4.3.5)",
        "other-age-delay": "an answer of the server is given as it came",
    ]

    private static let first = "of two different values the first counts (RFC 9111, section 4.2.1)"
    private static let strict = "a lifetime that is no number is none (RFC 9111, section 4.2.1)"
    private static let warning = "Warning is obsolete (RFC 9111, section 5.5); `HTTPResponse.source` says it"
    private static let tenth = "a tenth of the time since the change is over when the case asks again"
}
