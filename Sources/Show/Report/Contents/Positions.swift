import CaseStore
import GRDB
import Regions

/// When it is not known where observers were: circles are followed by positions, whatever the radio
/// hears.
struct Positions: Sendable {
  struct Gap: Sendable, Equatable {
    let from: Int64
    let to: Int64
  }

  /// Whether the run had more fixes than the case has: then those that are there say nothing of gaps
  /// between them.
  let isThinned: Bool
  /// By observer, in order: gaps in its recording.
  private var gaps: [Int64: [Gap]] = [:]
  /// By observer: where the last gap begins, if it lasts to the end.
  private var ends: [Int64: Int64] = [:]

  /// Without circles there are no gaps, for nobody asks.
  init(_ database: Database, _ observers: [ObserverRow]) throws {
    isThinned =
      try Bool.fetchOne(
        database, sql: "SELECT count(*) > 0 FROM remarks WHERE code = 'fixes_thinned'") ?? false
    let hasCircles =
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM regions WHERE latitude IS NOT NULL)") ?? false
    guard hasCircles else { return }
    let times = try Times(database)
    for observer in observers {
      guard let id = observer.id, let from = observer.fromNs, let to = observer.toNs else {
        continue
      }
      let found = Self.gaps(times.of(id), from: from, to: to, isThinned: isThinned)
      gaps[id] = found
      if let last = found.last, last.to == to { ends[id] = last.from }
    }
  }

  private struct Times {
    private let track: [Int64]?
    private let captures: [Int64: [Int64]]

    init(_ database: Database) throws {
      let hasTracks =
        try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM files WHERE role = 'track')") ?? false
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT coalesce(observer_id, 0), time_ns FROM fixes
          WHERE source = ? AND time_ns IS NOT NULL ORDER BY time_ns
          """, arguments: [hasTracks ? "track" : "capture"])
      // With a track the positions of captures do not count.
      track = hasTracks ? rows.map { $0[1] } : nil
      captures = Dictionary(grouping: rows) { $0[0] as Int64 }.mapValues { $0.map { $0[1] } }
    }

    func of(_ observer: Int64) -> [Int64] { track ?? captures[observer] ?? [] }
  }

  /// - Parameter times: of fixes, ascending.
  private static func gaps(_ times: [Int64], from: Int64, to: Int64, isThinned: Bool) -> [Gap] {
    var gaps: [Gap] = []
    var before: Int64?
    func add(until: Int64) {
      let gap = Gap(from: max(before ?? from, from), to: min(until, to))
      if gap.from < gap.to { gaps.append(gap) }
    }
    for time in times {
      if !isThinned, before.map({ isFar($0, time) }) ?? true { add(until: time) }
      before = time
    }
    // Of thinned ones the first and the last may be missing, too.
    if before.map({ !isThinned && isFar($0, to) }) ?? true { add(until: to) }
    return gaps
  }

  private static func isFar(_ time: Int64, _ next: Int64) -> Bool {
    let (length, overflow) = next.subtractingReportingOverflow(time)
    return overflow || length > PositionPath.longestGap
  }

  func gaps(of observer: Int64) -> [Gap] { gaps[observer] ?? [] }

  /// Since when the position is not known any more; nil where it is known to the end.
  func end(of observer: Int64) -> Int64? { ends[observer] }

  /// For how long in a span the position is not known, in nanoseconds.
  func unknown(from: Int64, to: Int64, at observer: Int64) -> Int64 {
    let gaps = self.gaps(of: observer)
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].to <= from { low = middle + 1 } else { high = middle }
    }
    return gaps[low...].prefix { $0.from < to }.reduce(0) { sum, gap in
      let (length, overflow) = min(gap.to, to).subtractingReportingOverflow(max(gap.from, from))
      let (next, isLonger) = sum.addingReportingOverflow(length)
      return overflow || isLonger ? .max : next
    }
  }
}
