package import Analysis
import Exports

/// Says while a run goes on that a receiver does not get its alerts, or gets them late, and that it gets
/// them again. Of what is lost the first is told at once, then the tenth, the hundredth; and no outage
/// within a minute of another one.
package struct DeliveryWatch {
  /// What there is to say.
  package struct Remark: Equatable, Sendable {
    package let text: String
    /// Told to others than the receiver.
    package let severity: Alert.Severity
    /// Told to the receiver itself: it works again, and is to know that something is missing. As severe as
    /// what is.
    package var forReceiver: Alert.Severity?
  }

  private let name: String
  /// Where the alerts are kept, as a clause; empty: nowhere.
  private let kept: String
  /// How long one that was not taken is tried again, behind that word.
  private let triesFor: String
  private var seen = DeliveryCounts()
  /// The last one was not delivered, or some wait for another try.
  package private(set) var isFailing = false
  /// Alerts wait for long.
  package private(set) var isLate = false
  private var isLateTold = false
  /// Delivered when the last one failed.
  private var deliveredThen = 0
  /// Lost before this outage, and how many of it are told next.
  private var before = DeliveryCounts()
  private var toldNext = 1
  /// This outage was told.
  private var isTold = false
  private var quietUntil: ContinuousClock.Instant?
  private static let pace = Duration.seconds(60)
  /// Seconds that an alert waits, and that is long.
  private static let longWait = 60.0

  /// - Parameter givesUp: whether an alert that is not taken is given up after ten minutes.
  package init(_ name: String, keptIn file: String?, givesUp: Bool = true) {
    triesFor = givesUp ? " for ten minutes" : " until it is written, or the run ends"
    self.name = TextColumns.printable(name)
    kept = file.map { ", kept in \(TextColumns.printable($0))" } ?? ""
  }

  /// To be called some times a second.
  /// - Parameters:
  ///   - waiting: alerts that wait.
  ///   - longest: how long the one has that came first, seconds.
  /// - Returns: what there is to say now.
  package mutating func next(
    _ counts: DeliveryCounts, waiting: Int, longest: Double, now: ContinuousClock.Instant
  ) -> Remark? {
    let earlier = seen
    seen = counts
    // A receiver that goes on slowly has several of them at the limit, one after the other.
    isLate = longest >= Self.longWait / (isLate ? 2 : 1)
    // Missed and taken between two looks is nothing that fails.
    let isMissed = counts.missed > earlier.missed && counts.retrying > 0
    if counts.undeliveredTotal > earlier.undeliveredTotal || isMissed {
      (isFailing, deliveredThen) = (true, counts.delivered)
    } else if counts.retrying == 0, counts.delivered > deliveredThen {
      isFailing = false
    }
    return isFailing ? failure(now) : recovery(now) ?? lateness(waiting, longest)
  }

  private var problem: String { TextColumns.printable(seen.problem ?? "no reason is known") }

  private mutating func failure(_ now: ContinuousClock.Instant) -> Remark? {
    if let quietUntil, now < quietUntil { return nil }
    let count = seen.undeliveredTotal - before.undeliveredTotal
    guard count >= toldNext || !isTold else { return nil }
    let isTried = seen.retrying > 0 && count == 0
    isTold = true
    while toldNext <= count { toldNext *= 10 }
    quietUntil = now + Self.pace
    let text =
      isTried
      ? "an alert was not delivered: \(problem); it is tried again\(triesFor)."
      : count == 1
        ? "an alert was not delivered: \(problem)\(kept)."
        : "\(TextColumns.grouped(count)) alerts were not delivered, the last: \(problem)\(kept)."
    return Remark(text: "\(name): \(text)", severity: .warning)
  }

  private mutating func recovery(_ now: ContinuousClock.Instant) -> Remark? {
    let count = seen.undeliveredTotal - before.undeliveredTotal
    let isQuiet = quietUntil.map { now < $0 } ?? false
    guard isTold || count > 0 && !isQuiet else { return nil }
    let worst = Alert.Severity.allCases.last {
      seen.lost[$0, default: 0] > before.lost[$0, default: 0]
    }
    (before, toldNext, isTold) = (seen, 1, false)
    let missing =
      count == 0
      ? "none is missing" : count == 1 ? "one was not" : "\(TextColumns.grouped(count)) were not"
    return Remark(
      text: "\(name): alerts are delivered again; \(missing).", severity: .notice,
      forReceiver: worst)
  }

  private mutating func lateness(_ waiting: Int, _ longest: Double) -> Remark? {
    guard isLate != isLateTold else { return nil }
    isLateTold = isLate
    guard isLate else {
      return Remark(text: "\(name): no alert waits for long any more.", severity: .notice)
    }
    let span = TextColumns.duration(Int64(longest) * 1_000_000_000)
    return Remark(
      text:
        "\(name): alerts wait for it, \(TextColumns.grouped(waiting)) now, the first for \(span).",
      severity: .warning)
  }
}
