import ArgumentParser
import CaptureReader
import Exports
import Regions
import TrackReader

/// `--clock FILE=+2h`: a capture whose clock was wrong, by how much, or what its first record's time was.
/// Without a file: of all captures.
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

  init(_ word: String) throws {
    self.word = word
    let equals = word.lastIndex(of: "=")
    file = equals.map { String(word[..<$0]) }
    value = try Self.value(
      String(equals.map { word[word.index(after: $0)...] } ?? word[...]), word)
  }

  private static func value(_ text: String, _ word: String) throws -> Value {
    if let reading = UTCTime.read(text.utf8) {
      guard reading.hasZone else {
        throw ValidationError(
          "--clock '\(word)': the time has no zone; write it as 2026-05-19T10:00:00Z or "
            + "2026-05-19T12:00:00+02:00.")
      }
      return .begins(reading.time)
    }
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
  static func apply(_ words: [String], to sources: [CaptureSource]) throws -> [CaptureSource] {
    guard !words.isEmpty else { return sources }
    let names = CaptureNames(sources.map(\.name))
    var shifts: [Int: Int64] = [:]
    for shift in try words.map({ try ClockShift($0) }) {
      for place in try shift.places(in: names) {
        let nanoseconds = try shift.nanoseconds(sources[place])
        guard shifts.updateValue(nanoseconds, forKey: place) == nil else {
          throw ValidationError("--clock: the clock of \(names.names[place]) is moved twice.")
        }
      }
    }
    return sources.enumerated().map { place, source in
      shifts[place].map { .shifted(source, by: $0) } ?? source
    }
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
    return !CaptureNames(captures).places(of: file).isEmpty
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

  private func nanoseconds(_ source: CaptureSource) throws -> Int64 {
    switch value {
    case .by(let nanoseconds): return nanoseconds
    case .begins(let moment):
      guard source.canBeReadAgain else {
        throw ValidationError(
          "--clock \(word): \(source.name) cannot be read twice, so when it begins is not known before; "
            + "write by how much, such as +2h.")
      }
      let first: Timestamp?
      do throws(CaptureProblem) { first = try Self.first(of: source) } catch {
        // Told when it is read.
        return 0
      }
      guard let first else {
        throw ValidationError("--clock \(word): no record of \(source.name) has a time.")
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

  /// The first time in the order of the records; nil where none has one.
  private static func first(of source: CaptureSource) throws(CaptureProblem) -> Timestamp? {
    let reader = try CaptureReader.open(source, isHashed: false)
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      if let record = batch.records.array.first(where: { $0.time.isKnown }) { return record.time }
    }
    return nil
  }
}
