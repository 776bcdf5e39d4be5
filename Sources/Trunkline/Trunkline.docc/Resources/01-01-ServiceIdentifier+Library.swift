import Trunkline

extension ServiceIdentifier {
    static let library: ServiceIdentifier = "library"
}
