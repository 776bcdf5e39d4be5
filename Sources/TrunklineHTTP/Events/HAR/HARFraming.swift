import Foundation

/// How the files are laid out: a first line, one line an entry, a last line. A file that breaks off in the middle has
/// whole lines to be read.
enum HARFraming {
    static let separator = Data(",\n".utf8)
    static let tail = Data("\n]}}\n".utf8)
    private static let entriesMember = Data("\"entries\":[".utf8)

    /// All that comes before the first entry.
    static func head(creator: HARCreator, comment: String?) throws -> Data {
        var data = Data("{\"log\":{\"version\":\"1.2\",\"creator\":".utf8)
        data.append(try JSONEncoder.stable.encode(creator))
        if let comment {
            data.append(Data(",\"comment\":".utf8))
            data.append(try JSONEncoder.stable.encode(comment))
        }
        data.append(Data(",\"pages\":[],".utf8))
        data.append(entriesMember)
        data.append(UInt8(ascii: "\n"))
        return data
    }

    /// An entry on one line.
    static func line(_ entry: HAREntry) throws -> Data { try JSONEncoder.stable.encode(entry) }
}

extension HARFile {
    /// Reads what there is of a file in this layout that breaks off; nil when it is none.
    init?(recovering data: Data) {
        let lines = data.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first,
            let head = try? HARFile(parsing: Data(first) + HARFraming.tail)
        else { return nil }
        self = head
        for line in lines.dropFirst() {
            var line = Data(line)
            if line.last == UInt8(ascii: ",") { line.removeLast() }
            guard let entry = try? JSONDecoder().decode(HAREntry.self, from: line) else { break }
            log.entries.append(entry)
        }
    }
}
