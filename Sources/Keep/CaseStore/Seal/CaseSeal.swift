import CaptureReader
import CaptureWriter
import GRDB

/// The SHA-256 of a finished case file over all its bytes, but the 64 digits of itself, which count as
/// zeros.
struct CaseSeal {
  /// Where the page with the digits begins, and its size.
  struct Page {
    let start: Int
    let size: Int
  }

  private static let words = "SHA-256 of this file with these digits as zeros: "
  private static let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 64)
  private static let piece = 1 << 20

  /// Leaves room for the digits: the seal's table has one row, which lies on its first page.
  static func prepare(_ database: Database) throws -> Page {
    try database.execute(sql: "DELETE FROM seal")
    try database.execute(
      sql: "INSERT INTO seal (mark) VALUES (?)",
      arguments: [words + String(decoding: zeros, as: UTF8.self)])
    return try page(database)
  }

  static func page(_ database: Database) throws -> Page {
    let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let root = try Int.fetchOne(
      database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'seal' AND type = 'table'")
    return Page(start: (max(root ?? 1, 1) - 1) * size, size: size)
  }

  /// Writes the digits into a file in which `prepare` has left room.
  static func close(_ file: DiskFile, _ page: Page) throws(DiskFile.Refusal) {
    guard let place = try place(in: file, page) else {
      throw DiskFile.Refusal(what: "has no room for its seal")
    }
    try file.write(Array(try digest(file, without: place).utf8), at: place)
  }

  /// Whether a file is as it was sealed.
  static func holds(_ file: DiskFile, _ page: Page) throws(DiskFile.Refusal) -> Bool {
    guard let place = try place(in: file, page) else { return false }
    let digits = try file.read(at: place, count: zeros.count)
    return String(decoding: digits, as: UTF8.self) == (try digest(file, without: place))
  }

  /// The digits; nil where there are none.
  static func digits(_ database: Database) throws -> String? {
    let mark = try String.fetchOne(database, sql: "SELECT mark FROM seal") ?? ""
    let digits = mark.dropFirst(words.count)
    let isHex = digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return mark.hasPrefix(words) && digits.utf8.count == zeros.count && isHex ? String(digits) : nil
  }

  /// Where the digits lie; nil where the words before them are not on the page.
  private static func place(in file: DiskFile, _ page: Page) throws(DiskFile.Refusal) -> Int? {
    let bytes = try file.read(at: page.start, count: page.size)
    let words = Array(Self.words.utf8)
    let last = bytes.count - words.count - zeros.count
    guard last >= 0 else { return nil }
    let at = (0...last).first {
      bytes[$0] == words[0] && bytes[$0..<($0 + words.count)].elementsEqual(words)
    }
    return at.map { page.start + $0 + words.count }
  }

  private static func digest(_ file: DiskFile, without place: Int) throws(DiskFile.Refusal)
    -> String
  {
    let digest = RunningDigest()
    var offset = 0
    while true {
      var bytes = try file.read(at: offset, count: piece)
      for (number, zero) in zeros.enumerated() {
        let at = place + number - offset
        if bytes.indices.contains(at) { bytes[at] = zero }
      }
      digest.update(bytes)
      if bytes.count < piece { return digest.finish() }
      offset += bytes.count
    }
  }
}
