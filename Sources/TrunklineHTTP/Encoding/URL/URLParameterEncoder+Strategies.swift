extension URLParameterEncoder {
    /// Where the pairs go.
    public enum Destination: Hashable, Sendable {
        /// Into the query for GET, HEAD and DELETE and for a request that has a body already; else into a form body.
        case automatic
        /// Into the query.
        case query
        /// Into a form body.
        case body
    }

    /// How the elements of an array are named.
    public enum ArrayStrategy: Hashable, Sendable {
        /// `tags[]=a&tags[]=b`, brackets escaped.
        case brackets
        /// `tags=a&tags=b`.
        case noBrackets
        /// `tags[0]=a&tags[1]=b`, brackets escaped.
        case indices
        /// `tags=a,b`: literal commas between the values, a comma inside a value escaped. Arrays of arrays or objects are
        /// an error.
        case commaSeparated
    }

    /// How the names of nested objects are written.
    public enum NestingStrategy: Hashable, Sendable {
        /// `user[name]`, brackets escaped.
        case brackets
        /// `user.name`.
        case dots
    }

    /// How a boolean is written.
    public enum BoolStrategy: Hashable, Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// How null is written.
    public enum NilStrategy: Hashable, Sendable {
        /// Not at all.
        case dropKey
        /// As an empty value, `name=`.
        case dropValue
        /// As the word, `name=null`.
        case null
    }

    /// How a space is written.
    public enum SpaceStrategy: Hashable, Sendable {
        /// `%20`, which every parser reads as a space.
        case percentEncoded
        /// `+`, as browsers write forms (WHATWG URL, section 5).
        case plus
    }

    /// The order of the top-level names. Names of nested objects are always sorted.
    public enum KeyOrder: Hashable, Sendable {
        /// By UTF-8 bytes, of the names as they are written.
        case sorted
        /// As the parameters were set; a dictionary has no order and counts as sorted.
        case asGiven
    }
}
