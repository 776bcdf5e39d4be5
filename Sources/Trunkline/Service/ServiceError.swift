/// A service that can't be resolved or is not set up: a programmer's mistake, reported as an error so that a release
/// build fails one call and not the app.
public enum ServiceError: Error, Hashable, Sendable {
    /// Nothing is registered under the identifier.
    case unknown(ServiceIdentifier, registered: [ServiceIdentifier])
    /// The data source names a class that the process doesn't have.
    case classNotFound(String, ServiceIdentifier)
    /// The data source names a class that is not a `Service`.
    case notAService(String, ServiceIdentifier)
    /// The service is of another class than was asked for.
    case wrongType(ServiceIdentifier, found: String, expected: String)
    /// Making the service failed.
    case creation(ServiceIdentifier, reason: String)
    /// Making the service asked for the service itself.
    case circular(ServiceIdentifier)
    /// The service has no environment of the selected name.
    case unknownEnvironment(ServiceEnvironment.Name, ServiceIdentifier, known: [ServiceEnvironment.Name])
    /// The manager doesn't conform to `APIManagerProtocol`, so it names neither service nor method.
    case notAnAPIManager(String)
}

extension ServiceError: CustomStringConvertible {
    /// What is missing and how to mend it.
    public var description: String {
        switch self {
        case .unknown(let identifier, let registered):
            "No service is registered as \"\(identifier)\". Registered: \(Self.list(registered)). "
                + "Register it at start-up with ServiceFactory.shared.register(_:_:)."
        case .classNotFound(let name, let identifier):
            "The class \"\(name)\" for the service \"\(identifier)\" does not exist in this process. Check the class "
                + "name and its namespace (the module's name, with \"_\" for characters it can't have)."
        case .notAService(let name, let identifier):
            "The class \"\(name)\" for the service \"\(identifier)\" is not a subclass of Service."
        case .wrongType(let identifier, let found, let expected):
            "The service \"\(identifier)\" is a \(found), not a \(expected)."
        case .creation(let identifier, let reason):
            "The service \"\(identifier)\" could not be made: \(reason)."
        case .circular(let identifier):
            "Making the service \"\(identifier)\" asks for the service \"\(identifier)\" itself."
        case .unknownEnvironment(let name, let identifier, let known):
            "The service \"\(identifier)\" has no environment \"\(name)\". It has: \(Self.list(known)). "
                + "Override Service.environments."
        case .notAnAPIManager(let type):
            "\(type) does not conform to APIManagerProtocol: declare it and implement methodName() and "
                + "serviceIdentifier()."
        }
    }

    private static func list(_ names: [some CustomStringConvertible]) -> String {
        names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
