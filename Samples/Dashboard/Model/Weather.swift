/// The weather in a city.
struct Weather: Codable {
    let city: String
    let celsius: Int
    let sky: String
}
