/// Which header fields an entry has, and how they change (RFC 9111, sections 3.1 and 3.2).
enum StoredFields {
    /// Fields about the connection or the proxy, and never part of an entry (section 3.1; RFC 9110, section 7.6.1).
    private static let neverStored = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization",
    ]

    /// The fields of a received answer that are stored: all but those about the connection, those that `Connection` names,
    /// and those that `no-cache="…"` names, which must not be used without asking (section 5.2.2.4).
    static func storable(_ headers: HTTPHeaders) -> HTTPHeaders {
        let connection = FieldList.names("Connection", in: headers)
        let named = headers.contains("Cache-Control") ? CacheControl(headers).noCacheFields : []
        let omitted = neverStored + connection + Array(named)
        guard headers.contains(where: { line in omitted.contains { HTTPHeaders.equal($0, line.name) } }) else {
            return headers
        }
        return HTTPHeaders(headers.filter { line in !omitted.contains { HTTPHeaders.equal($0, line.name) } })
    }

    /// The fields of an entry after an answer without content that speaks of it, a 304 or one to HEAD (section 3.2): each
    /// field of the answer takes the place of all lines of its name. The length, and of a part its place, belong to the
    /// stored content and stay. `Age` is the new answer's or gone.
    static func updated(_ stored: HTTPHeaders, by answer: HTTPHeaders, isPartial: Bool) -> HTTPHeaders {
        var result = stored
        result.remove("Age")
        let fresh = storable(answer).filter { line in
            !HTTPHeaders.equal(line.name, "Content-Length")
                && !(isPartial && HTTPHeaders.equal(line.name, "Content-Range"))
        }
        result.merge(HTTPHeaders(fresh))
        return result
    }
}
