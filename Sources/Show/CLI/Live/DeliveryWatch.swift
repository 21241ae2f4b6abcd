import Deliveries
import Exports

/// Says while a run goes on that a receiver does not get its alerts, and that it gets them again: the
/// first at once, then the tenth, the hundredth, and no more than a line a minute.
struct DeliveryWatch {
  private let name: String
  /// Where the alerts are kept, as a clause; empty: nowhere.
  private let kept: String
  private var seen = DeliveryCounts()
  /// The last one was not delivered.
  private(set) var isFailing = false
  /// Undelivered before this outage, and how many of it are told next.
  private var before = 0
  private var toldNext = 1
  private var quietUntil: ContinuousClock.Instant?
  private static let pace = Duration.seconds(60)

  init(_ name: String, keptIn file: String?) {
    self.name = TextColumns.printable(name)
    kept = file.map { ", kept in \(TextColumns.printable($0))" } ?? ""
  }

  /// - Returns: what there is to say now.
  mutating func next(_ counts: DeliveryCounts, now: ContinuousClock.Instant) -> String? {
    let earlier = seen
    seen = counts
    let lost = counts.undeliveredTotal
    let problem = TextColumns.printable(counts.problem ?? "no reason is known")
    if lost > earlier.undeliveredTotal {
      isFailing = true
    } else if counts.delivered > earlier.delivered {
      isFailing = false
    } else if counts.problem != earlier.problem {
      return "\(name): \(problem)."
    }
    if let quietUntil, now < quietUntil { return nil }
    let count = lost - before
    if isFailing, count >= toldNext {
      while toldNext <= count { toldNext *= 10 }
      quietUntil = now + Self.pace
      return count == 1
        ? "\(name): an alert was not delivered: \(problem)\(kept)."
        : "\(name): \(TextColumns.grouped(count)) alerts were not delivered, the last: \(problem)\(kept)."
    }
    guard !isFailing, toldNext > 1 else { return nil }
    before = lost
    toldNext = 1
    return "\(name): alerts are delivered again; "
      + (count == 1 ? "one was not." : "\(TextColumns.grouped(count)) were not.")
  }
}
