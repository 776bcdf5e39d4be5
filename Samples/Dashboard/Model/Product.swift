/// A thing the shop sells.
struct Product: Codable {
    let id: Int
    let name: String
}
