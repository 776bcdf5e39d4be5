import Foundation
import TrunklineHTTP

/// Requests as values and a client of one backend: a list, progress, an upload, a download, a cancel.
@main
@MainActor
struct Posts {
    static func main() async {
        do {
            let server = try PostServer.start()
            defer { server.stop() }
            let client = NetworkClient(baseURL: server.baseURL)
            client.authTokenProvider = BearerTokenProvider { "reader" }
            try await list(client)
            try await upload(client)
            try await download(client)
            await fail(client)
            await cancel(client)
        } catch {
            print("Posts: \(error.localizedDescription) (\(error))")
            exit(EXIT_FAILURE)
        }
    }

    private static func list(_ client: NetworkClient) async throws {
        let posts = try await client.execute(PostRequest.list, model: [Post].self)
        print("\(posts.count) posts")
        for post in posts { print("  \(post.id)  \(post.title)") }
    }

    private static func upload(_ client: NetworkClient) async throws {
        let content = UploadContent.json(NewPost(title: "Rain over the islands"))
        let post = try await client.upload(PostRequest.add, content: content, model: Post.self)
        print("Added post \(post.id): \(post.title)")
    }

    private static func download(_ client: NetworkClient) async throws {
        var bar = ProgressBar()
        let file = try await client.download(PostRequest.cover, progress: { bar.show($0) }, to: nil)
        defer { try? FileManager.default.removeItem(at: file) }
        print("Cover  \(bar.text)  \(try Data(contentsOf: file).count) bytes in a .\(file.pathExtension) file")
    }

    private static func fail(_ client: NetworkClient) async {
        do {
            _ = try await client.execute(PostRequest.post(id: 99), model: Post.self)
        } catch {
            let message = try? error.response?.decode([String: String].self)["message"]
            print("Post 99: \(error.localizedDescription) The server says: \(message ?? "nothing")")
        }
    }

    private static func cancel(_ client: NetworkClient) async {
        client.execute(PostRequest.archive, model: [Post].self) { result in
            if case .failure(let error) = result { print("Archive: \(error.localizedDescription)") }
        }
        print("Under way: \(client.runningTasks.map(\.request.path).joined(separator: ", "))")
        // By the request alone; no handle was kept.
        let count = await client.cancel(request: PostRequest.archive)
        print("Cancelled \(count), under way \(client.runningTasks.count)")
    }
}

/// Twenty places for a transfer.
struct ProgressBar {
    private(set) var text = "[" + String(repeating: ".", count: 20) + "]"

    mutating func show(_ progress: TransferProgress) {
        let full = Int((progress.fraction ?? 0) * 20)
        text = "[" + String(repeating: "#", count: full) + String(repeating: ".", count: 20 - full) + "]"
    }
}
