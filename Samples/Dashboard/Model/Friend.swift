/// A customer whom another customer knows.
struct Friend: Codable {
    let name: String
}
