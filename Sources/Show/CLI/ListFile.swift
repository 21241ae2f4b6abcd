import CaptureReader
import Regions
import TrackReader

/// A file with something on each line; blanks around it, empty lines and lines that begin with # are left
/// out.
enum ListFile {
  /// - Parameter parse: makes something of a line.
  /// - Throws: what is wrong in which line.
  static func read<Item>(_ path: String, _ parse: (String) throws(SettingProblem) -> Item)
    throws(TextProblem) -> [Item]
  {
    let all = try readAll(path, parse)
    if let first = all.problems.first { throw first }
    return all.items
  }

  /// - Returns: what is wrong in any of the lines, too.
  /// - Throws: what is wrong with the file.
  static func readAll<Item>(_ path: String, _ parse: (String) throws(SettingProblem) -> Item)
    throws(TextProblem) -> (items: [Item], problems: [TextProblem])
  {
    var items: [Item] = []
    var problems: [TextProblem] = []
    let bytes = try TextFile.read(path)
    if isUTF16(bytes) {
      throw TextProblem(
        .badSetting, file: path, line: 1,
        "the file is not UTF-8 but, as it seems, UTF-16: save it as UTF-8")
    }
    if bytes.contains(0) {
      // Not by its name: of a pipe nothing comes a second time.
      let isCapture =
        (try? CaptureReader.open(.bytes(bytes, name: path), isHashed: false)) != nil
      throw TextProblem(
        .badSetting, file: path,
        isCapture
          ? "the file is a capture, and no text: name it without an option"
          : "the file is no text: it holds bytes that are 0")
    }
    try TextFile.eachLine(bytes) { line, number throws(TextProblem) in
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      var line = line.drop(while: isBlank)
      while line.last.map(isBlank) == true { line.removeLast() }
      guard let first = line.first, first != UInt8(ascii: "#") else { return }
      guard let text = String(validating: line, as: UTF8.self) else {
        problems.append(
          TextProblem(
            .badSetting, file: path, line: number, "the line is not UTF-8: save the file as UTF-8"))
        return
      }
      do throws(SettingProblem) {
        items.append(try parse(text))
      } catch {
        let comment =
          text.drop { $0 != "=" }.firstRange(of: " #") != nil
          ? "; a comment needs a line of its own" : ""
        problems.append(
          TextProblem(.badSetting, file: path, line: number, "\(error)\(comment)"))
      }
    }
    return (items, problems)
  }

  /// By its mark or, without one, because a byte of each pair is 0: mostly in one place of the pairs, next to
  /// never in the other.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
    let head = bytes.prefix(4096)
    let zeros = [0, 1].map { place in head.indices.count { $0 % 2 == place && head[$0] == 0 } }
    return (zeros.max() ?? 0) * 4 > head.count && (zeros.min() ?? 0) * 100 < head.count
  }
}
