import Analysis
import FrameEncoder
import Testing

/// Comparisons where a controller leaves out what is repeated.
@Suite struct FilteringRadioTests {
  private static let address = Address(0xC000_0000_0001)

  private static func side(_ recordings: [Recording]) throws -> ComparedSide {
    try ComparedSide(recordings)
  }

  /// Heard so often for ten minutes.
  private static func radio(_ name: String, every: Int64, day: Int64 = 0, filters: Bool = false)
    -> Recording
  {
    var recording = Recording(name)
    let start = day * 86_400_000
    recording.scan(filtersDuplicates: filters, at: start)
    for second in stride(from: Int64(1), to: 600, by: Int(every)) {
      recording.hear(Recording.iBeacon(1), from: address, at: start + second * 1000)
    }
    return recording
  }

  private static func intervals(_ comparison: Comparison) -> [[Int]] {
    comparison.changed.flatMap(\.changes).compactMap { change in
      guard case .interval(let before, let now) = change else { return nil }
      return [Int((before / 1e9).rounded()), Int((now / 1e9).rounded())]
    }
  }

  @Test func intervalsAreComparedByThoseThatDoNotFilter() throws {
    let before = try Self.side([Self.radio("hall", every: 1), Self.radio("store", every: 1)])
    let store = Self.radio("store", every: 20, day: 7, filters: true)
    let now = try Self.side([Self.radio("hall", every: 3, day: 7), store])
    let found = Comparison(before: before, now: now)
    #expect(found.comparesIntervals)
    #expect(now.filtering == ["store"] && !now.allFilter && before.filtering.isEmpty)
    #expect(Self.intervals(found) == [[1, 3]])
    // What a filter lets through is no other interval.
    let same = Comparison(
      before: before, now: try Self.side([Self.radio("hall", every: 1, day: 7), store]))
    #expect(Self.intervals(same).isEmpty)
  }

  @Test func whereAllFilterIntervalsAreNotCompared() throws {
    let before = try Self.side([Self.radio("hall", every: 1)])
    let now = try Self.side([Self.radio("hall", every: 20, day: 7, filters: true)])
    let found = Comparison(before: before, now: now)
    #expect(now.allFilter && !found.comparesIntervals && Self.intervals(found).isEmpty)
  }
}
