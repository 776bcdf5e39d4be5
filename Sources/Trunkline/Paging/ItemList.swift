/// The items of a list, each once, and where its pages begin.
struct ItemList<Item: Sendable> {
    private(set) var items: [Item] = []
    /// The index of each page's first new item.
    private(set) var pageStarts: [Int] = []
    private var places: [AnyHashable: Int] = [:]

    /// Adds a page. An item that is there already is replaced in its place.
    mutating func append(_ page: [Item], identity: (Item) -> AnyHashable?) {
        pageStarts.append(items.count)
        for item in page {
            guard let id = identity(item) else {
                items.append(item)
                continue
            }
            if let place = places[id], items.indices.contains(place) {
                items[place] = item
            } else {
                places[id] = items.count
                items.append(item)
            }
        }
    }

    /// What a page has added; nil when there is no such page.
    func page(at index: Int) -> [Item]? {
        guard pageStarts.indices.contains(index) else { return nil }
        let end = pageStarts.indices.contains(index + 1) ? pageStarts[index + 1] : items.count
        return Array(items[pageStarts[index]..<end])
    }
}
