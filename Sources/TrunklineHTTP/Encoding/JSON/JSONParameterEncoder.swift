import Foundation

/// Writes parameters as a JSON body (RFC 8259): names sorted by their UTF-8 bytes, integers and decimals with every digit,
/// `/` not escaped, null as `null`.
///
/// Dates and bytes become text by the same strategies, with the same defaults, as in ``URLParameterEncoder``.
public struct JSONParameterEncoder: ParameterEncoding {
    /// How dates are written; by default ISO 8601 in UTC.
    public var dates: ParameterDateStrategy
    /// How bytes are written; by default base64.
    public var data: ParameterDataStrategy
    /// How names are spelt; by default as given.
    public var keys: ParameterKeyStrategy
    /// Whether empty parameters make the body `{}`; by default they make none.
    public var sendsEmptyObject: Bool
    /// The media type announced unless a header names one.
    public var contentType: String

    /// Makes an encoder; what is left out has the default named at its property.
    public init(
        dates: ParameterDateStrategy = .iso8601, data: ParameterDataStrategy = .base64,
        keys: ParameterKeyStrategy = .asGiven, sendsEmptyObject: Bool = false,
        contentType: String = "application/json"
    ) {
        self.dates = dates
        self.data = data
        self.keys = keys
        self.sendsEmptyObject = sendsEmptyObject
        self.contentType = contentType
    }

    /// Makes the body.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with the key path of a value JSON can't hold (NaN, an infinity, a value
    ///   that can't be carried), or when the request has a body already.
    public func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws(HTTPError) {
        guard sendsEmptyObject || !parameters.isEmpty else { return }
        let json = try encoded(.object(parameters.values))
        try request.setEncodedBody(.data(json, contentType: contentType))
    }

    /// The JSON text of a value, which may be of any kind at its top level.
    public func encoded(_ value: ParameterValue) throws(HTTPError) -> Data {
        var writer = JSONWriter(format: self)
        do {
            try writer.write(value)
        } catch {
            throw .invalidRequest(error)
        }
        return Data(writer.output)
    }
}
