import Foundation

/// A list as it is saved.
private struct SavedList<Item> {
    var state: PagingState
    var pageStarts: [Int]
    var items: [Item]

    enum CodingKeys: String, CodingKey { case state, pageStarts, items }
}

extension SavedList: Encodable where Item: Encodable {}
extension SavedList: Decodable where Item: Decodable {}

extension ItemPagingManager where Item: Encodable {
    /// The list with its items, as JSON: to be kept in a file, and put back with ``restoreList(from:)``.
    ///
    /// - Throws: `.other` when an item refuses to be encoded.
    public func savedList() throws(APIError) -> Data {
        do {
            return try JSONEncoder().encode(SavedList(state: savedState, pageStarts: pageStarts, items: items))
        } catch {
            throw APIError(.other, reason: "The list can't be saved: \(error).")
        }
    }

    /// Puts a saved list back, its items and where it stood; loads in flight are cancelled.
    ///
    /// - Throws: `.invalidContent` for anything that is not a saved list of these items and this strategy; the list then
    ///   stays as it is.
    public func restoreList(from data: Data) throws(APIError) {
        let saved: SavedList<Item>
        do {
            saved = try JSONDecoder().decode(SavedList<Item>.self, from: data)
        } catch {
            throw APIError(.invalidContent, reason: "The saved list can't be read: \(error).")
        }
        let bounds = [0] + saved.pageStarts + [saved.items.count]
        guard saved.pageStarts.first ?? 0 == 0, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 <= $1 }),
            saved.items.isEmpty || !saved.pageStarts.isEmpty
        else {
            throw APIError(.invalidContent, reason: "The saved list can't be restored: its pages don't add up.")
        }
        try restore(saved.state)
        replace(items: saved.items, pageStarts: saved.pageStarts)
    }
}
