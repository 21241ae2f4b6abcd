/// What captures come packed in and is not read: named, so that nobody takes it for damage.
struct Archive {
  /// A clause: `is a zip archive`.
  let what: String
  /// The program that unpacks it.
  let unpacking: String
  private let mark: [UInt8]
  private let offset: Int

  private init(_ what: String, _ unpacking: String, _ mark: [UInt8], at offset: Int = 0) {
    (self.what, self.unpacking, self.mark, self.offset) = (what, unpacking, mark, offset)
  }

  /// Of one file each.
  private static let compressions = [
    Archive("is compressed with lz4", "lz4 -d", [0x04, 0x22, 0x4D, 0x18]),
    Archive("is compressed with xz", "unxz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    // BZh, the level, and the digits of pi that begin its first block.
    Archive("is compressed with bzip2", "bunzip2", [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4),
  ]

  /// Of several files.
  private static let archives = [
    Archive("is a zip archive", "unzip", [0x50, 0x4B, 0x03, 0x04]),
    Archive("is a 7z archive", "7z x", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    Archive("is a rar archive", "unrar x", Array("Rar!".utf8) + [0x1A, 0x07]),
    Archive("is a tar archive", "tar -xf", Array("ustar".utf8), at: 257),
  ]

  /// - Parameter head: what the file begins with.
  static func compression(_ head: [UInt8]) -> Archive? { compressions.first { $0.begins(head) } }

  static func of(_ head: [UInt8]) -> Archive? { archives.first { $0.begins(head) } }

  private func begins(_ head: [UInt8]) -> Bool { head.dropFirst(offset).starts(with: mark) }
}
