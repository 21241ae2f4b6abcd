/// Names of files in which a date stands: `west-2026-05-12`, `20260512_103000-west`, `west-2026-05`.
package enum DatedName {
  /// The name without its first date, with the time behind it and a separator; nil where there is no date, or
  /// nothing else.
  static func rest(of name: String) -> String? {
    let bytes = Array(name.utf8)
    for start in bytes.indices where start == 0 || !isDigit(bytes[start - 1]) {
      guard let end = date(bytes, start), end == bytes.count || !isDigit(bytes[end]) else {
        continue
      }
      var (before, after) = (bytes[..<start], bytes[end...])
      if let last = before.last, isSeparator(last) {
        before.removeLast()
      } else if let first = after.first, isSeparator(first) {
        after.removeFirst()
      }
      let rest = Array(before + after)
      return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
    return nil
  }

  /// Whether it is a date and nothing else: `2026-05-12`, `20260512T103000Z`, the month `2026-05`, the week
  /// `2026-W20`. Four or six digits alone may as well be the number of a room.
  package static func isDate(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return date(bytes, 0) == bytes.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isSeparator(_ byte: UInt8) -> Bool { "-_. T".utf8.contains(byte) }

  /// Where a date of this century ends that begins here, with the time behind it: `2026-05-12`, `20260512`, and
  /// `T103000Z`, `_10-30`. A month or a week, too, where separators tell it from a number.
  private static func date(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard let month = month(bytes, start) else { return nil }
    guard !month.isWeek, let day = number(bytes, skipped(bytes, month.end)),
      (1...31).contains(day.value)
    else {
      let isApart = month.end == bytes.count || isSeparator(bytes[month.end])
      return month.hasSeparator && isApart ? month.end : nil
    }
    var last = day.end
    for _ in 0..<3 {
      guard let next = number(bytes, skipped(bytes, last)) else { break }
      last = next.end
    }
    // Of a time in UTC.
    if last > day.end, last < bytes.count, bytes[last] == UInt8(ascii: "Z") { last += 1 }
    return last
  }

  /// `2026-05`, `2026-W20`; `202605`, of which a day has to come.
  private static func month(
    _ bytes: [UInt8], _ start: Int
  ) -> (end: Int, hasSeparator: Bool, isWeek: Bool)? {
    guard let century = number(bytes, start), century.value == 20,
      let year = number(bytes, century.end)
    else { return nil }
    let place = skipped(bytes, year.end)
    let isWeek = place < bytes.count && bytes[place] == UInt8(ascii: "W")
    guard let part = number(bytes, isWeek ? place + 1 : place),
      (1...(isWeek ? 53 : 12)).contains(part.value)
    else { return nil }
    return (part.end, place > year.end, isWeek)
  }

  /// The next place, behind a separator if there is one.
  private static func skipped(_ bytes: [UInt8], _ place: Int) -> Int {
    place < bytes.count && isSeparator(bytes[place]) ? place + 1 : place
  }

  /// Two digits.
  private static func number(_ bytes: [UInt8], _ start: Int) -> (end: Int, value: Int)? {
    guard start + 1 < bytes.count, isDigit(bytes[start]), isDigit(bytes[start + 1]) else {
      return nil
    }
    return (start + 2, Int(bytes[start] - 0x30) * 10 + Int(bytes[start + 1] - 0x30))
  }
}
