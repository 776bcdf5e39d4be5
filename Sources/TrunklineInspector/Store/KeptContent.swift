import Foundation
import TrunklineHTTP

extension HTTPRequest {
    /// The request with nothing in it that may be large or belongs to the app: a content beyond the limit is kept as
    /// its length, a stream as well.
    func kept(limit: Int) -> HTTPRequest {
        guard let body else { return self }
        let length = body.contentLength
        switch body.source {
        case .data(let data) where data.count <= limit: return self
        case .file: return self
        default: break
        }
        var request = self
        // A form that is streamed is shown by its parts; those in memory are no longer than the form.
        let form = length.map { $0 <= Int64(limit) } == true ? body.form : nil
        let empty = RequestBody.Source.stream(length: length, replayable: true) { RequestBody.Chunks { nil } }
        request.body = RequestBody(source: empty, contentType: body.contentType, form: form)
        return request
    }

    /// The bytes it takes, roughly.
    var keptCost: Int {
        url.absoluteString.utf8.count + headers.keptCost
            + (body.map { $0.data?.count ?? ($0.form == nil ? 0 : Int(clamping: $0.contentLength ?? 0)) } ?? 0)
    }
}

extension HTTPResponse {
    /// The response with no more than the first bytes of its content.
    func kept(limit: Int) -> HTTPResponse {
        var response = self
        response.request = request.kept(limit: 0)
        switch body {
        case .data(let data):
            // A slice would keep all of it.
            if data.count > limit { response.body = .data(Data(Array(data.prefix(limit)))) }
        case .file, .stream:
            response.body = .data(Data())
        }
        return response
    }

    /// The bytes it takes, roughly; its request is not counted.
    var keptCost: Int { headers.keptCost + trailers.keptCost + data.count }
}

extension HTTPHeaders {
    fileprivate var keptCost: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }
}
