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
  /// Some of its packets stand at times to which no clock takes them that is set: its own do not step back there.
  case contradicted
  /// It is compared as it was moved; how to move it once more only who did that knows.
  case movedInParts

  /// What is less is not worth an option: radios and drivers take some milliseconds themselves.
  static let least: Int64 = 50_000_000

  /// Nanoseconds: by so much times have to go back from one piece to the next to show in the capture.
  private static let leastBack: Int64 = 1_000_000_000

  /// - Parameter clocks: of which the capture's is one, and what it was compared with.
  init(
    _ result: AnalysisResult, _ capture: ClockComparison.Capture, _ clocks: [ComparedClock]
  ) {
    let clock = clocks[capture.place]
    let facts = ClockChange.facts(of: clock, result)
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
    let other = ClockChange.facts(of: clocks[capture.through], result)
    // What it was moved by already stays.
    let shift = correction.constant ?? 0
    // A capture that lies in one piece as a whole is moved as a whole.
    let places = facts.map { Self.places(pieces, of: $0) }
    var bounds: [Int64] = []
    for (place, (one, next)) in zip(pieces, pieces.dropFirst()).enumerated() {
      let parted = zip(facts, places).filter { $1.contains(place) && $1.contains(place + 1) }
      let step = parted.map { $0.0.span.largestStepBack }.max() ?? 0
      // A clock that was set back shows as much time twice, unless nobody was heard for as long.
      let back = one.ahead - next.ahead
      if !parted.isEmpty {
        let own = one.own.upperBound.addingWithin(-next.own.lowerBound)
        guard
          own < Self.leastBack || step >= own / 2
            || !Self.areWhole(facts, other, steppingLessThan: own / 2)
        else {
          self = .contradicted
          return
        }
        guard one.own.upperBound < next.own.lowerBound,
          back < Self.least || step < back / 2 || next.first - one.last > 2 * back
        else {
          self = .setBack
          return
        }
      }
      bounds.append(
        Self.moment(between: one.own.upperBound - shift, next.own.lowerBound - shift))
    }
    let moved = pieces.indices.filter { needs[$0] || shift != 0 }
    // A drift begins with each file.
    let drifts = moved.contains { Self.drifts(pieces[$0]) }
    let isParted =
      pieces.count == 1
      || bounds.indices.allSatisfy { place in
        places.contains { $0.contains(place) && $0.contains(place + 1) }
      }
    if !drifts, isParted, let folder = Self.folder(of: clock, in: result) {
      self = .move(moved.map { Self.word(folder, pieces, $0, bounds, nil, shift) })
      return
    }
    self = .move(
      zip(facts, places).flatMap { facts, places in
        let single = pieces.count == 1 ? 0 : places.count == 1 ? places[0] : nil
        return moved.filter { single == nil ? places.contains($0) : $0 == single }.map { place in
          single == nil
            ? Self.word(facts.name, pieces, place, bounds, facts.span.earliest, shift)
            : Self.word(facts.name, [pieces[place]], 0, [], facts.span.earliest, shift)
        }
      })
  }

  /// Whether both clocks are of one capture each, so that each shows where it was set back, and neither was by so much.
  private static func areWhole(
    _ facts: [CaptureFacts], _ other: [CaptureFacts], steppingLessThan step: Int64
  ) -> Bool {
    facts.count == 1 && other.count == 1
      && [facts[0], other[0]].allSatisfy { $0.span.largestStepBack < step }
  }

  /// Of which pieces a capture holds packets that were compared.
  private static func places(_ pieces: [ClockTrack.Piece], of facts: CaptureFacts) -> [Int] {
    guard facts.span.earliest.isKnown, facts.span.latest.isKnown else { return [] }
    let span = facts.span.earliest.nanoseconds...facts.span.latest.nanoseconds
    return pieces.indices.filter { place in
      pieces[place].points.contains { point in
        let first = point.first.addingWithin(point.ahead)
        return (first...max(first, point.last.addingWithin(point.ahead))).overlaps(span)
      }
    }
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
