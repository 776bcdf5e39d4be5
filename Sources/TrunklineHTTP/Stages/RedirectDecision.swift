import Foundation

/// What to do with a response that may be a redirect: a pure function of the exchange so far.
enum RedirectDecision: Sendable {
    /// Hand the response to the caller.
    case deliver
    /// Send this request next.
    case follow(HTTPRequest)
    /// End with this error.
    case fail(HTTPError)

    /// Decides by RFC 9110, section 15.4, and, where it leaves a choice, by the Fetch standard's redirect rules.
    static func decide(
        request: HTTPRequest, response: HTTPResponse, policy: RedirectPolicy, followed: Int
    ) -> RedirectDecision {
        guard [301, 302, 303, 307, 308].contains(response.statusCode) else { return .deliver }
        let limit: Int
        switch policy {
        case .refuse: return .deliver
        case .follow(let most), .sameOrigin(let most): limit = most
        case .custom(let rule): limit = rule.limit
        }
        // Without a Location there is nothing to follow: the response is the answer (section 15.4).
        guard let location = response.headers["Location"] else { return .deliver }
        guard let target = resolve(location, against: request.url) else {
            return .fail(.invalidRedirect(reason: "the Location \"\(location)\" is not a URL", response))
        }
        do {
            try HTTPRequest.validate(url: target)
        } catch {
            return .fail(.invalidRedirect(reason: "the Location \"\(location)\" can't be requested", response))
        }
        let sameOrigin = Origin(target) == Origin(request.url)
        if case .sameOrigin = policy, !sameOrigin { return .deliver }
        guard followed < limit else { return .fail(.tooManyRedirects(limit: limit, response)) }

        var redirected = request
        redirected.url = target
        if changesToGet(method: request.method, status: response.statusCode) {
            redirected.method = .get
            redirected.body = nil
            for name in contentFields { redirected.headers.remove(name) }
        } else if let body = request.body, !body.isReplayable {
            return .fail(.bodyNotReplayable(reason: "a \(response.statusCode) redirect asks for the same body"))
        }
        if !sameOrigin {
            for name in credentialFields { redirected.headers.remove(name) }
        }
        guard case .custom(let rule) = policy else { return .follow(redirected) }
        return choice(of: rule, redirected, after: request, response)
    }

    /// What a rule of the app's makes of the redirect. A credential goes to another origin only where the rule put one in.
    private static func choice(
        of rule: RedirectRule, _ redirected: HTTPRequest, after request: HTTPRequest, _ response: HTTPResponse
    ) -> RedirectDecision {
        guard var chosen = rule.choose(redirected, response) else { return .deliver }
        do {
            try HTTPRequest.validate(url: chosen.url)
        } catch {
            return .fail(.invalidRedirect(reason: "the rule chose \(chosen.url), which can't be requested", response))
        }
        if Origin(chosen.url) != Origin(request.url) {
            for name in credentialFields where chosen.headers[name] == request.headers[name] {
                chosen.headers.remove(name)
            }
        }
        return .follow(chosen)
    }

    /// Fields that describe the content that is no longer sent (RFC 9110, section 15.4, step 5).
    private static let contentFields = [
        "Content-Type", "Content-Language", "Content-Encoding", "Content-Location", "Digest", "Content-Digest",
        "Last-Modified",
    ]

    /// Fields that must not reach another origin (RFC 9110, section 15.4, step 2).
    private static let credentialFields = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// 303 turns everything but HEAD into GET; 301 and 302 do so to POST only; 307 and 308 never.
    private static func changesToGet(method: HTTPMethod, status: Int) -> Bool {
        switch status {
        case 303: method != .get && method != .head
        case 301, 302: method == .post
        default: false
        }
    }

    /// Resolves by RFC 3986, section 5; a target without a fragment inherits the request's (RFC 9110, section 10.2.2).
    private static func resolve(_ location: String, against base: URL) -> URL? {
        let text = location.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, let target = URL(string: text, relativeTo: base)?.absoluteURL else { return nil }
        guard target.fragment == nil, let fragment = base.fragment(percentEncoded: true) else { return target }
        return URL(string: target.absoluteString + "#" + fragment)
    }
}
