// On Linux, URLSession and its companions live in a module of their own. Importing both here once, exported,
// keeps the `canImport` out of every other file.
@_exported import Foundation

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
