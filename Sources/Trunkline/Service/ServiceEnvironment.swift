/// One place a service runs: its address, API version and key pair.
public struct ServiceEnvironment: Hashable, Sendable {
    /// The name of an environment: an open set.
    public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name as text.
        public let rawValue: String

        /// Makes a name from text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Makes a name from a literal.
        public init(stringLiteral value: String) { rawValue = value }

        /// The name as text.
        public var description: String { rawValue }

        /// What users of the released app talk to.
        public static let production: Name = "production"
        /// What developers talk to.
        public static let development: Name = "development"
    }

    /// The environment's name.
    public var name: Name
    /// The absolute base URL, with or without a trailing slash.
    public var baseURL: String
    /// The path segment between base and method; empty for none.
    public var apiVersion: String
    /// The public half of the key pair, for signing; empty when the service has none.
    public var publicKey: String
    /// The private half of the key pair, for signing; empty when the service has none.
    public var privateKey: String

    /// Makes an environment.
    public init(
        _ name: Name, baseURL: String, apiVersion: String = "", publicKey: String = "", privateKey: String = ""
    ) {
        self.name = name
        self.baseURL = baseURL
        self.apiVersion = apiVersion
        self.publicKey = publicKey
        self.privateKey = privateKey
    }
}

extension ServiceEnvironment: CustomStringConvertible {
    /// The name and the address; the keys are left out, so that an environment may be logged.
    public var description: String { "\(name) (\(baseURL))" }
}
