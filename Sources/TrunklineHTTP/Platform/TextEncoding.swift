import Foundation

/// Text encodings by the names servers use (the IANA registry and its aliases).
enum TextEncoding {
    /// The encoding, or nil when the name is absent or unknown.
    static func named(_ name: String?) -> String.Encoding? {
        guard let name else { return nil }
        switch name.lowercased() {
        case "utf-8", "utf8", "unicode-1-1-utf-8": return .utf8
        case "us-ascii", "ascii": return .ascii
        case "iso-8859-1", "latin1", "l1", "iso8859-1": return .isoLatin1
        case "iso-8859-2", "latin2": return .isoLatin2
        case "utf-16": return .utf16
        case "utf-16le": return .utf16LittleEndian
        case "utf-16be": return .utf16BigEndian
        case "utf-32": return .utf32
        case "windows-1250", "cp1250": return .windowsCP1250
        case "windows-1251", "cp1251": return .windowsCP1251
        case "windows-1252", "cp1252": return .windowsCP1252
        case "windows-1253", "cp1253": return .windowsCP1253
        case "windows-1254", "cp1254": return .windowsCP1254
        case "shift_jis", "shift-jis", "sjis": return .shiftJIS
        case "euc-jp": return .japaneseEUC
        case "iso-2022-jp": return .iso2022JP
        // CoreFoundation's encodings for Chinese and Korean, which have no constants in Foundation.
        case "gbk", "gb2312", "gb18030", "x-gbk": return String.Encoding(rawValue: 0x8000_0632)
        case "big5": return String.Encoding(rawValue: 0x8000_0A03)
        case "euc-kr", "ks_c_5601-1987": return String.Encoding(rawValue: 0x8000_0940)
        default: return nil
        }
    }
}
