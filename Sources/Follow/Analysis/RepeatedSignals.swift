import CaptureReader
import Regions

/// Signals of a capture that another one holds once more, at other times.
package struct RepeatedSignals: Sendable {
  /// Of the other one.
  package let name: String
  /// Nanoseconds by which they are later than in the other one; in the middle.
  package let later: Int64
  /// Whether each of them is later by that, to the microseconds that every container has.
  package let isExact: Bool
  /// How large a part of those of the smaller of both they are, by a sample: 0…1.
  package let part: Double

  /// Fewer are not looked at. Each is of sixteen signals, so that hardly one is chance.
  private static let least = 20
  /// Of what was sampled while both hold the same.
  private static let leastShare = 0.5
  /// Nanoseconds: so far times may be from one another and still be later by the same: they may have been
  /// rounded, or noted by two programs.
  private static let sameShift: Int64 = 1_000_000_000
  private static let exactShift: Int64 = 2000

  /// Says of each capture which other one has its signals at other times, and most of them; of two of which that is so
  /// the one that begins later. Those that hold the same packets at the same times are told as such.
  static func mark(_ captures: inout [CaptureFacts], _ samples: [SignalSample]) {
    var holders: [UInt64: [(place: Int, time: Int64)]] = [:]
    let samples = samples.map(\.complete)
    var known: Set<[UInt8]> = []
    for place in order(captures) {
      let facts = captures[place]
      // The same bytes once more: whatever repeats them repeats the first.
      guard facts.sha256.isEmpty || known.insert(facts.sha256).inserted else { continue }
      var shifts: [Int: [Shift]] = [:]
      for row in samples[place].rows {
        for other in holders[row.hash] ?? [] where row.hash <= samples[other.place].limit {
          shifts[other.place, default: []].append(Shift(time: row.time, other: other.time))
        }
        holders[row.hash, default: []].append((place, row.time))
      }
      var best: RepeatedSignals?
      for (other, shifts) in shifts.sorted(by: { $0.key < $1.key })
      where !facts.shares(with: captures[other]) {
        guard
          let found = found(shifts, samples[place], samples[other], name: captures[other].name)
        else { continue }
        captures[place].sharers.insert(captures[other].name)
        if best.map({ found.part > $0.part }) ?? true { best = found }
      }
      captures[place].repeating = best
    }
  }

  /// Those of a run, with which captures of another one are compared.
  package struct Samples {
    private let samples: [Sample]
    private var holders: [UInt64: [(place: Int, time: Int64)]] = [:]

    package init(_ samples: [SignalSample]) {
      self.samples = samples.map(\.complete)
      for (place, sample) in self.samples.enumerated() {
        for row in sample.rows { holders[row.hash, default: []].append((place, row.time)) }
      }
    }

    /// Which of them has most of a capture's signals, by its place; nil where none has.
    package func most(of sample: SignalSample) -> (place: Int, repeated: RepeatedSignals)? {
      let sample = sample.complete
      var shifts: [Int: [Shift]] = [:]
      for row in sample.rows {
        for other in holders[row.hash] ?? [] {
          shifts[other.place, default: []].append(Shift(time: row.time, other: other.time))
        }
      }
      var best: (place: Int, repeated: RepeatedSignals)?
      for (place, shifts) in shifts.sorted(by: { $0.key < $1.key }) {
        guard let found = RepeatedSignals.found(shifts, sample, samples[place], name: "") else {
          continue
        }
        if best.map({ found.part > $0.repeated.part }) ?? true { best = (place, found) }
      }
      return best
    }
  }

  private static func order(_ captures: [CaptureFacts]) -> [Int] {
    captures.indices.sorted { a, b in
      let (one, other) = (captures[a], captures[b])
      return (one.span.earliest.nanoseconds, one.name, a)
        < (other.span.earliest.nanoseconds, other.name, b)
    }
  }

  private struct Shift {
    let time: Int64
    let other: Int64
    var later: Int64 { time.since(other) }
  }

  private typealias Sample = (rows: [SignalSample.Row], limit: UInt64)

  private static func found(
    _ shifts: [Shift], _ one: Sample, _ other: Sample, name: String
  ) -> RepeatedSignals? {
    guard shifts.count >= least else { return nil }
    let same = densest(shifts.sorted { ($0.later, $0.time) < ($1.later, $1.time) })
    guard same.count >= least else { return nil }
    let limit = min(one.limit, other.limit)
    func counts(_ sample: Sample, _ times: [Int64]) -> (all: Int, meanwhile: Int) {
      let (first, last) = (times.min() ?? 0, times.max() ?? 0)
      let complete = sample.rows.prefix { $0.hash <= limit }
      return (complete.count, complete.count { $0.time >= first && $0.time <= last })
    }
    let a = counts(one, same.map(\.time))
    let b = counts(other, same.map(\.other))
    guard Double(same.count) >= leastShare * Double(min(a.meanwhile, b.meanwhile)) else {
      return nil
    }
    let middle = same[same.startIndex + same.count / 2].later
    let off = same.count { $0.later.since(middle).magnitude > exactShift.magnitude }
    return RepeatedSignals(
      name: name, later: middle, isExact: off == 0,
      part: Double(same.count) / Double(max(1, min(a.all, b.all))))
  }

  /// Most that are later by the same.
  /// - Parameter shifts: by how much they are later.
  private static func densest(_ shifts: [Shift]) -> ArraySlice<Shift> {
    var best = 0..<0
    var start = 0
    for end in shifts.indices {
      while shifts[end].later.since(shifts[start].later) > sameShift { start += 1 }
      if end + 1 - start > best.count { best = start..<(end + 1) }
    }
    return shifts[best]
  }
}
