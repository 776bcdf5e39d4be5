/// The content of a HAR file.
public struct HARLog: Hashable, Sendable, Codable {
    /// The version of the format, `1.2`.
    public var version: String
    /// What wrote the file.
    public var creator: HARCreator
    /// The exchanges, the oldest first.
    public var entries: [HAREntry]
    /// Words of whoever wrote it.
    public var comment: String?

    /// Makes a log.
    public init(
        version: String = "1.2", creator: HARCreator = .trunkline, entries: [HAREntry] = [], comment: String? = nil
    ) {
        self.version = version
        self.creator = creator
        self.entries = entries
        self.comment = comment
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decodeIfPresent(String.self, forKey: .version) ?? "1.2"
        creator = try values.decodeIfPresent(HARCreator.self, forKey: .creator) ?? HARCreator(name: "", version: "")
        entries = try values.decode([HAREntry].self, forKey: .entries)
        comment = try values.decodeIfPresent(String.self, forKey: .comment)
    }
}
