/// A field of a form.
public struct HARParameter: Hashable, Sendable, Codable {
    /// The field's name.
    public var name: String
    /// The value, where it is text that was kept.
    public var value: String?
    /// The file name of a part.
    public var fileName: String?
    /// The media type of a part.
    public var contentType: String?

    /// Makes a field.
    public init(name: String, value: String? = nil, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.value = value
        self.fileName = fileName
        self.contentType = contentType
    }
}
