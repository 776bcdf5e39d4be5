/// Finds the list in an answer that doesn't say where it is.
enum ItemsPath {
    /// The way to the content itself where it is an array, to its only array otherwise; nil when there is none, or more.
    ///
    /// - Parameter path: where the content is, in an envelope.
    static func find(in json: JSONValue, below path: ContentPath?) -> ContentPath? {
        let path = path ?? ContentPath(steps: [])
        switch json.value(at: path) {
        case .array: return path
        case .object(let members):
            let lists = members.filter { $0.value.array != nil }
            guard lists.count == 1, let name = lists.keys.first else { return nil }
            return ContentPath(steps: path.steps + [.key(name)])
        default: return nil
        }
    }
}
