import Foundation

/// One step of what a scripted server does, in order: on a whole connection (``LoopbackServer/script(connection:_:)``)
/// or as the answer to a request (``LoopbackResponse/raw(_:)``).
///
/// Steps run on the server's loop thread; none of them blocks it. Times are kept to about a millisecond.
public enum ScriptStep: Sendable {
    /// Sends the bytes as they are.
    case send(Data)
    /// Sends the bytes one at a time, each as a packet of its own, with a pause before every one but the first.
    case drip(Data, every: Duration)
    /// Sends so many bytes of a pattern, never held in memory.
    case generated(LoopbackPattern, count: Int64)
    /// Waits.
    case wait(Duration)
    /// Comes to the gate and waits until it opens.
    case hold(LoopbackGate)
    /// Limits what later steps send to so many bytes a second; nil lifts the limit.
    case limitRate(bytesPerSecond: Int?)

    /// Waits for the head of the next request, which is recorded then; what is left of the one before is read first. In
    /// an answer, whose request is there already, nothing is waited for.
    case readHead
    /// Waits for the next request in whole, which is recorded then; what is left of the one before is read first. In an
    /// answer, the same as ``waitForBody``.
    case readRequest
    /// Waits for the rest of the body of the request whose head was read.
    case waitForBody
    /// Waits until so many bytes of the request's body have come, or all of it. What counts is the content, without
    /// chunked framing.
    case waitForBodyBytes(Int64)
    /// Takes no more bytes from the socket, so that the client's sending comes to a halt.
    case stopReading
    /// Takes bytes from the socket again.
    case resumeReading
    /// Waits until the client has closed the connection.
    case waitForClose

    /// Sends FIN, goes on reading.
    case finishWriting
    /// Closes the connection with FIN; later steps do not run.
    case close
    /// Closes the connection with RST, so that the client reads `ECONNRESET`; later steps do not run.
    case reset
    /// Hands the connection to the server's routes; later steps do not run. A script without it leaves the connection
    /// open and silent when its steps are done.
    case serve

    /// Sends the text in UTF-8, as it is: line ends are the caller's.
    public static func send(_ text: String) -> ScriptStep { .send(Data(text.utf8)) }

    /// Sends the text in UTF-8, a byte at a time.
    public static func drip(_ text: String, every interval: Duration) -> ScriptStep {
        .drip(Data(text.utf8), every: interval)
    }
}
