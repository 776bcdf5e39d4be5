import Foundation

/// How a list is divided into pages, and how the server says which one is next.
///
/// ```swift
/// override var pagingStrategy: PagingStrategy { .cursor(path: "meta.next") }
/// ```
public struct PagingStrategy: Sendable {
    enum Kind: Sendable {
        case page(first: Int)
        case offset
        case cursor(ContentPath, parameter: String)
        case linkHeader
        case custom(
            parameters: @Sendable (_ token: String?, _ size: Int) -> Parameters,
            next: @Sendable (_ token: String?, _ facts: PageFacts) -> String?)
    }

    let kind: Kind
    /// The number of items a page has, where the strategy says so.
    let size: Int?

    /// Pages with numbers. The list ends with an empty page, with its total, or with a page that is not full.
    ///
    /// - Parameter first: the number of the first page; by default 1.
    public static func page(first: Int = 1) -> PagingStrategy { PagingStrategy(kind: .page(first: first), size: nil) }

    /// Pages that begin after a number of items, asked for with the parameters `offset` and `limit`. The list ends as with
    /// ``page(first:)``; the next page begins after as many items as have come.
    ///
    /// - Parameter limit: the number of items a page has; it goes before ``PagingAPIManager/pageSize``.
    public static func offset(limit: Int) -> PagingStrategy { PagingStrategy(kind: .offset, size: limit) }

    /// Pages with a cursor that the page before brings. The list ends with a page that brings none: null, empty text, no
    /// such member, or the cursor it was asked with.
    ///
    /// - Parameters:
    ///   - path: where in the answer the next cursor is; text or a whole number.
    ///   - parameter: the name the cursor is sent under; by default `cursor`. The first page is asked for without.
    public static func cursor(path: ContentPath, parameter: String = "cursor") -> PagingStrategy {
        PagingStrategy(kind: .cursor(path, parameter: parameter), size: nil)
    }

    /// Pages whose `Link` header has the next one's URL, `rel="next"` (RFC 8288). The list ends with a page that has no
    /// such link, or one to itself. The link is followed as it is, without parameters of its own, and only to the origin
    /// of the service: a link elsewhere ends the load with `.requestError`, since it would take the credentials along.
    public static var linkHeader: PagingStrategy { PagingStrategy(kind: .linkHeader, size: nil) }

    /// Pages of the app's own making, each known by a text, nil for the first.
    ///
    /// - Parameters:
    ///   - parameters: the parameters that ask for a page.
    ///   - next: the page after the one that was accepted, or nil when that was the last. A function of its arguments.
    public static func custom(
        parameters: @escaping @Sendable (_ token: String?, _ size: Int) -> Parameters,
        next: @escaping @Sendable (_ token: String?, _ facts: PageFacts) -> String?
    ) -> PagingStrategy {
        PagingStrategy(kind: .custom(parameters: parameters, next: next), size: nil)
    }

    /// The page a list begins with.
    public var firstTarget: PageTarget {
        switch kind {
        case .page(let first): .page(first)
        case .offset: .offset(0)
        case .cursor, .linkHeader, .custom: .first
        }
    }

    /// The page after one that was accepted; nil when that was the last. A function of its arguments.
    public func next(after target: PageTarget, given facts: PageFacts) -> PageTarget? {
        switch kind {
        case .page(let first):
            guard !facts.endsTheList else { return nil }
            guard case .page(let number) = target else { return .page(first) }
            let (next, isTooLarge) = number.addingReportingOverflow(1)
            return isTooLarge ? nil : .page(next)
        case .offset:
            guard !facts.endsTheList, case .offset(let offset) = target else { return nil }
            let (next, isTooLarge) = offset.addingReportingOverflow(facts.itemCount ?? facts.pageSize)
            return isTooLarge || next <= offset ? nil : .offset(next)
        case .cursor(let path, _):
            guard let value = facts.json?.value(at: path) else { return nil }
            let cursor = value.string ?? value.int64.map { String($0) } ?? value.uint64.map { String($0) }
            guard let cursor, !cursor.isEmpty, target != .token(cursor) else { return nil }
            return .token(cursor)
        case .linkHeader:
            guard
                let link = WebLink.parse(facts.headers.values(for: "Link")).first(where: { $0.has(relation: "next") }),
                let url = URL(string: link.target, relativeTo: facts.url)?.absoluteURL, url != facts.url,
                target != .link(url.absoluteString)
            else { return nil }
            return .link(url.absoluteString)
        case .custom(_, let next):
            return next(target.token, facts).map(PageTarget.token)
        }
    }

    /// The parameters that ask for a page, where its number doesn't (``PagingAPIManager/pageParameters(page:size:)``).
    func parameters(for target: PageTarget, size: Int) -> Parameters {
        switch (kind, target) {
        case (.offset, .offset(let offset)): ["offset": offset, "limit": size]
        case (.cursor(_, let name), .token(let cursor)): ["pageSize": size, name: cursor]
        case (.cursor, _), (.linkHeader, .first): ["pageSize": size]
        case (.custom(let parameters, _), _): parameters(target.token, size)
        default: [:]
        }
    }

    /// Whether the strategy can have given the target.
    func accepts(_ target: PageTarget) -> Bool {
        switch (kind, target) {
        case (.page, .page), (.offset, .offset(0...)), (.linkHeader, .link): true
        case (.cursor, .first), (.linkHeader, .first), (.custom, .first), (.cursor, .token), (.custom, .token): true
        default: false
        }
    }
}

extension PageTarget {
    fileprivate var token: String? {
        if case .token(let token) = self { token } else { nil }
    }
}
