import Foundation

/// Paints covers: a colour for each book, darker towards the bottom, with a light band where the title would be.
enum CoverPainter {
    static let width = 256
    static let height = 384

    /// The cover as a Windows bitmap of 24 bits a pixel, the simplest of formats: the same bytes on every run.
    static func bitmap(for id: Int) -> Data {
        let headerSize = 54
        let rows = Data((0..<height).flatMap { row(at: $0, of: id) })
        var file = Data("BM".utf8)
        file.append(littleEndian: UInt32(headerSize + rows.count))
        file.append(littleEndian: UInt32(0))
        file.append(littleEndian: UInt32(headerSize))
        file.append(littleEndian: UInt32(40))
        file.append(littleEndian: Int32(width))
        // A negative height: the first row is the top one.
        file.append(littleEndian: Int32(-height))
        file.append(littleEndian: UInt16(1))
        file.append(littleEndian: UInt16(24))
        file.append(littleEndian: UInt32(0))
        file.append(littleEndian: UInt32(rows.count))
        file.append(Data(repeating: 0, count: 16))
        return file + rows
    }

    /// A row of pixels, blue, green and red; of a width whose rows need no filling up to four bytes.
    private static func row(at y: Int, of id: Int) -> [UInt8] {
        let isTitle = (height / 6..<height / 3).contains(y)
        let shade = 255 - y * 128 / height
        let pixel = [id * 37, id * 91, id * 53].map { channel in
            isTitle ? UInt8(240) : UInt8((channel % 192 + 63) * shade / 255)
        }
        return (0..<width).flatMap { _ in pixel }
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
