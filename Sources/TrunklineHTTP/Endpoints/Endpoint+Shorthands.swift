import Foundation

extension RequestConvertible where Self == Endpoint {
    /// A GET; parameters go into the query by default.
    public static func get(
        _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic,
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) -> Endpoint {
        Endpoint(
            .get, url, base: base, parameters: parameters, encoding: encoding, headers: headers, options: options)
    }

    /// A HEAD; parameters go into the query by default.
    public static func head(
        _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic,
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) -> Endpoint {
        Endpoint(
            .head, url, base: base, parameters: parameters, encoding: encoding, headers: headers, options: options)
    }

    /// A POST; parameters go into a form body by default, into the query when there is a body.
    public static func post(
        _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic,
        headers: HTTPHeaders = [:], body: RequestBody? = nil, options: RequestOptions = RequestOptions()
    ) -> Endpoint {
        Endpoint(
            .post, url, base: base, parameters: parameters, encoding: encoding, headers: headers, body: body,
            options: options)
    }

    /// A PUT; parameters go into a form body by default, into the query when there is a body.
    public static func put(
        _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic,
        headers: HTTPHeaders = [:], body: RequestBody? = nil, options: RequestOptions = RequestOptions()
    ) -> Endpoint {
        Endpoint(
            .put, url, base: base, parameters: parameters, encoding: encoding, headers: headers, body: body,
            options: options)
    }

    /// A PATCH; parameters go into a form body by default, into the query when there is a body.
    public static func patch(
        _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic,
        headers: HTTPHeaders = [:], body: RequestBody? = nil, options: RequestOptions = RequestOptions()
    ) -> Endpoint {
        Endpoint(
            .patch, url, base: base, parameters: parameters, encoding: encoding, headers: headers, body: body,
            options: options)
    }

    /// A DELETE; parameters go into the query by default.
    public static func delete(
        _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic,
        headers: HTTPHeaders = [:], body: RequestBody? = nil, options: RequestOptions = RequestOptions()
    ) -> Endpoint {
        Endpoint(
            .delete, url, base: base, parameters: parameters, encoding: encoding, headers: headers, body: body,
            options: options)
    }
}

extension RequestConvertible where Self == Endpoint {
    /// A POST of a model as JSON; see ``RequestBody/json(_:format:)``.
    public static func post(
        _ url: String, base: URL? = nil, json: some Encodable, parameters: Parameters = [:],
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) throws(HTTPError) -> Endpoint {
        post(url, base: base, parameters: parameters, headers: headers, body: try .json(json), options: options)
    }

    /// A POST of a model as JSON by an encoder of the app's; see ``RequestBody/json(_:encoder:contentType:)``.
    public static func post(
        _ url: String, base: URL? = nil, json: some Encodable, encoder: JSONEncoder, parameters: Parameters = [:],
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) throws(HTTPError) -> Endpoint {
        post(
            url, base: base, parameters: parameters, headers: headers, body: try .json(json, encoder: encoder),
            options: options)
    }

    /// A PUT of a model as JSON; see ``RequestBody/json(_:format:)``.
    public static func put(
        _ url: String, base: URL? = nil, json: some Encodable, parameters: Parameters = [:],
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) throws(HTTPError) -> Endpoint {
        put(url, base: base, parameters: parameters, headers: headers, body: try .json(json), options: options)
    }

    /// A PATCH with a model as JSON; see ``RequestBody/json(_:format:)``.
    public static func patch(
        _ url: String, base: URL? = nil, json: some Encodable, parameters: Parameters = [:],
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) throws(HTTPError) -> Endpoint {
        patch(url, base: base, parameters: parameters, headers: headers, body: try .json(json), options: options)
    }
}
