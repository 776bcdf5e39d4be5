import Foundation

/// Settings by path.
extension Service {
    /// Settings for the requests whose path matches a pattern, from now on. Where several patterns match, the rule made later
    /// wins, setting by setting and header by header.
    ///
    /// ```swift
    /// service.configure("/items/**") { $0.timeouts = Timeouts(idle: .seconds(5)) }
    /// service.configure("/items/*") { $0.headers["X-Detail"] = "full" }
    /// ```
    ///
    /// - Parameters:
    ///   - pattern: compared with the path below the environment's base URL and version; with the whole path where the
    ///     request is elsewhere. See ``PathPattern``.
    ///   - edit: changes a rule that is empty.
    public func configure(_ pattern: PathPattern, _ edit: (inout RequestRule) -> Void) {
        var rule = RequestRule()
        edit(&rule)
        rules.append((pattern, rule))
    }

    /// Forgets every rule.
    public func removeAllRules() { rules = [] }

    /// What holds for a URL.
    func rule(for url: URL) -> RequestRule {
        guard !rules.isEmpty else { return RequestRule() }
        let path = pathBelowBase(of: url)
        return rules.reduce(RequestRule()) { $1.pattern.matches(path) ? $0.merging($1.rule) : $0 }
    }

    private func pathBelowBase(of url: URL) -> String {
        let path = Self.path(of: url)
        guard let environment = try? environment(),
            let base = try? URLBuilder.join(base: environment.baseURL, version: environment.apiVersion, path: ""),
            Origin(base) == Origin(url)
        else { return path }
        var prefix = Self.path(of: base)[...]
        while prefix.last == "/" { prefix.removeLast() }
        guard path.hasPrefix(prefix) else { return path }
        let rest = path.dropFirst(prefix.count)
        return rest.isEmpty || rest.first == "/" ? String(rest) : path
    }

    /// The path with its escapes.
    private static func path(of url: URL) -> String {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
    }
}
