import Foundation

/// Writes parameters as `name=value` pairs into the query or a form body; both get the same bytes.
///
/// Kept as they are: letters, digits, `-._~/?`. Everything else is escaped as UTF-8 with upper-case hex digits, a space
/// as `%20`, so that every value is escaped exactly once and a form parser reads back what was given. Names are sorted by
/// their UTF-8 bytes at each level, so that the same parameters give the same bytes on every run.
///
/// An array or object without elements writes nothing: the format has no form for it.
public struct URLParameterEncoder: ParameterEncoding {
    /// Where the pairs go; by default by the method.
    public var destination: Destination
    /// How array elements are named; by default `tags[]=a&tags[]=b`.
    public var arrays: ArrayStrategy
    /// How names of nested objects are written; by default `user[name]`.
    public var nesting: NestingStrategy
    /// How booleans are written; by default `1` and `0`.
    public var bools: BoolStrategy
    /// How dates are written; by default ISO 8601 in UTC.
    public var dates: ParameterDateStrategy
    /// How bytes are written; by default base64.
    public var data: ParameterDataStrategy
    /// How null is written; by default its name is left out.
    public var nils: NilStrategy
    /// How names are spelt; by default as given.
    public var keys: ParameterKeyStrategy
    /// How a space is written; by default `%20`.
    public var spaces: SpaceStrategy
    /// The order of the top-level names; by default sorted.
    public var order: KeyOrder

    /// Makes an encoder; what is left out has the default named at its property.
    public init(
        destination: Destination = .automatic, arrays: ArrayStrategy = .brackets, nesting: NestingStrategy = .brackets,
        bools: BoolStrategy = .numeric, dates: ParameterDateStrategy = .iso8601, data: ParameterDataStrategy = .base64,
        nils: NilStrategy = .dropKey, keys: ParameterKeyStrategy = .asGiven, spaces: SpaceStrategy = .percentEncoded,
        order: KeyOrder = .sorted
    ) {
        self.destination = destination
        self.arrays = arrays
        self.nesting = nesting
        self.bools = bools
        self.dates = dates
        self.data = data
        self.nils = nils
        self.keys = keys
        self.spaces = spaces
        self.order = order
    }

    /// Appends to the query, byte for byte after what is there, or makes the form body.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with the key path of a value that can't be carried, or when the form
    ///   would replace a body the request has.
    public func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws(HTTPError) {
        let text = try string(from: parameters)
        guard !text.isEmpty else { return }
        if goesIntoQuery(of: request) {
            request.url = try URLQuery.appending(text, to: request.url)
        } else {
            try request.setEncodedBody(
                .data(Data(text.utf8), contentType: "application/x-www-form-urlencoded"))
        }
    }

    /// The pairs as text, without a leading `?`; empty when there is nothing to write.
    public func string(from parameters: Parameters) throws(HTTPError) -> String {
        var writer = URLEncodedWriter(format: self)
        do {
            try writer.write(parameters)
        } catch {
            throw .invalidRequest(error)
        }
        return String(decoding: writer.output, as: UTF8.self)
    }

    private func goesIntoQuery(of request: HTTPRequest) -> Bool {
        switch destination {
        case .query: true
        case .body: false
        case .automatic: request.method.encodesParametersInQuery || request.body != nil
        }
    }

    /// A single value as text, unescaped.
    func text(of value: ParameterValue, at path: ParameterPath) throws(RequestFailure) -> String {
        switch value {
        case .string(let text): return text
        case .int(let number): return String(number)
        case .uint(let number): return String(number)
        case .bool(let truth):
            return switch bools {
            case .numeric: truth ? "1" : "0"
            case .literal: truth ? "true" : "false"
            }
        case .double(let number):
            guard let text = NumberText.text(number) else { throw path.failure("\(number) is not a finite number") }
            return text
        case .decimal(let number):
            guard let text = NumberText.text(number) else { throw path.failure("NaN is not a number") }
            return text
        case .date(let date): return try text(of: dates.value(of: date, at: path), at: path)
        case .data(let bytes): return try data.text(of: bytes, at: path)
        case .null: return nils == .null ? "null" : ""
        case .unencodable(let reason): throw path.failure(reason)
        case .array, .object: throw path.failure("a single value is needed here, not an array or object")
        }
    }
}
