/// What a load sends or receives beside its answer.
enum TransferPlan: Sendable {
    case upload(APIUploadContent)
    case download(to: DownloadDestination, checksum: DownloadChecksum?, resumption: TransferResumption)

    /// How the parameters are written where the transfer says so; nil for the manager's way.
    var encoding: (any ParameterEncoding)? {
        switch self {
        case .upload(.multipart(let form)): FormFieldEncoding(form: form)
        case .upload: .query
        case .download: nil
        }
    }

    /// What the session accepts. A refused download changes no file; the answer to an upload is judged by the manager.
    var validation: ResponseValidation {
        switch self {
        case .upload: .acceptAny
        case .download: .success
        }
    }
}
