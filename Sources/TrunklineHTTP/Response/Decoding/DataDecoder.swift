import Foundation

/// Turns the bytes of a response into a value: Foundation's decoders, or one of the app's for another format.
///
/// Called off the caller's executor, possibly for several responses at once. What it throws becomes
/// ``HTTPError/decoding(_:)``; a `DecodingError` keeps its coding path.
public protocol DataDecoder: Sendable {
    /// Decodes a value of the type from the whole content.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
