/// Somebody with a library card.
struct Reader: Equatable {
    let name: String
    /// What the log-in gave.
    let token: String
}
