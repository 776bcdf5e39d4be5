import Trunkline

/// The app's own base of all endpoints: they add a method name and, where they need some, parameters.
class DashboardAPI<Model: Decodable & Sendable>: TypedAPIManager<Model, ServerMessage> {
    private let parameters: Parameters

    /// - Parameter parameters: those of every load. A manager with a param source needs none.
    init(_ parameters: Parameters = [:]) {
        self.parameters = parameters
        super.init()
    }

    func serviceIdentifier() -> ServiceIdentifier { .dashboard }

    override func reform(_ params: Parameters) -> Parameters? { params.merging(parameters) }

    /// The manager as a member of a batch that gives the model; by itself it gives the whole answer.
    nonisolated var member: GroupTask<Model> { GroupTask { try await self.loadValue() } }
}
