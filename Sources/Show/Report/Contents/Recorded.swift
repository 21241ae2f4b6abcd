import Analysis
import CaptureReader
import CaseStore
import GRDB
import Regions

/// When observers recorded, and what lies between their captures.
struct Recorded: Sendable {
  typealias Span = Stretches.Span

  /// When an observer recorded nothing between its first capture and its last, ascending.
  private var pauses: [Int64: [Span]] = [:]
  /// When the clock of an observer came out of the last century: it was set, and nothing of that time has passed.
  private var sets: [Int64: [Span]] = [:]
  /// Times of an observer without a record within a capture, of which no recorder says that it paused.
  private(set) var steps: [Span] = []
  /// All times at which somebody recorded.
  private var spans: [Span] = []

  /// Cases of older forms have captures alone: nothing is known then of any observer's pauses.
  init(_ database: Database) throws {
    let rows = try RecordingRow.order(sql: "observer_id, from_ns, id").fetchAll(database)
    for (row, next) in zip(rows, rows.dropFirst())
    where row.observerId == next.observerId && !next.continues {
      pauses[row.observerId, default: []].append(Span(from: row.toNs, to: next.fromNs))
    }
    let told = try PauseRow.fetchAll(database).compactMap { row -> Span? in
      guard let from = row.fromNs, let to = row.toNs else { return nil }
      return Span(from: from, to: to)
    }
    for (row, next) in zip(rows, rows.dropFirst())
    where row.observerId == next.observerId && next.continues && row.toNs < next.fromNs {
      // A short one within it, or another observer's, does not explain the rest.
      let isTold = told.contains { pause in
        min(pause.to, next.fromNs).since(max(pause.from, row.toNs))
          >= next.fromNs.since(row.toNs) / 2
      }
      let step = Span(from: row.toNs, to: next.fromNs)
      if !isTold { steps.append(step) }
      if step.from < Timestamp.year2000, step.to >= Timestamp.year2000 {
        sets[row.observerId, default: []].append(step)
      }
    }
    spans = rows.map { Span(from: $0.fromNs, to: $0.toNs) }
    guard spans.isEmpty else { return }
    spans = try CaptureRow.fetchAll(database).compactMap { row in
      guard let from = row.fromNs, let to = row.toNs else { return nil }
      return Span(from: from, to: to)
    }
  }

  func pauses(of observer: Int64) -> [Span] { pauses[observer] ?? [] }

  /// When an observer recorded nothing between its first record and its last: between captures, and where its clock
  /// was set. Ascending.
  func unrecorded(of observer: Int64) -> [Span] {
    (pauses(of: observer) + (sets[observer] ?? [])).sorted { $0.from < $1.from }
  }

  /// - Parameter ends: first and last time of the run, which records of no observer may have.
  func stretches(within ends: [Int64?]) -> [Span] {
    Stretches(spans + ends.compactMap { $0 }.map { Span(from: $0, to: $0) }).spans
  }
}

extension Recorded {
  /// Nanoseconds of so many spans, as many as 64 bits hold.
  static func sum(_ spans: [Span]) -> Int64 {
    spans.reduce(0) { sum, span in
      let (next, overflow) = sum.addingReportingOverflow(span.length)
      return overflow ? .max : next
    }
  }

  /// Ascending spans, those that touch as one: several captures of an observer may have the same time.
  static func joined(_ spans: [Span]) -> [Span] {
    spans.reduce(into: []) { joined, span in
      if let last = joined.last, last.to >= span.from {
        joined[joined.count - 1] = Span(from: last.from, to: max(last.to, span.to))
      } else {
        joined.append(span)
      }
    }
  }

  /// What of ascending spans lies in none of other ones.
  static func outside(_ spans: [Span], of others: [Span]) -> [Span] {
    var found: [Span] = []
    var next = 0
    for span in spans {
      var from = span.from
      while next < others.count, others[next].to <= from { next += 1 }
      for other in others[next...] {
        guard other.from < span.to else { break }
        if other.from > from { found.append(Span(from: from, to: other.from)) }
        from = max(from, other.to)
      }
      if from < span.to { found.append(Span(from: from, to: span.to)) }
    }
    return found
  }
}
