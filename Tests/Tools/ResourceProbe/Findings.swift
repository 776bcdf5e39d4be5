/// What a measurement finds.
enum Findings {
    static func report(_ name: String, _ value: Int?) {
        if let value { print(name, value) }
    }

    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    static func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        if !condition { throw Unexpected(description: what()) }
    }
}
