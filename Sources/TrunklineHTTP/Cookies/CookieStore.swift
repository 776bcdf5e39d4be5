import Foundation

/// The cookies of a session, the same on every transport. Off unless a session is given one:
///
///     let session = SessionManager(configuration: SessionConfiguration(cookies: CookieStore()))
///
/// Follows RFC 6265 as a client without scripts: domain, path, `Secure`, `Expires` and `Max-Age` decide; `SameSite` has no
/// meaning without a browsing context and is ignored. There is no list of public suffixes: a domain without a dot is
/// refused, one like `co.uk` is not. A request that carries a `Cookie` field of the caller's own gets no other.
///
/// All members may be used from any thread.
public final class CookieStore: Sendable {
    private struct State: Sendable {
        var cookies: [Cookie] = []
    }

    /// How many cookies are kept in all, and of one domain (RFC 6265, section 6.1); the oldest give way.
    static let limit = 3000
    static let limitPerDomain = 50

    private let state: Protected<State>
    private let file: URL?
    /// Where the file is written, so that no caller waits for the disk.
    private let disk = DispatchQueue(label: "trunkline.cookies", qos: .utility)

    /// Makes a store.
    ///
    /// - Parameter file: where cookies with an end date are kept between launches; nil, the default, keeps none. The
    ///   file is written atomically with access for its owner only; one that can't be read counts as empty.
    public init(file: URL? = nil) {
        self.file = file
        var kept: [Cookie] = []
        if let file, let data = try? Data(contentsOf: file) {
            kept = (try? JSONDecoder().decode([Cookie].self, from: data)) ?? []
        }
        let now = Date()
        state = Protected(State(cookies: kept.filter { !$0.isExpired(at: now) }))
    }

    /// The cookies that have not ended, oldest first.
    public var cookies: [Cookie] {
        let now = Date()
        return state.withLock { $0.cookies }.filter { !$0.isExpired(at: now) }
    }

    /// The cookies for a request, longer paths first, then older ones (section 5.4, step 2).
    public func cookies(for url: URL, at now: Date = Date()) -> [Cookie] {
        state.withLock { $0.cookies }.filter { $0.matches(url, at: now) }
            .sorted {
                $0.path.utf8.count != $1.path.utf8.count
                    ? $0.path.utf8.count > $1.path.utf8.count : $0.created < $1.created
            }
    }

    /// The `Cookie` field for a request, or nil when no cookie is for it.
    public func header(for url: URL, at now: Date = Date()) -> String? {
        let matching = cookies(for: url, at: now)
        return matching.isEmpty ? nil : matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Takes the `Set-Cookie` lines of a response in; lines that make no cookie are passed over.
    public func store(_ headers: HTTPHeaders, from url: URL, at now: Date = Date()) {
        let lines = headers.values(for: "Set-Cookie")
        guard !lines.isEmpty else { return }
        insert(lines.compactMap { CookieParser.cookie($0, from: url, now: now) }, at: now)
    }

    /// Keeps a cookie, in the place of one with the same name, domain and path. One whose time is over removes it.
    public func set(_ cookie: Cookie) { insert([cookie], at: Date()) }

    /// Removes the cookies for which `isRemoved` is true.
    public func remove(where isRemoved: (Cookie) -> Bool) {
        state.withLock { $0.cookies.removeAll(where: isRemoved) }
        save()
    }

    /// Removes every cookie: at log-out.
    public func removeAll() { remove { _ in true } }

    /// Returns when the file holds what the store holds now.
    public func flush() { disk.sync {} }

    private func insert(_ new: [Cookie], at now: Date) {
        guard !new.isEmpty else { return }
        state.withLock { state in
            for var cookie in new {
                if let index = state.cookies.firstIndex(where: { $0.isReplaced(by: cookie) }) {
                    cookie.created = state.cookies[index].created
                    state.cookies.remove(at: index)
                }
                if !cookie.isExpired(at: now) { state.cookies.append(cookie) }
            }
            state.cookies.removeAll { $0.isExpired(at: now) }
            for domain in Set(new.map(\.domain)) {
                let excess = state.cookies.filter { $0.domain == domain }.count - CookieStore.limitPerDomain
                for _ in 0..<max(0, excess) {
                    if let oldest = state.cookies.firstIndex(where: { $0.domain == domain }) {
                        state.cookies.remove(at: oldest)
                    }
                }
            }
            if state.cookies.count > CookieStore.limit {
                state.cookies.removeFirst(state.cookies.count - CookieStore.limit)
            }
        }
        save()
    }

    private func save() {
        guard let file else { return }
        disk.async { [state] in
            let lasting = state.withLock { $0.cookies }.filter { $0.expires != nil }
            guard let data = try? JSONEncoder().encode(lasting) else { return }
            // A file that can't be written costs the next launch its cookies and nothing else.
            PrivateFile.write(data, to: file)
        }
    }
}

extension Cookie {
    fileprivate func isReplaced(by other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path
    }
}
