import Analysis
import CaptureReader

/// What is to be done so that a capture is read by the clock that it was compared with.
enum ClockVerdict {
  /// Nothing: it goes right enough.
  case agrees
  /// Values of `--clock`, as a shell takes them, one for each part that is to be moved.
  case move([String])
  /// Times alone do not tell its parts apart.
  case setBack
  /// It is compared as it was moved; how to move it once more only who did that knows.
  case movedInParts

  /// What is less is not worth an option: radios and drivers take some milliseconds themselves.
  static let least: Int64 = 50_000_000

  init(_ result: AnalysisResult, _ capture: ClockComparison.Capture, _ clock: ComparedClock) {
    let names = clock.captures.map { result.captureNames[$0] }
    let facts = result.captures.filter { names.contains($0.name) }
    let correction = facts.first?.correction ?? ClockCorrection()
    let pieces = capture.track.pieces
    let needs = pieces.map { Self.needsMoving($0) }
    guard needs.contains(true) else {
      self = .agrees
      return
    }
    guard correction.isNone || correction.constant != nil,
      facts.allSatisfy({ $0.correction == correction })
    else {
      self = .movedInParts
      return
    }
    // What it was moved by already stays.
    let shift = correction.constant ?? 0
    var bounds: [Int64] = []
    for (one, next) in zip(pieces, pieces.dropFirst()) {
      // A clock that was set back shows as much time twice, unless nobody was heard for as long.
      let back = one.ahead - next.ahead
      guard one.own.upperBound < next.own.lowerBound,
        back < Self.least || next.first - one.last > 2 * back
      else {
        self = .setBack
        return
      }
      bounds.append(
        Self.moment(between: one.own.upperBound - shift, next.own.lowerBound - shift))
    }
    let moved = pieces.indices.filter { needs[$0] || shift != 0 }
    // A drift begins with each file.
    let drifts = moved.contains { Self.drifts(pieces[$0]) }
    if !drifts, let folder = Self.folder(of: clock, in: result) {
      self = .move(moved.map { Self.word(folder, pieces, $0, bounds, nil, shift) })
      return
    }
    self = .move(
      facts.flatMap { facts in
        moved.filter { Self.holds(facts, $0, bounds, shift) }.map { place in
          Self.word(facts.name, pieces, place, bounds, facts.span.earliest, shift)
        }
      })
  }

  /// - Parameters:
  ///   - bounds: where pieces meet, nanoseconds as they stand in the captures.
  ///   - begin: of the file, by its own clock; nil where that does not matter.
  private static func word(
    _ name: String, _ pieces: [ClockTrack.Piece], _ place: Int, _ bounds: [Int64],
    _ begin: Timestamp?, _ shift: Int64
  ) -> String {
    let piece = pieces[place]
    var start = piece.own.lowerBound
    if let begin, begin.isKnown {
      start = place == 0 ? begin.nanoseconds : max(begin.nanoseconds, start)
    }
    var part = place > 0 ? ",from=\(text(bounds[place - 1]))" : ""
    if place < bounds.count { part += ",until=\(text(bounds[place]))" }
    return ShellWord.quoted("\(name)=" + value(piece, from: start, shift) + part)
  }

  /// Whether any of a capture may be of a piece.
  private static func holds(_ facts: CaptureFacts, _ place: Int, _ bounds: [Int64], _ shift: Int64)
    -> Bool
  {
    guard facts.span.earliest.isKnown, facts.span.latest.isKnown else { return true }
    if place > 0, facts.span.latest.nanoseconds - shift < bounds[place - 1] { return false }
    return place >= bounds.count || facts.span.earliest.nanoseconds - shift < bounds[place]
  }

  /// The folder of all captures of an observer, and of no others: one option does for them.
  private static func folder(of clock: ComparedClock, in result: AnalysisResult) -> String? {
    let names = clock.captures.map { result.captureNames[$0] }
    guard names.count > 1 else { return nil }
    var common = names[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for name in names {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      common = common.prefix(zip(common, parts).prefix { $0.0 == $0.1 }.count)
    }
    let folder = common.joined(separator: "/")
    guard !folder.isEmpty,
      result.captureNames.count(where: { $0.hasPrefix(folder + "/") }) == names.count
    else { return nil }
    return folder
  }

  /// Whether what its drift comes to is worth an option.
  private static func drifts(_ piece: ClockTrack.Piece) -> Bool {
    abs((piece.rate ?? 0) * Double(piece.last - piece.first)) >= Double(least)
  }

  private static func needsMoving(_ piece: ClockTrack.Piece) -> Bool {
    abs(piece.ahead) >= least || drifts(piece)
  }

  /// `+7199.818s`, `-0.500s,drift=20.0ppm`
  /// - Parameter start: its first record, nanoseconds by its own clock: there the drift begins.
  private static func value(_ piece: ClockTrack.Piece, from start: Int64, _ shift: Int64) -> String
  {
    guard drifts(piece), let rate = piece.rate else { return seconds(shift - piece.ahead) }
    let ahead = piece.ahead(at: start - piece.ahead)
    let tenths = Int((rate * 1e7).rounded())
    return seconds(shift - ahead)
      + ",drift=\(tenths < 0 ? "-" : "")\(TextColumns.decimal(Double(tenths.magnitude) / 10))ppm"
  }

  /// As `--clock` takes it: seconds, to the millisecond.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let milliseconds = (nanoseconds.magnitude + 500_000) / 1_000_000
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    return "\(nanoseconds < 0 ? "-" : "+")\(milliseconds / 1000).\(fraction)s"
  }

  /// A moment between two, a whole second if there is one.
  private static func moment(between one: Int64, _ next: Int64) -> Int64 {
    let middle = one / 2 + next / 2
    let second = middle - middle % 1_000_000_000
    return second > one && second <= next ? second : middle
  }

  /// In UTC: `1998-02-03T04:05:06Z`, with as many decimals as it takes.
  private static func text(_ moment: Int64) -> String {
    let isWhole = moment % 1_000_000_000 == 0
    let fields = CivilTime(Timestamp(nanoseconds: moment))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let fraction = isWhole ? "" : "." + String(fields.nanosecond + 1_000_000_000).dropFirst()
    return "\(fields.year)-\(two(fields.month))-\(two(fields.day))T\(two(fields.hour)):"
      + "\(two(fields.minute)):\(two(fields.second))\(fraction)Z"
  }
}
