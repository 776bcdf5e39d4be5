import Foundation

/// An endpoint that is sent a form, a file or bytes.
///
/// ```swift
/// final class PhotoAPI: UploadAPIManager, APIManagerProtocol {
///     var photo: URL?
///     func methodName() -> String { "books/{id}/photos" }
///     func serviceIdentifier() -> ServiceIdentifier { .library }
///     override func uploadContent(with params: Parameters) throws -> APIUploadContent {
///         var form = MultipartFormData()
///         if let photo { form.append(file: photo, name: "photo") }
///         return .multipart(form)
///     }
/// }
/// ```
///
/// A load goes through every step of ``BaseAPIManager``, in the same order, and ends once. Parameters fill the path first;
/// what is left becomes fields of a form, and the query of any other content. The method is POST unless the subclass says
/// otherwise. A load is sent again after a failure where its content can be made again and the retry policy allows it; a
/// resumable file goes on where the server is.
@MainActor
open class UploadAPIManager: TransferAPIManager {
    // MARK: - The endpoint

    /// What a load sends; asked when it is made. By default nothing can be sent: override it.
    ///
    /// - Parameter params: the load's parameters, which it need not send again.
    /// - Throws: whatever makes the content impossible; it ends the load with `.requestError`, and nothing is sent.
    open func uploadContent(with params: Parameters) throws -> APIUploadContent {
        throw HTTPError.invalidRequest(
            .body(reason: "\(type(of: self)) has nothing to upload; override uploadContent(with:)"))
    }

    /// POST.
    open override func requestType() -> HTTPMethod { .post }

    // MARK: - Loading

    /// Uploads, waits for the answer, and decodes it, off the main actor, where the envelope has its data. The validator
    /// and the delegate have heard of the success when it is decoded.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - decoder: by default a plain `JSONDecoder`.
    /// - Throws: ``APIError``; `.invalidContent` for an answer that can't be decoded.
    public func loadValue<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()
    ) async throws(APIError) -> Value {
        let path = currentService.flatMap { responseEnvelope(for: $0)?.data }
        return try await Self.decode(type, at: path, of: await load().http, decoder)
    }

    private nonisolated static func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, at path: ContentPath?, of response: HTTPResponse, _ decoder: any DataDecoder
    ) async throws(APIError) -> Value {
        do throws(HTTPError) {
            return try response.decode(type, at: path, using: decoder)
        } catch {
            throw APIError(error)
        }
    }

    // MARK: - The transfer

    override func transferPlan(with params: Parameters) throws -> TransferPlan? {
        .upload(try uploadContent(with: params))
    }

    override func sessionRequest(for load: APILoad) -> DataRequest {
        guard case .upload(let content)? = load.call.transfer else { return super.sessionRequest(for: load) }
        let session = load.service.session
        let interceptors = load.call.interceptors
        var request = load.call.request
        let upload: UploadRequest
        switch content {
        case .multipart(let form):
            // Put together with its fields when the request was built.
            let body = request.body
            request.body = nil
            upload = session.upload(
                body.map { .body($0) } ?? .multipart(form), to: request, id: load.id, interceptors: interceptors)
        case .data(let data, let contentType):
            upload = session.upload(
                .data(data, contentType: contentType), to: request, id: load.id, interceptors: interceptors)
        case .file(let file, let contentType):
            upload = session.upload(
                .file(file, contentType: contentType), to: request, id: load.id, interceptors: interceptors)
        case .content(let content):
            upload = session.upload(content, to: request, id: load.id, interceptors: interceptors)
        case .resumableFile(let file, let method, let resumption):
            upload = session.upload(
                file: file, to: request, by: method, resumption: resumption, id: load.id, interceptors: interceptors)
        }
        follow(load, .upload(upload))
        return upload.request
    }

    override func tell(_ delegate: any APIManagerProgressDelegate, _ progress: TransferProgress, of load: APILoad) {
        delegate.manager(self, didSend: progress.completed, of: progress.total, requestID: load.id)
    }

    override func wholeProgress(of load: APILoad, _ response: APIResponse) -> TransferProgress {
        TransferProgress(completed: response.request.body?.contentLength ?? 0, total: nil)
    }
}
