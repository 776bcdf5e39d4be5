import Foundation

/// How many mutations of a lane the outbox has promised to keep: a byte in a file for each, which outlives a kill.
struct AcknowledgementLog {
    let countAtStart: Int
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        countAtStart = Int(lseek(descriptor, 0, SEEK_END))
    }

    func acknowledge() throws {
        guard write(descriptor, "x", 1) == 1 else { throw CocoaError(.fileWriteUnknown) }
    }
}
