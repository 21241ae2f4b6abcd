import CaptureReader
import CaseStore
import GRDB

/// When it is not known where observers were: circles are followed by positions, whatever the radio
/// hears.
struct Positions: Sendable {
  struct Gap: Sendable, Equatable {
    let from: Int64
    let to: Int64
  }

  /// Whether the case says it: those of older forms do not.
  let areKept: Bool
  /// By observer, in order: gaps in its recording.
  private var gaps: [Int64: [Gap]] = [:]
  /// By observer: where the last gap begins, if it lasts to the end.
  private var ends: [Int64: Int64] = [:]

  /// - Parameter form: of the case.
  init(_ database: Database, _ observers: [ObserverRow], form: Int) throws {
    areKept = form >= CaseSchema.firstFormWithUnplaced
    let rows = try UnplacedRow.order(Column("id")).fetchAll(database)
    gaps = Dictionary(grouping: rows, by: \.observerId)
      .mapValues { $0.map { Gap(from: $0.fromNs, to: $0.toNs) } }
    for observer in observers {
      guard let id = observer.id, let end = observer.toNs, let last = gaps[id]?.last,
        last.to >= end
      else { continue }
      ends[id] = last.from
    }
  }

  func gaps(of observer: Int64) -> [Gap] { gaps[observer] ?? [] }

  /// Since when the position is not known any more; nil where it is known to the end.
  func end(of observer: Int64) -> Int64? { ends[observer] }

  /// For how long in a span the position is not known, in nanoseconds.
  func unknown(from: Int64, to: Int64, at observer: Int64) -> Int64 {
    let gaps = self.gaps(of: observer)
    let first = gaps.indices.bisected { gaps[$0].to > from }
    return gaps[first...].prefix { $0.from < to }.reduce(0) { sum, gap in
      let (length, overflow) = min(gap.to, to).subtractingReportingOverflow(max(gap.from, from))
      let (next, isLonger) = sum.addingReportingOverflow(length)
      return overflow || isLonger ? .max : next
    }
  }
}
