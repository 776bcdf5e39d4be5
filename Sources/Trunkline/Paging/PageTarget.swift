/// What identifies a page to the server.
public enum PageTarget: Hashable, Sendable, Codable {
    /// The first page of a list whose pages have no numbers.
    case first
    /// The page with this number.
    case page(Int)
    /// The page that begins after this many items.
    case offset(Int)
    /// The page a cursor, or a token of a strategy of the app's, stands for.
    case token(String)
    /// The page at this absolute URL.
    case link(String)
}
