import CTrunklineCurl

/// The header lines of a request, with what libcurl would add on its own taken out.
struct CurlFields {
    let request: HTTPRequest
    let policy: ExpectContinuePolicy

    /// Adds the lines. Returns whether libcurl is to announce its content codings and decode them: not when the request
    /// speaks for itself, nor for a part of a representation, whose bytes are meant as they are (RFC 9110, section 14.2).
    func add(to state: UnsafeMutablePointer<tlc_transfer>) throws(HTTPError) -> Bool {
        var hasType = false
        var hasExpect = false
        var decodes = true
        for field in request.headers.fields {
            switch field.name.utf8.count {
            case 12: hasType = hasType || HTTPHeaders.equal(field.name, "Content-Type")
            case 15 where HTTPHeaders.equal(field.name, "Accept-Encoding"): decodes = false
            case 5 where HTTPHeaders.equal(field.name, "Range"): decodes = false
            case 6: hasExpect = hasExpect || HTTPHeaders.equal(field.name, "Expect")
            default: break
            }
            try add(field.name, field.value, to: state)
        }
        guard state.pointee.body_kind != TLC_BODY_NONE else { return decodes }
        var isComplete = true
        if !hasType {
            if let type = request.body?.contentType {
                try add("Content-Type", type, to: state)
            } else {
                isComplete = tlc_request_no_field(state, "Content-Type")
            }
        }
        if !hasExpect {
            if expects(state.pointee.content_length, kind: Int(state.pointee.body_kind)) {
                try add("Expect", "100-continue", to: state)
            } else {
                isComplete = tlc_request_no_field(state, "Expect") && isComplete
            }
        }
        guard isComplete else { throw .invalidRequest(.body(reason: "there is no memory for the request")) }
        return decodes
    }

    private func expects(_ length: Int64, kind: Int) -> Bool {
        guard kind != TLC_BODY_EMPTY, case .forBodies(let least) = policy else { return false }
        return length < 0 || length >= least
    }

    private func add(
        _ name: String, _ value: String, to state: UnsafeMutablePointer<tlc_transfer>
    ) throws(HTTPError) {
        var (name, value) = (name, value)
        let isAdded = name.withUTF8 { name in
            value.withUTF8 { tlc_request_field(state, name.baseAddress, name.count, $0.baseAddress, $0.count) }
        }
        guard isAdded else {
            throw .invalidRequest(.header(name: name, reason: "it contains a line break or NUL"))
        }
    }
}
