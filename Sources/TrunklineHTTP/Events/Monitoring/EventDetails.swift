/// The events that cost more than others and come only where a monitor asks for them. What one monitor of a session asks
/// for, all of them get.
public struct EventDetails: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// ``Event/Kind/stageEntered(_:)`` and ``Event/Kind/stageLeft(_:_:)``.
    public static let stages = EventDetails(rawValue: 1 << 0)
    /// ``Event/Kind/bytes(_:_:_:)``.
    public static let bytes = EventDetails(rawValue: 1 << 1)
    /// The first megabyte of content that is streamed or goes into a file, in ``Event/AttemptEnd/outcome``.
    public static let content = EventDetails(rawValue: 1 << 2)

    /// How much of such content is kept.
    static let keptContent = 1 << 20
}
