import Foundation
import Testing
import Trunkline

/// Found by name through the data source.
final class NamedService: Service {}

/// Exists and is no service.
final class NotAService {}

@Suite @MainActor struct ServiceFactoryTests {
    private final class Table: ServiceFactoryDataSource {
        var names: [String: String] = [:]
        var namespace: String?
        func servicesKindsOfServiceFactory() -> [String: String] { names }
        func namespaceForService(_ identifier: String) -> String? { namespace }
    }

    private func error(_ body: () throws(ServiceError) -> Service) -> ServiceError? {
        do throws(ServiceError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a service is made at its first use, once`() throws {
        let factory = ServiceFactory()
        var made = 0
        factory.register("a") {
            made += 1
            return NamedService()
        }
        #expect(made == 0)
        let first = try factory.service(for: "a")
        #expect(try factory.service(for: "a") === first && made == 1)
        #expect(first.identifier == "a")
        #expect(try factory.service(for: "a", as: NamedService.self) === first)
        final class Other: Service {}
        #expect(throws: ServiceError.wrongType("a", found: "NamedService", expected: "Other")) {
            try factory.service(for: "a", as: Other.self)
        }
    }

    @Test func `nested types register, and a new registration replaces the instance`() throws {
        final class Nested: Service {}
        let factory = ServiceFactory()
        factory.register("a", Nested.self)
        let first = try factory.service(for: "a")
        #expect(first is Nested)
        factory.register("a", NamedService.self)
        #expect(try factory.service(for: "a") is NamedService)
        factory.unregister("a")
        #expect(error { () throws(ServiceError) in try factory.service(for: "a") } != nil)
    }

    @Test func `an unknown identifier lists what is registered`() {
        let factory = ServiceFactory()
        factory.register("b", NamedService.self)
        factory.register("a", NamedService.self)
        let error = error { () throws(ServiceError) in try factory.service(for: "typo") }
        #expect(error == .unknown("typo", registered: ["a", "b"]))
        #expect(error?.description.contains("\"a\", \"b\"") == true)
    }

    @Test func `class names and namespaces of the data source`() throws {
        let factory = ServiceFactory()
        let table = Table()
        factory.dataSource = table
        table.names = ["n": "NamedService", "x": "NoSuchClass", "w": "NotAService"]
        table.namespace = "TrunklineTests"
        #expect(try factory.service(for: "n") is NamedService)
        #expect(
            error { () throws(ServiceError) in try factory.service(for: "x") }
                == .classNotFound("TrunklineTests.NoSuchClass", "x"))
        #expect(
            error { () throws(ServiceError) in try factory.service(for: "w") }
                == .notAService("TrunklineTests.NotAService", "w"))
        table.names["q"] = "TrunklineTests.NamedService"
        table.namespace = nil
        #expect(try factory.service(for: "q") is NamedService)
        #expect(factory.registeredIdentifiers == ["n", "q", "w", "x"])
        // Characters a module name can't have are replaced as the compiler replaces them.
        table.namespace = "My App-2"
        table.names["s"] = "S"
        #expect(
            error { () throws(ServiceError) in try factory.service(for: "s") } == .classNotFound("My_App_2.S", "s"))
    }

    @Test func `the data source is weak`() {
        let factory = ServiceFactory()
        var table: Table? = Table()
        table?.names = ["n": "TrunklineTests.NamedService"]
        factory.dataSource = table
        table = nil
        #expect(factory.dataSource == nil)
        #expect(
            error { () throws(ServiceError) in try factory.service(for: "n") } == .unknown("n", registered: []))
    }

    @Test func `a failing and a circular maker are errors`() {
        struct Broken: Error {}
        let factory = ServiceFactory()
        factory.register("broken") { throw Broken() }
        factory.register("circular") { [unowned factory] in try factory.service(for: "circular") }
        #expect(
            error { () throws(ServiceError) in try factory.service(for: "broken") }
                == .creation("broken", reason: "Broken()"))
        #expect(
            error { () throws(ServiceError) in try factory.service(for: "circular") } == .circular("circular"))
        // A failure is not remembered.
        factory.register("broken", NamedService.self)
        #expect(error { () throws(ServiceError) in try factory.service(for: "broken") } == nil)
    }

    @Test func `the environment is asked for at each use`() throws {
        final class Two: Service {
            override var environments: [ServiceEnvironment] {
                [
                    ServiceEnvironment(.production, baseURL: "https://p/", apiVersion: "v1"),
                    ServiceEnvironment(.development, baseURL: "https://d", publicKey: "k", privateKey: "s3cret"),
                ]
            }
        }
        let service = Two()
        #expect(try service.urlGeneratingRule("users") == "https://p/v1/users")
        service.isProductionEnvironment = false
        #expect(try service.urlGeneratingRule("users") == "https://d/users")
        #expect(try service.environment().publicKey == "k")
        #expect(try !"\(service.environment())".contains("s3cret"))
        service.environmentName = "staging"
        #expect(throws: ServiceError.unknownEnvironment("staging", "unregistered", known: [.production, .development]))
        {
            try service.urlGeneratingRule("users")
        }
    }
}
