extension ResponseCache {
    func keep(_ response: HTTPResponse, as entry: CachedResponse, for key: CacheKey, ticket: CacheTicket)
        -> HTTPResponse
    {
        guard case .data(let data) = response.body else { return response }
        var entry = entry
        entry.body = .data(data)
        storeInBackground(entry, for: key, ticket: ticket)
        return response
    }
}
