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
    var items: [Item] = []
    let bytes = try TextFile.read(path)
    // A byte of each pair is 0 there, also without the mark at the beginning.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.contains(0) {
      throw TextProblem(
        .badSetting, file: path, line: 1,
        "the file is not UTF-8 but, as it seems, UTF-16: save it as UTF-8")
    }
    try TextFile.eachLine(bytes) { line, number throws(TextProblem) in
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      var line = line.drop(while: isBlank)
      while line.last.map(isBlank) == true { line.removeLast() }
      guard let first = line.first, first != UInt8(ascii: "#") else { return }
      guard let text = String(validating: line, as: UTF8.self) else {
        throw TextProblem(
          .badSetting, file: path, line: number, "the line is not UTF-8: save the file as UTF-8")
      }
      do throws(SettingProblem) {
        items.append(try parse(text))
      } catch {
        throw TextProblem(.badSetting, file: path, line: number, "\(error)")
      }
    }
    return items
  }
}
