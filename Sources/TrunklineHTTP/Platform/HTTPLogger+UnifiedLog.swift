#if canImport(os)
    import os

    extension HTTPLogger.Sink {
        /// The unified log: failures as errors, everything else at the default level. The texts are public in it: what is
        /// secret has been masked.
        public static func os(_ logger: os.Logger) -> HTTPLogger.Sink {
            HTTPLogger.Sink(isColoured: false) { text, isFailure in
                logger.log(level: isFailure ? .error : .default, "\(text, privacy: .public)")
            }
        }
    }
#endif
