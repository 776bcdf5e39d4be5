/// The page's files. They are texts in the program, so that it runs from anywhere with nothing beside it, and load
/// nothing from anywhere else.
struct PageAsset: Sendable {
    let type: String
    let text: String

    /// By their paths below the page.
    static let all: [String: PageAsset] = [
        "": PageAsset(type: "text/html; charset=utf-8", text: PageText.html),
        "style.css": PageAsset(type: "text/css; charset=utf-8", text: PageText.layout + PageText.contentStyle),
        "script.js": PageAsset(
            type: "text/javascript; charset=utf-8",
            text: [
                PageText.format, PageText.model, PageText.waterfall, PageText.list, PageText.details, PageText.messages,
                PageText.actions,
            ].joined(separator: "\n")),
        "icon.svg": PageAsset(type: "image/svg+xml", text: PageText.icon),
    ]
}

/// The texts, a file for each part.
enum PageText {}
