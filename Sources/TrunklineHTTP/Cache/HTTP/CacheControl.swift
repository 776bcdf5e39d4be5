/// The directives of a message's `Cache-Control` (RFC 9111, section 5.2; RFC 5861; RFC 8246), of a request or a response.
///
/// Names are read without case, values as tokens or quoted strings (section 5.2); directives that are not known are
/// ignored (section 5.2.3). Where a directive with a value stands twice, the first counts (section 4.2.1).
public struct CacheControl: Hashable, Sendable {
    /// `no-store`: keep nothing of this message (sections 5.2.1.5, 5.2.2.5).
    public var noStore = false
    /// `no-cache` without field names: ask the server before use (sections 5.2.1.4, 5.2.2.4).
    public var noCache = false
    /// The fields named by `no-cache="…"`, in lower case: the rest may be used, these not (section 5.2.2.4).
    public var noCacheFields: Set<String> = []
    /// `must-revalidate`: never use it stale (section 5.2.2.2).
    public var mustRevalidate = false
    /// `must-understand`: store it only when the status code is known, and then in spite of `no-store` (section 5.2.2.3).
    public var mustUnderstand = false
    /// `public`: may be stored although its status code alone would not allow it (section 5.2.2.9).
    public var isPublic = false
    /// `private`: for one user only, which this cache's partitions are (section 5.2.2.7).
    public var isPrivate = false
    /// `immutable`: doesn't change while it is fresh (RFC 8246, section 2).
    public var immutable = false
    /// `only-if-cached`: answer from the cache or not at all (section 5.2.1.7).
    public var onlyIfCached = false
    /// `max-age` in seconds; 0 where the value is no number, so that the message is stale (section 4.2.1).
    public var maxAge: Int?
    /// `max-stale` in seconds, `Int.max` where it has no value (section 5.2.1.2).
    public var maxStale: Int?
    /// `min-fresh` in seconds (section 5.2.1.3).
    public var minFresh: Int?
    /// `stale-while-revalidate` in seconds (RFC 5861, section 3).
    public var staleWhileRevalidate: Int?
    /// `stale-if-error` in seconds (RFC 5861, section 4).
    public var staleIfError: Int?

    /// The largest number of seconds there is, about 68 years: greater values count as this one (section 1.2.2).
    public static let longest = 2_147_483_648

    /// No directives.
    public init() {}

    /// The directives of all `Cache-Control` lines.
    public init(_ headers: HTTPHeaders) {
        for line in headers where HTTPHeaders.equal(line.name, "Cache-Control") { read(line.value) }
    }

    /// The directives in the text.
    public init(parsing text: String) { read(text) }

    private mutating func read(_ text: String) {
        var reader = DirectiveReader(text)
        while let directive = reader.next() { take(directive) }
    }

    private mutating func take(_ directive: DirectiveReader.Directive) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": takeNoCache(directive.value)
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = maxAge ?? CacheControl.seconds(directive.value) ?? 0
        case "max-stale":
            let value: Int? = directive.value == .none ? .max : CacheControl.seconds(directive.value)
            maxStale = maxStale ?? value
        case "min-fresh": minFresh = minFresh ?? CacheControl.seconds(directive.value)
        case "stale-while-revalidate":
            staleWhileRevalidate = staleWhileRevalidate ?? CacheControl.seconds(directive.value)
        case "stale-if-error": staleIfError = staleIfError ?? CacheControl.seconds(directive.value)
        default: break
        }
    }

    /// Fields named or not: the directive without names is the stronger one.
    private mutating func takeNoCache(_ value: DirectiveReader.Value) {
        guard case .text(let text) = value else {
            noCache = true
            return
        }
        let names = FieldList.members(of: text).map { $0.lowercased() }
        if names.isEmpty { noCache = true } else { noCacheFields.formUnion(names) }
    }

    /// delta-seconds (section 1.2.2): digits only, too many of them are ``longest``.
    static func seconds(_ value: DirectiveReader.Value) -> Int? {
        guard case .text(let text) = value else { return nil }
        return seconds(text)
    }

    /// delta-seconds in the text, or nil.
    static func seconds(_ text: some StringProtocol) -> Int? {
        var result = 0
        var isEmpty = true
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            isEmpty = false
            result = min(longest, result * 10 + Int(byte - 0x30))
        }
        return isEmpty ? nil : result
    }
}
