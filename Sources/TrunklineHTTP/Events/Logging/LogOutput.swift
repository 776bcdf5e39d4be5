import Foundation

/// Writes texts to a descriptor, whole and one after the other.
enum LogOutput {
    private static let turn = Protected(())

    static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        turn.withLock { _ in
            // Nobody can be told that a log can't be written.
            bytes.withUnsafeBytes { try? FileSystem.write(descriptor, $0) }
        }
    }
}
