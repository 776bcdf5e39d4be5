/// What the shop has.
struct Catalogue: Codable {
    let season: String
    let products: [Product]
}
