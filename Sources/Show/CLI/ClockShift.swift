import ArgumentParser
import CaptureReader
import Exports
import Regions
import TrackReader

/// `--clock FILE=+2h`: a capture whose clock was wrong, by how much, or what its first record's time was; of
/// all of it, or of a part. Without a file: of all captures.
struct ClockShift {
  private enum Value {
    /// Nanoseconds.
    case by(Int64)
    case begins(Timestamp)
  }

  private let word: String
  /// Nil: all captures.
  private let file: String?
  private let value: Value
  /// Parts in a billion by which the clock is fast.
  private var drift: Int64 = 0
  /// As they stand in the capture, nanoseconds.
  private var from = Int64.min
  private var until = Int64.max

  init(_ word: String) throws {
    self.word = word
    var rest = word[...]
    var parts: [(name: Substring, value: Substring)] = []
    while let part = Self.lastPart(of: rest) {
      parts.append(part)
      rest = rest.dropLast(part.name.count + part.value.count + 2)
    }
    let equals = rest.lastIndex(of: "=")
    file = equals.map { String(rest[..<$0]) }
    value = try Self.value(String(equals.map { rest[rest.index(after: $0)...] } ?? rest), word)
    for part in parts { try take(part.name, String(part.value)) }
    guard from < until else {
      throw ValidationError("--clock '\(word)': nothing is from that time on and before the other.")
    }
  }

  private static let partNames = ["drift", "from", "until"]

  /// `,drift=20ppm` at its end.
  private static func lastPart(of text: Substring) -> (name: Substring, value: Substring)? {
    guard let comma = text.lastIndex(of: ",") else { return nil }
    let part = text[text.index(after: comma)...]
    guard let equals = part.firstIndex(of: "="), partNames.contains(String(part[..<equals])) else {
      return nil
    }
    return (part[..<equals], part[part.index(after: equals)...])
  }

  private mutating func take(_ name: Substring, _ text: String) throws {
    switch name {
    case "drift": drift = try Self.drift(text, word)
    case "from": from = try Self.moment(text, word).nanoseconds
    default: until = try Self.moment(text, word).nanoseconds
    }
  }

  private static func drift(_ text: String, _ word: String) throws -> Int64 {
    // Clocks with crystals are off by 100 ppm at most; a tenth is a clock that is broken, or a mistake.
    guard text.hasSuffix("ppm"), let ppm = Double(text.dropLast(3)), abs(ppm) <= 100_000 else {
      throw ValidationError(
        "--clock '\(word)': drift is how much faster the clock is in ppm, such as drift=20ppm or "
          + "drift=-3.5ppm.")
    }
    return Int64((ppm * 1000).rounded())
  }

  private static func moment(_ text: String, _ word: String) throws -> Timestamp {
    guard let reading = UTCTime.read(typed: text) else {
      throw ValidationError(
        "--clock '\(word)': '\(text)' is no time; write it as it stands in the capture, such as "
          + "1970-01-01T00:10:00Z.")
    }
    guard reading.hasZone else {
      throw ValidationError(
        "--clock '\(word)': the time has no zone; write it as 2026-05-19T10:00:00Z or "
          + "2026-05-19T12:00:00+02:00.")
    }
    return reading.time
  }

  private static func value(_ text: String, _ word: String) throws -> Value {
    if UTCTime.read(typed: text) != nil { return .begins(try moment(text, word)) }
    guard let sign = text.first, sign == "+" || sign == "-",
      let span = try? SettingText.span(String(text.dropFirst()), "clock", upTo: .max - 1)
    else {
      throw ValidationError(
        "--clock '\(word)' says neither by how much the clock is moved (FILE=+2h, FILE=-90s) nor when the "
          + "first record was (FILE=2026-05-19T10:00:00Z).")
    }
    return .by(sign == "-" ? -span : span)
  }

  /// The captures with their clocks moved.
  static func apply(_ words: [String], to given: [CaptureSource]) throws -> [CaptureSource] {
    guard !words.isEmpty else { return given }
    let names = CaptureNames(given.map(\.name), knowsCopies: false)
    var sources = given
    var moved: [Int: [ClockCorrection.Piece]] = [:]
    for shift in try words.map({ try ClockShift($0) }) {
      for place in try shift.places(in: names) {
        // Its first time is read before the run: what comes once is kept for that, and no longer.
        if shift.readsFirst { sources[place] = sources[place].readAgain }
        let piece = try shift.piece(sources[place])
        guard moved[place]?.contains(where: { $0.overlaps(piece) }) != true else {
          throw ValidationError(
            "--clock: the clock of \(names.names[place]) is moved twice; parts of it are told apart by "
              + "from=TIME and until=TIME.")
        }
        moved[place, default: []].append(piece)
      }
    }
    for (place, source) in sources.enumerated() where !given[place].canBeReadAgain {
      if case .kept(let spool) = source { spool.keepNoMore() }
    }
    return sources.enumerated().map { place, source in
      moved[place].map { .corrected(source, ClockCorrection($0)) } ?? source
    }
  }

  private func piece(_ source: CaptureSource) throws -> ClockCorrection.Piece {
    ClockCorrection.Piece(
      from: from, until: until, by: try nanoseconds(source), drift: drift)
  }

  /// The same with the captures' own names, a word for each.
  static func words(_ words: [String], _ captures: [String]) throws -> [String] {
    let names = CaptureNames(captures)
    return try words.map { try ClockShift($0) }.flatMap { shift in
      let value = shift.file.map { shift.word.dropFirst($0.count + 1) } ?? shift.word[...]
      return try shift.places(in: names).map { "\(names.names[$0])=\(value)" }
    }
  }

  /// Whether a word is about some of these captures.
  static func isAbout(_ word: String, _ captures: [String]) throws -> Bool {
    guard let file = try ClockShift(word).file else { return true }
    return !CaptureNames(captures, knowsCopies: false).places(of: file).isEmpty
  }

  private func places(in names: CaptureNames) throws -> [Int] {
    guard let file else { return Array(names.names.indices) }
    let places = names.places(of: file)
    guard !places.isEmpty else {
      throw ValidationError(
        "--clock \(word): '\(file)' is none of the captures, and no folder with any; "
          + names.question(file))
    }
    return places
  }

  private var readsFirst: Bool { if case .begins = value { true } else { false } }

  private func nanoseconds(_ source: CaptureSource) throws -> Int64 {
    switch value {
    case .by(let nanoseconds): return nanoseconds
    case .begins(let moment):
      let first: Timestamp?
      do throws(CaptureProblem) { first = try self.first(of: source) } catch {
        // Told when it is read.
        return 0
      }
      guard let first else {
        throw ValidationError(
          "--clock \(word): no record of \(source.name) has a time\(from > .min || until < .max ? " in it" : "")."
        )
      }
      let (shift, overflow) = moment.nanoseconds.subtractingReportingOverflow(first.nanoseconds)
      guard !overflow else {
        throw ValidationError(
          "--clock \(word): \(source.name) begins further from that than clocks can be moved (292 years)."
        )
      }
      return shift
    }
  }

  /// The first time of the part, in the order of the records; nil where none has one.
  private func first(of source: CaptureSource) throws(CaptureProblem) -> Timestamp? {
    let reader = try CaptureReader.open(source, isHashed: false)
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      let found = batch.records.array.first {
        $0.time.isKnown && $0.time.nanoseconds >= from && $0.time.nanoseconds < until
      }
      if let found { return found.time }
    }
    return nil
  }
}
