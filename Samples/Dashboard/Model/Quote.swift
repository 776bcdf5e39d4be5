/// The price of a share.
struct Quote: Codable {
    let symbol: String
    let price: Double
}
