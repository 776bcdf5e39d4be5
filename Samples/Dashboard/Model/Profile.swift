/// Who is logged in.
struct Profile: Codable {
    let id: Int
    let name: String
}
