/// How a manager's parameters travel. GET and HEAD always use the query, whatever this says.
public enum APIParameterEncodingType: Sendable {
    /// In the query for DELETE, as a form in the body otherwise.
    case url
    /// As a JSON body.
    case json
    /// By an encoding of the caller's choice.
    case custom(any ParameterEncoding)
}
