import Foundation

extension RequestBody {
    /// A model as JSON, written like parameters are: names sorted, every digit kept, dates as ISO 8601, bytes as base64,
    /// so that the same model gives the same bytes on every run. The bytes are made now.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` naming the place of a value that can't be encoded.
    public static func json(
        _ value: some Encodable, format: JSONParameterEncoder = JSONParameterEncoder()
    ) throws(HTTPError) -> RequestBody {
        let tree: ParameterValue
        do {
            tree = try ParameterTreeEncoder.encode(value)
        } catch {
            throw ParameterTreeEncoder.failure(error)
        }
        return .data(try format.encoded(tree), contentType: format.contentType)
    }

    /// A model as JSON by an encoder of the app's. Without `.sortedKeys` Foundation's encoder gives other bytes on every
    /// run, which defeats caches and signatures. The bytes are made now.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` naming the place of a value that can't be encoded.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder, contentType: String = "application/json"
    ) throws(HTTPError) -> RequestBody {
        do {
            return .data(try encoder.encode(value), contentType: contentType)
        } catch {
            throw ParameterTreeEncoder.failure(error)
        }
    }

    /// Text in UTF-8, of type `text/plain` unless told otherwise.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        .data(Data(text.utf8), contentType: contentType)
    }
}
