/// The registry of services: identifiers in, one instance each out, made at its first use.
///
///     ServiceFactory.shared.register(.library, LibraryService.self)
///     let library = try ServiceFactory.shared.service(for: .library)
///
/// Registered types and closures come first, then the ``dataSource``. The main actor keeps access exclusive.
@MainActor
public final class ServiceFactory {
    /// The registry API managers use.
    public static let shared = ServiceFactory()

    /// The pattern's older way: class names by identifier, resolved at run time. Kept weakly.
    public weak var dataSource: (any ServiceFactoryDataSource)?

    private var makers: [ServiceIdentifier: @MainActor () throws -> Service] = [:]
    private var services: [ServiceIdentifier: Service] = [:]
    private var inCreation: Set<ServiceIdentifier> = []

    /// Makes a registry of its own, for tests and for libraries that don't share.
    public init() {}

    /// Registers a service class. An earlier registration under the identifier, and its instance, are replaced.
    public func register(_ identifier: ServiceIdentifier, _ type: Service.Type) {
        register(identifier) { type.init() }
    }

    /// Registers a closure that makes the service; it runs at the first use. An earlier registration under the
    /// identifier, and its instance, are replaced.
    public func register(_ identifier: ServiceIdentifier, make: @escaping @MainActor () throws -> Service) {
        makers[identifier] = make
        services[identifier] = nil
    }

    /// Forgets a registration and its instance.
    public func unregister(_ identifier: ServiceIdentifier) {
        makers[identifier] = nil
        services[identifier] = nil
    }

    /// The identifiers that can be resolved, in alphabetical order.
    public var registeredIdentifiers: [ServiceIdentifier] {
        let classNames = dataSource?.servicesKindsOfServiceFactory() ?? [:]
        let all = Set(makers.keys).union(classNames.keys.map(ServiceIdentifier.init(rawValue:)))
        return all.sorted { $0.rawValue < $1.rawValue }
    }

    /// The service registered under the identifier: made now if this is its first use, the same instance ever after.
    ///
    /// - Throws: ``ServiceError``, saying what is registered and what to do.
    public func service(for identifier: ServiceIdentifier) throws(ServiceError) -> Service {
        if let service = services[identifier] { return service }
        guard inCreation.insert(identifier).inserted else { throw .circular(identifier) }
        defer { inCreation.remove(identifier) }
        let service = try make(identifier)
        service.identifier = identifier
        services[identifier] = service
        return service
    }

    /// The service registered under the identifier, as your own class.
    ///
    ///     try ServiceFactory.shared.service(for: .library, as: LibraryService.self).token = token
    ///
    /// - Throws: ``ServiceError``; ``ServiceError/wrongType(_:found:expected:)`` when it is of another class.
    public func service<Kind: Service>(
        for identifier: ServiceIdentifier, as type: Kind.Type
    ) throws(ServiceError) -> Kind {
        let service = try service(for: identifier)
        guard let service = service as? Kind else {
            throw .wrongType(identifier, found: "\(Swift.type(of: service))", expected: "\(type)")
        }
        return service
    }

    private func make(_ identifier: ServiceIdentifier) throws(ServiceError) -> Service {
        if let maker = makers[identifier] {
            do {
                return try maker()
            } catch let error as ServiceError {
                throw error
            } catch {
                throw .creation(identifier, reason: String(describing: error))
            }
        }
        guard let dataSource, let name = dataSource.servicesKindsOfServiceFactory()[identifier.rawValue] else {
            throw .unknown(identifier, registered: registeredIdentifiers)
        }
        let qualified = ClassLookup.qualifiedName(name, namespace: dataSource.namespaceForService(identifier.rawValue))
        guard let found = ClassLookup.class(named: qualified) else { throw .classNotFound(qualified, identifier) }
        guard let type = found as? Service.Type else { throw .notAService(qualified, identifier) }
        return type.init()
    }
}
