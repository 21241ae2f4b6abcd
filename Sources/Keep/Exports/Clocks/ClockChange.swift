import Analysis
import CaptureReader

/// How the difference of two clocks became another one between two pieces of its way. Packets tell that it did, and
/// of two clocks not which one was set.
struct ClockChange {
  enum Cause {
    /// No more than its drift comes to.
    case drift
    /// It was this clock: it shows so itself, or a third one goes on as the other does.
    case own
    /// It was the other one, as that shows itself.
    case other
    /// One of the two.
    case either
  }

  let cause: Cause
  /// Of a drift that neither side of it was long enough to measure: it may have been set as well.
  let isGuessed: Bool
  /// The captures of this clock's receiver before and after it; nil where one capture holds both, and has no gap.
  let between: (String, String)?
  /// The same of the other receiver.
  let otherBetween: (String, String)?

  /// While a capture ran that holds both sides of it.
  var isWithin: Bool { between == nil && otherBetween == nil }

  /// Crystals drift by so much more or less from one day to the next, as they get warm and cold; and where it was
  /// not measured, by so much.
  private static let driftChange = 5e-6
  private static let leastKnownDrift = 20e-6
  private static let second: Int64 = 1_000_000_000

  /// All of a capture's, in their order.
  static func all(
    of capture: ClockComparison.Capture, in group: ClockComparison.Group, _ clocks: [ComparedClock],
    _ result: AnalysisResult
  ) -> [ClockChange] {
    let pieces = capture.track.pieces
    return zip(pieces, pieces.dropFirst()).map { one, next in
      ClockChange(one, next, of: capture, in: group, clocks, result)
    }
  }

  private init(
    _ one: ClockTrack.Piece, _ next: ClockTrack.Piece, of capture: ClockComparison.Capture,
    in group: ClockComparison.Group, _ clocks: [ComparedClock], _ result: AnalysisResult
  ) {
    let own = (one.own.upperBound, next.own.lowerBound)
    // The way to the group's clock goes by that of another one where it was not compared with it itself.
    let middle = group.captures.first { $0.place == capture.through }?.track.pieces.first
    let other = (
      one.last.addingWithin(middle?.ahead(at: one.last) ?? 0),
      next.first.addingWithin(middle?.ahead(at: next.first) ?? 0)
    )
    between = Self.between(own, clocks[capture.place], result)
    otherBetween = Self.between(other, clocks[capture.through], result)
    let change = next.ahead(at: next.first).addingWithin(-one.ahead(at: one.last))
    isGuessed = one.rate == nil && next.rate == nil
    if Self.isDrift(change, next.first.addingWithin(-one.last), [one.rate, next.rate]) {
      cause = .drift
    } else {
      let votes = Self.votes((one, next), by: change, of: capture, in: group)
      // Ahead by more: this one was set forward, or the other one back; and what was set back shows that.
      let back = change > 0 ? clocks[capture.through] : clocks[capture.place]
      let isOfOne = (change > 0 ? otherBetween : between) == nil
      let moments = change > 0 ? other : own
      // Of another size it is another one, and a larger one hides it.
      let step = Self.facts(of: back, result).filter {
        $0.span.earliest.nanoseconds.addingWithin(-Self.second) <= moments.0
          && moments.1 <= $0.span.latest.nanoseconds.addingWithin(Self.second)
      }.map(\.span.largestStepBack.magnitude).max()
      let isBack = step.map { $0 >= change.magnitude / 2 }
      let isHidden = step.map { $0 / 2 > change.magnitude } ?? true
      cause =
        votes != 0
        ? votes > 0 ? .own : .other
        : !isOfOne || isHidden ? .either : isBack == (change < 0) ? .own : .other
    }
  }

  /// What third ones say, that were heard on both sides: one that goes on as the other does says that it was this
  /// clock, one whose difference became another one by as much that it was the other.
  private static func votes(
    _ sides: (ClockTrack.Piece, ClockTrack.Piece), by change: Int64,
    of capture: ClockComparison.Capture, in group: ClockComparison.Group
  ) -> Int {
    // A clock that was set back shows as much time twice.
    let near = Int64(clamping: change.magnitude)
    let place =
      min(sides.0.last, sides.1.first).addingWithin(
        -near)...max(sides.0.last, sides.1.first).addingWithin(near)
    return group.captures.filter { $0.place != capture.place }.reduce(0) { votes, third in
      let pieces = third.track.pieces
      let hasSame = zip(pieces, pieces.dropFirst()).contains { one, next in
        let other = next.ahead(at: next.first).addingWithin(-one.ahead(at: one.last))
        return other.addingWithin(-change).magnitude <= least + near.magnitude / 100
          && (min(one.last, next.first)...max(one.last, next.first)).overlaps(place)
      }
      if hasSame { return votes - 1 }
      let goesOn = pieces.contains { piece in
        [sides.0, sides.1].allSatisfy { side in
          piece.points.contains { $0.time >= side.first && $0.time <= side.last }
        }
      }
      return goesOn ? votes + 1 : votes
    }
  }

