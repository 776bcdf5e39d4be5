import Trunkline
import TrunklineTesting

/// The sample takes the network away and brings it back. An app hands `NetworkReachability.shared` to its outbox, which is
/// one of these already.
extension StubReachability: OutboxReachability {}
