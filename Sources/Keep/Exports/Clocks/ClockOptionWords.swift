import Analysis
import CaptureReader

/// What `--clock` has to say so that a capture is read by the clock that it was compared with.
struct ClockOptionWords {
  /// What is less is not worth an option: radios and drivers take some milliseconds themselves.
  static let least: Int64 = 50_000_000

  private let result: AnalysisResult
  private let capture: ClockComparison.Capture
  private let name: String
  /// By how much the clock that it was compared with is ahead of the group's own.
  private let change: Int64

  init(_ result: AnalysisResult, _ capture: ClockComparison.Capture) {
    (self.result, self.capture) = (result, capture)
    name = result.captureNames[capture.place]
    change = capture.ahead - (capture.track.main?.ahead ?? 0)
  }

  /// As a shell takes them, one for each part that is to be moved; nil where times alone do not tell its parts
  /// apart.
  var words: [String]? {
    let facts = result.captures.first { $0.name == name }
    let correction = facts?.correction ?? ClockCorrection()
    let pieces = capture.track.pieces
    guard let first = pieces.first else { return [] }
    // What was moved in parts is compared as it is then; how to move it once more, only its maker knows.
    guard correction.isNone || correction.constant != nil else { return [] }
    let shift = correction.constant ?? 0
    if pieces.count == 1 {
      let begin = facts?.span.earliest.nanoseconds ?? first.own.lowerBound
      return word(first, from: begin, movedBy: shift, "").map { [$0] } ?? []
    }
    let bounds = zip(pieces, pieces.dropFirst()).map { one, next in
      one.own.upperBound < next.own.lowerBound
        ? one.own.upperBound / 2 + next.own.lowerBound / 2 - shift : nil
    }
    guard bounds.allSatisfy({ $0 != nil }) else { return nil }
    return pieces.enumerated().compactMap { place, piece in
      var part = place > 0 ? ",from=\(Self.moment(bounds[place - 1] ?? 0))" : ""
      if place < bounds.count { part += ",until=\(Self.moment(bounds[place] ?? 0))" }
      return word(piece, from: piece.own.lowerBound, movedBy: shift, part)
    }
  }

  /// Nil where the clock goes right enough.
  /// - Parameters:
  ///   - begin: its first record, nanoseconds by its own clock.
  ///   - shift: what it was moved by already, which stays.
  private func word(
    _ piece: ClockTrack.Piece, from begin: Int64, movedBy shift: Int64, _ part: String
  ) -> String? {
    let length = (piece.points.last?.time ?? 0) - (piece.points.first?.time ?? 0)
    let drifts = abs((piece.rate ?? 0) * Double(length)) >= Double(Self.least)
    let ahead = (drifts ? piece.ahead(at: begin - piece.ahead) : piece.ahead) + change
    guard abs(ahead) >= Self.least || drifts else { return nil }
    var word = "\(name)=\(Self.seconds(shift - ahead))"
    if drifts, let rate = piece.rate {
      let tenths = Int((rate * 1e7).rounded())
      word +=
        ",drift=\(tenths < 0 ? "-" : "")\(TextColumns.decimal(Double(tenths.magnitude) / 10))ppm"
    }
    return ShellWord.quoted(word + part)
  }

  /// As `--clock` takes it: seconds, to the millisecond.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let milliseconds = (nanoseconds.magnitude + 500_000) / 1_000_000
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    return "\(nanoseconds < 0 ? "-" : "+")\(milliseconds / 1000).\(fraction)s"
  }

  /// To the second, in UTC: `1998-02-03T04:05:06Z`.
  private static func moment(_ nanoseconds: Int64) -> String {
    let fields = CivilTime(Timestamp(nanoseconds: nanoseconds))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(fields.year)-\(two(fields.month))-\(two(fields.day))T\(two(fields.hour)):"
      + "\(two(fields.minute)):\(two(fields.second))Z"
  }
}
