import Foundation

/// What stands under the primary key of a URL whose answers vary; see ``CacheVariants``.
struct VariantMarker: Hashable, Sendable {
    /// The number that the keys of the variants carry.
    private(set) var generation: String
    /// The sets of names, each sorted and joined by commas, the newest last.
    private(set) var nameSets: [String] = []
    /// For answers of one language: the language, and the `Accept-Language` that it was an answer to.
    private(set) var languages: [Language] = []

    struct Language: Hashable, Sendable {
        var language: String
        var accepted: String
    }

    /// No server has this many ways to vary; who changes `Vary` with every answer must not make the marker grow.
    private static let nameSetLimit = 8
    private static let languageLimit = 16
    /// No token, so that no request has this method.
    private static let method = HTTPMethod(rawValue: "(variants)")

    /// A marker with a number of its own.
    init() { generation = String(UInt64.random(in: .min ... .max), radix: 16) }

    /// Whether the entry is a marker and no answer.
    static func isMarker(_ record: CachedResponse) -> Bool { record.requestMethod == method }

    /// Reads the marker; nil when the entry is an answer.
    init?(_ record: CachedResponse) {
        guard VariantMarker.isMarker(record), let generation = record.headers["Generation"] else {
            return nil
        }
        self.generation = generation
        nameSets = record.headers.values(for: "Names")
        languages = record.headers.values(for: "Language").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? Language(language: parts[0], accepted: parts[1]) : nil
        }
    }

    /// The marker as it is stored.
    func record(for answer: CachedResponse, at now: Date) -> CachedResponse {
        var headers: HTTPHeaders = ["Generation": generation]
        for names in nameSets { headers.add("Names", names) }
        for language in languages { headers.add("Language", language.language + " " + language.accepted) }
        return CachedResponse(
            statusCode: 200, headers: headers, requestMethod: VariantMarker.method, requestURL: answer.requestURL,
            storedAt: now)
    }

    /// Takes note of an answer that is going to be stored.
    mutating func add(_ names: [String], _ answer: CachedResponse, _ request: HTTPHeaders) {
        let joined = names.joined(separator: ",")
        if !nameSets.contains(joined) { nameSets = nameSets.suffix(VariantMarker.nameSetLimit - 1) + [joined] }
        guard names.contains("accept-language"), let language = VariantMarker.language(of: answer),
            let accepted = SelectedFields.of(request, names: ["accept-language"])["accept-language"]
        else { return }
        let alias = Language(language: language, accepted: accepted)
        guard !languages.contains(alias) else { return }
        languages.removeAll { $0.language == language }
        languages = languages.suffix(VariantMarker.languageLimit - 1) + [alias]
    }

    /// The keys under which an answer to the request may be.
    func keys(under primary: CacheKey, for request: HTTPHeaders) -> [CacheKey] {
        var keys: [CacheKey] = []
        for joined in nameSets {
            let names = joined.split(separator: ",").map(String.init)
            var values = SelectedFields.of(request, names: names)
            keys.append(key(under: primary, names: names, values: values))
            // Content negotiation as the server would do it: an answer in the one language that is wanted most.
            guard names.contains("accept-language"), let wanted = SelectedFields.preferredLanguage(request),
                let alias = languages.last(where: { $0.language == wanted }),
                alias.accepted != values["accept-language"]
            else { continue }
            values.set("accept-language", alias.accepted)
            keys.append(key(under: primary, names: names, values: values))
        }
        return keys
    }

    /// Whether the entry found under one of ``keys(under:for:)`` answers the request.
    func accepts(_ entry: CachedResponse, for request: HTTPRequest) -> Bool {
        if CacheRules.matches(entry, request) { return true }
        guard let language = VariantMarker.language(of: entry),
            language == SelectedFields.preferredLanguage(request.headers),
            let accepted = entry.requestHeaders["Accept-Language"]
        else { return false }
        var asked = request
        asked.headers.set("Accept-Language", accepted)
        return CacheRules.matches(entry, asked)
    }

    /// The key of one variant.
    func key(under primary: CacheKey, names: [String], values: HTTPHeaders) -> CacheKey {
        CacheKey(variantOf: primary, generation: generation, names: names, values: values)
    }

    /// The one language of the answer, in lower case.
    private static func language(of answer: CachedResponse) -> String? {
        let languages = FieldList.names("Content-Language", in: answer.headers)
        guard languages.count == 1, let language = languages.first, !language.contains(" ") else { return nil }
        return language
    }
}
