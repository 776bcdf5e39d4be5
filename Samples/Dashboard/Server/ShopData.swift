/// What the embedded server serves.
enum ShopData {
    static let weather = ["Lisbon": Weather(city: "Lisbon", celsius: 21, sky: "clear")]

    static let headlines = ["Tram 28 runs again", "A good year for sardines"].map(Headline.init(title:))

    static let profile = Profile(id: 7, name: "Ada")

    static let catalogue = Catalogue(
        season: "autumn",
        products: [
            Product(id: 1, name: "Teapot"), Product(id: 2, name: "Lamp"), Product(id: 3, name: "Tea"),
            Product(id: 4, name: "Blanket"),
        ])

    /// The numbers of the products each customer has ordered.
    static let orders = [7: [1, 2]]

    /// What goes with a product.
    static let companions = [1: [3], 2: [4]]

    static func products(_ ids: [Int]) -> [Product] {
        ids.compactMap { id in catalogue.products.first { $0.id == id } }
    }
}
