#if ARTICLE_SAMPLES
    import Trunkline

    extension ServiceIdentifier {
        static let library: ServiceIdentifier = "library"
    }

    @MainActor let library = LibraryService()
    @MainActor let screens = Screens()

    @MainActor final class Screens {
        func showLogIn() {}
    }
#endif
