import Foundation

/// A HAR file (HTTP Archive 1.2): exchanges as a browser's network panel, other tools and a replaying transport read
/// them. ``HARRecorder`` writes such files.
///
/// Reading is tolerant, since files come from many tools: members that are unknown are passed over, and missing ones get
/// the value that means "unknown".
public struct HARFile: Hashable, Sendable, Codable {
    /// Everything in the file.
    public var log: HARLog

    /// Makes a file.
    public init(log: HARLog = HARLog()) { self.log = log }

    /// Reads a file's bytes.
    ///
    /// - Throws: ``HTTPError/decoding(_:)`` with the place where the bytes are no HAR.
    public init(parsing data: Data) throws(HTTPError) {
        do {
            self = try JSONDecoder().decode(HARFile.self, from: data)
        } catch {
            throw .decoding(DecodingFailure(type: "HAR file", error: error, response: nil))
        }
    }

    /// Reads a file from the disk, the one of a recorder that never finished as well: what was written of it.
    ///
    /// - Throws: ``HTTPError/file(_:)`` when it can't be read, ``HTTPError/decoding(_:)`` when it is no HAR.
    public init(contentsOf url: URL) throws(HTTPError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .file(FileFailure(url: url, operation: .read, reason: error.localizedDescription))
        }
        do {
            try self.init(parsing: data)
        } catch {
            guard let recovered = HARFile(recovering: data) else { throw error }
            self = recovered
        }
    }

    /// The file's bytes: members in a fixed order, one entry a line.
    ///
    /// - Throws: ``HTTPError/custom(_:)`` for a value JSON has no form for, a time that is not a number.
    public func data() throws(HTTPError) -> Data {
        do {
            var data = try HARFraming.head(creator: log.creator, comment: log.comment)
            for (index, entry) in log.entries.enumerated() {
                if index > 0 { data.append(HARFraming.separator) }
                data.append(try HARFraming.line(entry))
            }
            data.append(HARFraming.tail)
            return data
        } catch {
            throw HTTPError(error)
        }
    }
}
