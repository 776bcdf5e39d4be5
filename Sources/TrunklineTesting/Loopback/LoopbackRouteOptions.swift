/// How one route treats its requests.
public struct LoopbackRouteOptions: Sendable {
    /// When the request is answered, and what becomes of its body.
    public enum BodyReading: Sendable, Hashable {
        /// The body is read to its end, then the request is answered.
        case beforeAnswer
        /// The request is answered right after its head; the body is read meanwhile and afterwards, and the connection
        /// is kept. After `Expect: 100-continue` the connection is closed, as the body may never come.
        case alongside
        /// The request is answered right after its head, no byte of the body is read, and the connection is closed.
        case never
    }

    /// When the request is answered. ``BodyReading/beforeAnswer`` by default.
    public var reading = BodyReading.beforeAnswer

    /// Whether bodies are counted and summed in place of kept; nil, the default: as
    /// ``LoopbackOptions/discardsBodies`` says.
    public var discardsBody: Bool?

    /// What `Expect: 100-continue` gets; nil, the default: as ``LoopbackOptions/expectContinue`` says.
    public var expectContinue: ExpectContinue?

    /// Makes route options.
    public init(
        reading: BodyReading = .beforeAnswer, discardsBody: Bool? = nil, expectContinue: ExpectContinue? = nil
    ) {
        self.reading = reading
        self.discardsBody = discardsBody
        self.expectContinue = expectContinue
    }

    /// Answers right after the head, and reads the body alongside.
    public static var respondsEarly: LoopbackRouteOptions { LoopbackRouteOptions(reading: .alongside) }

    /// Counts and sums the body in place of keeping it.
    public static var discardsBody: LoopbackRouteOptions { LoopbackRouteOptions(discardsBody: true) }
}
