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

  init(_ result: AnalysisResult, _ capture: ClockComparison.Capture) {
    let name = result.captureNames[capture.place]
    let facts = result.captures.first { $0.name == name }
    let correction = facts?.correction ?? ClockCorrection()
    let pieces = capture.track.pieces
    let begin = facts?.span.earliest ?? .none
    let starts = pieces.indices.map { place in
      place == 0 && begin.isKnown ? begin.nanoseconds : pieces[place].own.lowerBound
    }
    let needs = pieces.map { Self.needsMoving($0) }
    guard needs.contains(true) else {
      self = .agrees
      return
    }
    guard correction.isNone || correction.constant != nil else {
      self = .movedInParts
      return
    }
    // What it was moved by already stays.
    let shift = correction.constant ?? 0
    var bounds: [String] = []
    for (one, next) in zip(pieces, pieces.dropFirst()) {
      // A clock that was set back shows as much time twice, unless nobody was heard for as long.
      let back = one.ahead - next.ahead
      guard one.own.upperBound < next.own.lowerBound,
        back < Self.least || next.first - one.last > 2 * back
      else {
        self = .setBack
        return
      }
      let (end, start) = (one.own.upperBound - shift, next.own.lowerBound - shift)
      bounds.append(Self.moment(between: end, start))
    }
    let words = pieces.indices.filter { needs[$0] || shift != 0 }.map { place in
      var part = place > 0 ? ",from=\(bounds[place - 1])" : ""
      if place < bounds.count { part += ",until=\(bounds[place])" }
      return ShellWord.quoted(
        "\(name)=" + Self.value(pieces[place], from: starts[place], shift) + part)
    }
    self = .move(words)
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

  /// A moment in UTC between two: `1998-02-03T04:05:06Z`, with as many decimals as it takes.
  private static func moment(between one: Int64, _ next: Int64) -> String {
    let middle = one / 2 + next / 2
    let second = middle - middle % 1_000_000_000
    let isWhole = second > one && second <= next
    let fields = CivilTime(Timestamp(nanoseconds: isWhole ? second : middle))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let fraction = isWhole ? "" : "." + String(fields.nanosecond + 1_000_000_000).dropFirst()
    return "\(fields.year)-\(two(fields.month))-\(two(fields.day))T\(two(fields.hour)):"
      + "\(two(fields.minute)):\(two(fields.second))\(fraction)Z"
  }
}
