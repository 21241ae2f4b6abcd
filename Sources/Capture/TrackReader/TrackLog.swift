/// What was odd about a track: how often, and in which lines.
package struct TrackLog: Sendable, Equatable {
  package struct Note: Sendable, Equatable {
    package let code: TrackCode
    package fileprivate(set) var count = 0
    /// The first of them, 1-based, each once; at most `mostLines`.
    package fileprivate(set) var lines: [Int] = []
    fileprivate(set) var hasMoreLines = false
  }
  package static let mostLines = 10

  /// In the order of their first occurrence.
  package private(set) var notes: [Note] = []

  package init() {}

  package mutating func note(_ code: TrackCode, line: Int) {
    let index = notes.firstIndex { $0.code == code } ?? notes.count
    if index == notes.count { notes.append(Note(code: code)) }
    notes[index].count += 1
    // All of a file may stand in one line.
    guard notes[index].lines.last != line else { return }
    if notes[index].lines.count < Self.mostLines {
      notes[index].lines.append(line)
    } else {
      notes[index].hasMoreLines = true
    }
  }

  package func count(_ code: TrackCode) -> Int { notes.first { $0.code == code }?.count ?? 0 }

  /// One clause for each kind, what was odd and what was done: `3 600 times without a zone were read as UTC
  /// (lines 5, 6, 7…)`.
  var clauses: [String] { notes.map(\.clause) }

  /// The same as sentences.
  package var texts: [String] { clauses.map { $0 + "." } }
}

extension TrackLog.Note {
  /// How many lines are named where they are not all.
  private static let fewLines = 3

  fileprivate var clause: String {
    let named = hasMoreLines ? Array(lines.prefix(Self.fewLines)) : lines
    let list = named.map(String.init).joined(separator: ", ") + (hasMoreLines ? "…" : "")
    let words = code.words.map { count == 1 ? $0.one : $0.many } ?? code.rawValue
    return "\(Self.grouped(count)) \(words) (\(lines.count == 1 ? "line" : "lines") \(list))"
  }

  /// 1234567 → 1 234 567.
  private static func grouped(_ number: Int) -> String {
    let digits = String(number)
    let parts = digits.enumerated().map { place, digit in
      place > 0 && (digits.count - place).isMultiple(of: 3) ? " \(digit)" : "\(digit)"
    }
    return parts.joined()
  }
}

extension TrackCode {
  /// What happened to one and to several, behind their number. Nil of reasons why a file cannot be used.
  fileprivate var words: (one: String, many: String)? {
    switch self {
    case .badChecksum: Self.leftOut("NMEA sentence", "with a wrong checksum")
    case .missingChecksum: Self.leftOut("NMEA sentence", "without a checksum")
    case .noDate: Self.leftOut("GGA position", "before any date (of RMC or ZDA)")
    case .outOfRange: Self.leftOut("entry", "with a value out of range", many: "entries")
    case .unreadable: Self.leftOut("entry", "with a value that cannot be read", many: "entries")
    case .withoutTime: Self.leftOut("point", "without a time")
    case .zero:
      Self.leftOut("position", "at exactly 0°, 0°, which receivers write that have no fix,")
    case .repeated: Self.leftOut("position", "of a moment that has another one before")
    case .detailUnreadable:
      (
        "altitude, speed or course cannot be read: its point was used without it",
        "altitudes, speeds or courses cannot be read: their points were used without them"
      )
    case .zoneMissing:
      ("time without a zone was read as UTC", "times without a zone were read as UTC")
    case .backwards:
      (
        "time is earlier than the one before it: the positions were sorted",
        "times are earlier than the one before them: the positions were sorted"
      )
    case .jump:
      (
        "jump is faster than 300 m/s: the positions on both sides of it were kept",
        "jumps are faster than 300 m/s: the positions on both sides of them were kept"
      )
    default: nil
    }
  }

  private static func leftOut(_ what: String, _ which: String, many: String? = nil) -> (
    one: String, many: String
  ) {
    ("\(what) \(which) was left out", "\(many ?? what + "s") \(which) were left out")
  }
}
