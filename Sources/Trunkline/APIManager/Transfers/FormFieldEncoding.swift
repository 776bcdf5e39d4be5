import Foundation

/// Writes parameters as the first fields of a multipart form.
struct FormFieldEncoding: ParameterEncoding {
    let form: MultipartFormData

    func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws {
        request.body = try .multipart(form.prepending(try fields(of: parameters)))
    }

    /// The pairs of a URL-encoded form, unescaped.
    private func fields(of parameters: Parameters) throws(HTTPError) -> [(name: String, text: String)] {
        try URLParameterEncoder.form.string(from: parameters).split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0).removingPercentEncoding ?? String($0) }
            return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }
}
