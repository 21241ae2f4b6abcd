/// Citations that come out of saved state: frames of an earlier run, which has captures of its own, and
/// often under the same names.
///
/// The name of the capture (or track) says so from then on: that goes along wherever a rule copies it to.
enum EarlierRun {
  private static let mark = "earlier run: "

  static func isMarked(_ name: String) -> Bool { name.hasPrefix(mark) }

  /// Saved values with each name that stands beside a frame, or a line, marked.
  static func marked(_ table: LuaTable) -> LuaTable {
    let citesFrame = table["frame"].integer != nil
    let citesLine = table["line"].integer != nil
    var marked = LuaTable()
    for (key, value) in table.pairs {
      marked.append(key, self.marked(value, key.text, citesFrame, citesLine))
    }
    return marked
  }

  private static func marked(
    _ value: LuaValue, _ key: String?, _ citesFrame: Bool, _ citesLine: Bool
  ) -> LuaValue {
    if case .table(let table) = value { return .table(marked(table)) }
    guard let name = value.text, !isMarked(name),
      (key == "capture" && citesFrame) || (key == "track" && citesLine)
    else { return value }
    return .text(mark + name)
  }
}
