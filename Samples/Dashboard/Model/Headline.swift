/// A piece of news.
struct Headline: Codable {
    let title: String
}
