import Foundation
import Trunkline

/// Makes a sentence for the reader of a failed answer.
struct ServerMessageReformer: APIDataReformer {
    func manager(_ manager: BaseAPIManager, failedToReform data: Data) -> String? {
        try? JSONDecoder().decode(ServerMessage.self, from: data).message
    }
}
