import Foundation
import TrunklineHTTP

/// Turns exchanges into entries of a cassette, credentials masked.
struct CassetteWriter: Sendable {
    let redaction: Redaction

    /// The request as it is recorded, and compared.
    func request(_ request: HTTPRequest, body: Data) -> HARRequest {
        let rule = covering(request)
        let plain = String(rule.url(request.url).prefix { $0 != "#" })
        let items = LoopbackTarget.formItems(LoopbackTarget.query(of: plain) ?? "")
        var recorded = HARRequest(
            method: request.method.rawValue, url: plain, headers: fields(request.headers, rule),
            queryString: items.map { HARField(name: $0.name, value: $0.value ?? "") }, bodySize: Int64(body.count))
        let type = request.headers["Content-Type"] ?? request.body?.contentType ?? ""
        if request.body != nil { recorded.postData = postData(body, type: type, rule) }
        return recorded
    }

    /// The response as it is recorded.
    func response(_ response: HTTPResponse, body: Data) -> HARResponse {
        let rule = covering(response.request)
        let type = response.headers["Content-Type"] ?? ""
        let location = response.headers["Location"].map { masked(location: $0, rule) }
        return HARResponse(
            status: response.statusCode, statusText: StatusPhrase.of(response.statusCode),
            httpVersion: response.metrics?.networkProtocol ?? "HTTP/1.1", headers: fields(response.headers, rule),
            content: HARContent(masked(body, type: type, rule), mimeType: type), redirectURL: location ?? "",
            bodySize: response.metrics?.bytesReceived ?? -1,
            trailers: response.trailers.isEmpty ? nil : fields(response.trailers, rule))
    }

    /// A failure as it is recorded; nil for one that says nothing about the server.
    func failure(_ error: HTTPError, of request: HTTPRequest) -> HARResponse? {
        let kind = HARFailure(error)
        switch kind {
        case .cancelled, .sessionInvalidated, .other: return nil
        default: break
        }
        var recorded = HARResponse(status: 0, httpVersion: "")
        if let partial = error.response { recorded = response(partial, body: partial.data) }
        recorded.failure = kind.rawValue
        recorded.error = error.description
        return recorded
    }

    private func covering(_ request: HTTPRequest) -> Redaction {
        guard redaction != .none, let names = request.options.credentialFields else { return redaction }
        return redaction.hiding(headers: Set(names))
    }

    private func fields(_ headers: HTTPHeaders, _ rule: Redaction) -> [HARField] {
        headers.map { field in
            let isLocation = field.name.lowercased() == "location"
            let value = isLocation ? masked(location: field.value, rule) : rule.value(field.value, ofHeader: field.name)
            return HARField(name: field.name, value: value)
        }
    }

    private func masked(location: String, _ rule: Redaction) -> String {
        guard let url = URL(string: location), url.absoluteString == location else { return location }
        return rule.url(url)
    }

    /// The content with hidden values masked; the very same bytes where there are none.
    private func masked(_ body: Data, type: String, _ rule: Redaction) -> Data {
        let type = type.isEmpty ? nil : type
        // Compared as texts: turning bytes into text may lose a byte-order mark.
        guard rule != .none, let text = rule.text(of: body, contentType: type),
            text != Redaction.none.text(of: body, contentType: type)
        else { return body }
        return Data(text.utf8)
    }

    private func postData(_ body: Data, type: String, _ rule: Redaction) -> HARPostData {
        if let parts = MultipartReader.parts(of: body, contentType: type) {
            // The text of a form may hide a credential in any part, and its boundary is another one each time.
            let params = parts.map { part -> HARParameter in
                let (text, encoding) = CassetteWriter.text(part.content)
                let shown = encoding == nil ? rule.field(rule.text(text), named: part.name) : text
                let value =
                    rule.hidesField(part.name) ? Redaction.mask : (encoding.map { "\($0):" } ?? "") + shown
                return HARParameter(
                    name: part.name, value: value, fileName: part.fileName, contentType: part.contentType)
            }
            return HARPostData(mimeType: "multipart/form-data", params: params)
        }
        let (text, encoding) = CassetteWriter.text(masked(body, type: type, rule))
        return HARPostData(mimeType: type, text: text, encoding: encoding)
    }

    private static func text(_ data: Data) -> (String, String?) {
        let content = HARContent(data, mimeType: "")
        return (content.text ?? "", content.encoding)
    }
}
