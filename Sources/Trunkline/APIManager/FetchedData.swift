/// What a manager's data became in a reformer's hands.
public enum FetchedData<Output, Raw> {
    /// The reformer's value.
    case reformed(Output)
    /// There was no reformer or it returned nil: the data as it was.
    case raw(Raw)
    /// There is no data: nothing was loaded, or the load failed without an answer.
    case nothing

    /// The reformer's value, if there is one.
    public var value: Output? {
        if case .reformed(let value) = self { value } else { nil }
    }

    /// The data as it was, if it was not reformed.
    public var raw: Raw? {
        if case .raw(let raw) = self { raw } else { nil }
    }
}

extension FetchedData: Sendable where Output: Sendable, Raw: Sendable {}
extension FetchedData: Equatable where Output: Equatable, Raw: Equatable {}
