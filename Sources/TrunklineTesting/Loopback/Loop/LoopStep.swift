/// What a connection does next; its steps run in order, on the loop.
enum LoopStep: Sendable {
    /// Sends bytes.
    case bytes([UInt8])
    /// A step of a public script.
    case script(ScriptStep)
    /// Hands the connection to a handler.
    case pipe(@Sendable (LoopbackPipe) async throws -> Void)
    /// The answer is sent in whole; the connection goes on or is closed.
    case end(closes: Bool)
}
