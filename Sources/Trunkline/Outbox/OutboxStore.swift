import Foundation

/// The files of an outbox.
///
/// One file an entry and not a journal: an entry is written once and removed as a whole, nothing is ever compacted, and
/// damage stays within one entry. `<sequence>.entry` has everything but a body that came as a file (`.body`, copied) and
/// the number of attempts (`.attempts`, which only a limit depends on and may be lost).
struct OutboxStore: Sendable {
    /// What was found when the outbox was opened.
    struct Contents {
        var records: [(record: OutboxRecord, attempts: Int)] = []
        var damaged: [URL] = []
        var nextSequence: UInt64 = 1
    }

    let directory: URL
    let sealer: (any DataSealer)?
    private let lock: DirectoryLock

    init(directory: URL, sealer: (any DataSealer)?) throws(OutboxError) {
        self.directory = directory
        self.sealer = sealer
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file(directory.path, reason: error.localizedDescription)
        }
        guard let lock = try DirectoryLock(directory) else { throw .inUse(directory: directory.path) }
        self.lock = lock
    }

    /// Reads every entry, sets damaged ones aside and removes what a killed process left half done.
    func load(settingAsideUnsealable: Bool) throws(OutboxError) -> Contents {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        } catch {
            throw .file(directory.path, reason: error.localizedDescription)
        }
        var contents = Contents()
        var used: Set<UInt64> = []
        var ids: Set<UUID> = []
        for name in names.sorted() where name.hasSuffix(".entry") {
            let url = file(name)
            guard let sequence = UInt64(name.dropLast(6), radix: 16), sequence < .max / 2, name == Self.name(sequence)
            else {
                contents.damaged.append(setAside(url))
                continue
            }
            contents.nextSequence = max(contents.nextSequence, sequence + 1)
            let reading: OutboxFrame.Reading
            switch bytes(of: url) {
            case .success(let bytes?): reading = OutboxFrame.read(bytes, sealer: sealer)
            case .success(nil): reading = .damaged
            case .failure(let error): throw error
            }
            switch reading {
            case .sound(let record, _) where record.sequence == sequence && ids.insert(record.id).inserted:
                used.insert(sequence)
                contents.records.append((record, attempts(of: sequence)))
            case .sound, .damaged: contents.damaged.append(setAside(url))
            case .unsealable(let reason):
                guard settingAsideUnsealable else { throw .sealer(reason: "\(name): \(reason)") }
                contents.damaged.append(setAside(url))
            }
        }
        contents.records.sort { $0.record.sequence < $1.record.sequence }
        for name in names {
            let isRest = name.hasSuffix(".body") || name.hasSuffix(".attempts")
            let sequence = UInt64(name.prefix { $0 != "." }, radix: 16)
            if name.hasSuffix(".tmp") || isRest && !(sequence.map(used.contains) ?? false) {
                _ = unlink(file(name).path)
            }
        }
        return contents
    }

    /// Stores an entry: on the disk, name and all, when the call returns.
    func add(_ record: OutboxRecord, body: Data?) throws(OutboxError) {
        let bytes = try OutboxFrame.bytes(record, body: body, sealer: sealer)
        try DurableFile.write(bytes, to: file(Self.name(record.sequence)))
    }

    /// Copies a body next to where its entry will be.
    func addBody(_ source: URL, sequence: UInt64) throws(OutboxError) -> OutboxRecord.BodyFile {
        let (length, checksum) = try DurableFile.copy(source, to: bodyFile(sequence))
        return OutboxRecord.BodyFile(length: length, checksum: checksum)
    }

    /// The body of an entry, checked.
    ///
    /// - Returns: nil when it is damaged or gone.
    func body(of record: OutboxRecord) throws(OutboxError) -> RequestBody?? {
        if let stored = record.bodyFile {
            let url = bodyFile(record.sequence)
            guard let sum = DurableFile.sum(of: url), sum == (stored.length, stored.checksum),
                let body = try? RequestBody.file(url)
            else { return nil }
            return .some(body)
        }
        switch bytes(of: file(Self.name(record.sequence))) {
        case .success(let bytes?):
            switch OutboxFrame.read(bytes, sealer: sealer) {
            case .sound(record, let body): return .some(body.map { RequestBody.data($0) })
            case .sound, .damaged: return nil
            case .unsealable(let reason): throw .sealer(reason: reason)
            }
        case .success(nil): return nil
        case .failure(let error): throw error
        }
    }

    /// Notes the number of attempts. Not made durable: losing it costs an attempt more and no order or entry.
    func setAttempts(_ attempts: Int, of sequence: UInt64) {
        try? DurableFile.write(Data("\(attempts)".utf8), to: attemptsFile(sequence), isDurable: false)
    }

    /// Removes an entry. Not made durable: one that comes back after a power failure is sent again, with its key.
    func remove(_ sequence: UInt64) throws(OutboxError) {
        let path = file(Self.name(sequence)).path
        guard unlink(path) == 0 || errno == ENOENT else { throw .file(path, reason: String(cString: strerror(errno))) }
        _ = unlink(bodyFile(sequence).path)
        _ = unlink(attemptsFile(sequence).path)
    }

    /// Moves the entry's files out of the way, for the app to look at.
    func setAside(_ record: OutboxRecord) -> URL {
        if record.bodyFile != nil { _ = setAside(bodyFile(record.sequence)) }
        _ = unlink(attemptsFile(record.sequence).path)
        return setAside(file(Self.name(record.sequence)))
    }

    private func setAside(_ url: URL) -> URL {
        let aside = directory.appendingPathComponent("damaged", isDirectory: true)
        try? FileManager.default.createDirectory(
            at: aside, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let target = aside.appendingPathComponent("\(UUID().uuidString)-\(url.lastPathComponent)", isDirectory: false)
        return rename(url.path, target.path) == 0 ? target : url
    }

    /// Nil when there is none, or something else is in its place.
    private func bytes(of url: URL) -> Result<Data?, OutboxError> {
        var status = stat()
        guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .success(nil) }
        do {
            return .success(try Data(contentsOf: url))
        } catch {
            return .failure(.file(url.path, reason: error.localizedDescription))
        }
    }

    private func attempts(of sequence: UInt64) -> Int {
        guard let data = try? Data(contentsOf: attemptsFile(sequence)) else { return 0 }
        return max(0, Int(String(decoding: data, as: UTF8.self)) ?? 0)
    }

    private static func name(_ sequence: UInt64) -> String { stem(sequence) + ".entry" }

    private static func stem(_ sequence: UInt64) -> String {
        let digits = String(sequence, radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }

    private func file(_ name: String) -> URL { directory.appendingPathComponent(name, isDirectory: false) }
    private func bodyFile(_ sequence: UInt64) -> URL { file(Self.stem(sequence) + ".body") }
    private func attemptsFile(_ sequence: UInt64) -> URL { file(Self.stem(sequence) + ".attempts") }
}
