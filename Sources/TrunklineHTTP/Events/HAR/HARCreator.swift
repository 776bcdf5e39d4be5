/// The program that wrote a HAR file.
public struct HARCreator: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String

    /// Makes a creator.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// This library.
    public static let trunkline = HARCreator(name: "Trunkline", version: "1.0")
}
