import Trunkline

/// The weather in a city, `GET v1/weather?city=…`.
final class WeatherAPI: DashboardAPI<Weather>, APIManagerProtocol {
    convenience init(city: String) { self.init(["city": city]) }

    func methodName() -> String { "weather" }
}
