import Trunkline

/// An endpoint whose server answers too late.
final class SlowShelfAPI: LibraryBaseAPI, APIManagerProtocol {
    func methodName() -> String { "books/slow" }

    override func timeouts(for service: Service) -> Timeouts { Timeouts(total: .milliseconds(500)) }
}