  private static let least = ClockVerdict.least.magnitude

  private static func isDrift(_ change: Int64, _ gap: Int64, _ rates: [Double?]) -> Bool {
    guard gap > 0 else { return false }
    let slope = Double(change) / Double(gap)
    let known = rates.compactMap { $0 }
    return known.isEmpty
      ? abs(slope) <= leastKnownDrift : known.contains { abs(slope - $0) <= driftChange }
  }

  static func facts(of clock: ComparedClock, _ result: AnalysisResult) -> [CaptureFacts] {
    let names = Set(clock.captures.map { result.captureNames[$0] })
    return result.captures.filter { names.contains($0.name) }
  }

  /// The captures of two moments; nil where they are of one.
  private static func between(
    _ moments: (Int64, Int64), _ clock: ComparedClock, _ result: AnalysisResult
  ) -> (String, String)? {
    // The nearest: a moment is as exact as differences are.
    func captures(_ moment: Int64) -> [CaptureFacts] {
      let away = facts(of: clock, result).filter { $0.span.earliest.isKnown }.map { facts in
        (
          facts,
          max(
            facts.span.earliest.nanoseconds.addingWithin(-moment),
            moment.addingWithin(-facts.span.latest.nanoseconds), 0)
        )
      }
      let least = away.map(\.1).min()
      return away.filter { $0.1 == least }.map(\.0)
    }
    let (before, after) = (captures(moments.0), captures(moments.1))
    guard let one = before.last, let next = after.first,
      !before.contains(where: { capture in after.contains { $0.name == capture.name } })
    else { return nil }
    return (one.name, next.name)
  }
}

/// What is to be said of all changes of a clock.
struct ClockChanges {
  private let changes: [ClockChange]
  /// Names, as they are shown.
  private let own: String
  private let other: String

  init(
    of capture: ClockComparison.Capture, in group: ClockComparison.Group, _ clocks: [ComparedClock],
    _ result: AnalysisResult
  ) {
    changes = ClockChange.all(of: capture, in: group, clocks, result)
    own = TextColumns.printable(clocks[capture.place].name)
    other = TextColumns.printable(clocks[capture.through].name)
  }

  var areDrift: Bool { changes.allSatisfy { $0.cause == .drift } }

  /// `drifts`, and where that was not measured `drifts, or was set between a.pcap and b.pcap`.
  var drift: String {
    guard let guessed = changes.first(where: { $0.cause == .drift && $0.isGuessed }) else {
      return "drifts"
    }
    return changes.count == 1 && guessed.between != nil
      ? "drifts, or was set \(Self.place(guessed.between))" : "drifts, or was set"
  }

  private var steps: [ClockChange] { changes.filter { $0.cause != .drift } }

  /// Whether it is known who was set, this one or the other.
  var isSettled: Bool { steps.allSatisfy { $0.cause != .either } }

  /// Whether it is known that the other one was.
  var areOfOther: Bool { !steps.isEmpty && steps.allSatisfy { $0.cause == .other } }

  /// `was set while it recorded`, where it is known to be this clock; nil of others.
  var known: String? {
    guard steps.allSatisfy({ $0.cause == .own }), let first = steps.first else { return nil }
    if steps.allSatisfy({ $0.between == nil }) { return "was set while it recorded" }
    return steps.count == 1 ? "was set \(Self.place(first.between))" : "was set"
  }

  /// `hall was set while it recorded, or door between a.pcap and b.pcap`
  var unknown: String {
    guard steps.count == 1, let step = steps.first else {
      if areOfOther { return "\(other) was set \(steps.count) times" }
      return "\(own) or \(other) was set, \(steps.count) times in all"
    }
    if step.cause == .other { return "\(other) was set \(Self.place(step.otherBetween))" }
    return step.isWithin
      ? "\(own) or \(other) was set while both recorded"
      : "\(own) was set \(Self.place(step.between)), or \(other) \(Self.place(step.otherBetween))"
  }

  private static func place(_ names: (String, String)?) -> String {
    guard let names else { return "while it recorded" }
    return "between \(TextColumns.printable(names.0)) and \(TextColumns.printable(names.1))"
  }
}
