/// The figures of one way to encode the same content.
struct EncodingMeasurement: Codable {
    var content: String
    var encoder: String
    /// Whether the other encoders of the content are compared with this one.
    var isBaseline: Bool
    /// Of one operation: the median of the rounds.
    var microseconds: Double
    /// The length of what was written.
    var bytes: Int
}
