import Analysis
import Synth
import TestSupport
import Testing

@Suite struct SamplePoolTests {
  /// The distribution of gaps, in nanoseconds, as it comes out of what one transmitter keeps.
  static func gaps(_ samples: [Int64]) -> Distribution {
    distribution(samples.map { GapScale.bucket(nanoseconds: $0) })
  }

  static func signals(_ samples: [Int8]) -> Distribution {
    distribution(samples.map { SignalScale.bucket($0) })
  }

  private static func distribution(_ buckets: [Int]) -> Distribution {
    var pool = SamplePool()
    var window = SamplePool.Window()
    for bucket in buckets { pool.add(bucket, to: &window) }
    var distribution = Distribution()
    pool.forEach(in: window) { distribution.add($0, count: $1) }
    return distribution
  }

  /// Windows that grow, move and take over each other's rows hold what a plain table does.
  @Test func ownersDoNotDisturbOneAnother() {
    var random = SplitMix64(seed: 5)
    var pool = SamplePool()
    var windows = [SamplePool.Window](repeating: SamplePool.Window(), count: 40)
    var expected = [[Int: Int]](repeating: [:], count: 40)
    for _ in 0..<20_000 {
      let owner = random.below(40)
      // From narrow to wide, each around a place of its own.
      let bucket = min(1023, owner * 20 + random.below(1 << (owner % 10)))
      pool.add(bucket, to: &windows[owner])
      expected[owner][bucket, default: 0] += 1
    }
    for owner in 0..<40 {
      var found: [Int: Int] = [:]
      pool.forEach(in: windows[owner]) { found[$0] = $1 }
      #expect(found == expected[owner])
    }
  }

  /// Counts have two bytes; what does not fit is kept, also when the window moves.
  @Test func countsAreNotLostWhereTheyOverflow() {
    var pool = SamplePool()
    var window = SamplePool.Window()
    for _ in 0..<140_000 { pool.add(500, to: &window) }
    pool.add(3, to: &window)
    var found: [Int: Int] = [:]
    pool.forEach(in: window) { found[$0] = $1 }
    #expect(found == [3: 1, 500: 140_000])
  }

  static let millisecond: Int64 = 1_000_000

  @Test(arguments: [0, 1, 3, 4, 5, 7, 8, 9, 10, 100])
  func everySampleIsCounted(_ count: Int) {
    let distribution = Self.signals((0..<count).map { Int8($0 % 100 - 100) })
    #expect(distribution.total == count)
    let summary = SignalScale.summary(distribution)
    #expect(summary?.min == (count == 0 ? nil : -100))
    #expect(summary?.max == (count == 0 ? nil : count - 101))
  }

  @Test(
    arguments: [
      ([-60], (-60, -60, -60)), ([-60, -70], (-70, -70, -60)), ([-60, -80, -70], (-80, -70, -60)),
      ([-128, 126], (-128, -128, 126)), ([-50, -50, -50, -90], (-90, -50, -50)),
      ([-90, -90, -40, -30, -20, -10, 0, 0, 0], (-90, -20, 0)),
    ] as [([Int8], (Int, Int, Int))])
  func signalsAreExact(_ samples: [Int8], _ expected: (Int, Int, Int)) throws {
    let found = try #require(SignalScale.summary(Self.signals(samples)))
    #expect((found.min, found.median, found.max) == expected)
  }

  @Test func signalsOfManySamplesAreExact() throws {
    var random = SplitMix64(seed: 11)
    for count in [9, 50, 1001] {
      let samples = (0..<count).map { _ in Int8(-30 - random.below(70)) }
      let sorted = samples.sorted().map { Int($0) }
      let found = try #require(SignalScale.summary(Self.signals(samples)))
      #expect(found.min == sorted[0])
      #expect(found.median == sorted[(count - 1) / 2])
      #expect(found.max == sorted[count - 1])
    }
  }

  @Test func nothingHasNoQuantile() {
    #expect(GapScale.quantile(0.5, Self.gaps([])) == nil)
    #expect(SignalScale.summary(Self.signals([])) == nil)
  }

  // MARK: Gaps

  /// Buckets follow one another without a hole, and hold what they say.
  @Test func bucketsCoverEverything() {
    for bucket in 0..<655 {
      let low = GapScale.lowerBound(bucket)
      let high = GapScale.lowerBound(bucket + 1)
      #expect(low < high)
      #expect(GapScale.bucket(nanoseconds: Int64(low)) == bucket)
      if bucket >= 32 { #expect(high - low <= low / 16) }
    }
    #expect(GapScale.bucket(nanoseconds: 0) == 0)
    #expect(GapScale.bucket(nanoseconds: -5) == 0)
    #expect(GapScale.bucket(nanoseconds: .max) < GapScale.width)
  }

  @Test func longestGapsCanBeTold() throws {
    let median = try #require(GapScale.quantile(0.5, Self.gaps([.max, .max, .max])))
    #expect(median > 9e18 && median < 9.3e18)
  }

  /// Whatever the samples, the answer lies in the bucket of the true one.
  @Test(arguments: [1, 2, 3, 8, 9, 40, 999])
  func quantilesLieInTheRightBucket(_ count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<20 {
      let samples = (0..<count).map { _ in
        Int64(random.below(1000) + 1) * Self.millisecond << Int64(random.below(4))
      }
      let distribution = Self.gaps(samples)
      let sorted = samples.sorted()
      for share in [0.1, 0.5, 0.9] {
        let found = try #require(GapScale.quantile(share, distribution))
        let place = max(0, Int((share * Double(count)).rounded(.up)) - 1)
        let bucket = GapScale.bucket(nanoseconds: sorted[place])
        #expect(found >= GapScale.lowerBound(bucket))
        #expect(found <= GapScale.lowerBound(bucket + 1))
      }
    }
  }

  /// Intervals as beacons have them, with 0 to 10 ms added at random: 3 %.
  @Test(arguments: [20, 100, 152.5, 211.25, 318.75, 500, 1022.5, 5000])
  func mediansOfVaryingGaps(_ milliseconds: Double) throws {
    var random = SplitMix64(seed: 7)
    let samples = (0..<2000).map { _ in
      Int64((milliseconds + random.fraction() * 10) * Double(Self.millisecond))
    }
    let found = try #require(GapScale.quantile(0.5, Self.gaps(samples)))
    let truth = Double(samples.sorted()[1000])
    #expect(abs(found - truth) < truth * 0.03, "\(found / truth)")
  }

  /// Any distribution: uniform, over three decades.
  @Test(arguments: 1...10)
  func quantilesOfRandomGaps(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let longest = Double(50 * Self.millisecond) * Double(1 << seed)
    let samples = (0..<3000).map { _ in
      20 * Self.millisecond + Int64(random.fraction() * longest)
    }
    let sorted = samples.sorted()
    let distribution = Self.gaps(samples)
    for share in [0.1, 0.25, 0.5, 0.75, 0.9] {
      let found = try #require(GapScale.quantile(share, distribution))
      let truth = Double(sorted[Int(share * 3000)])
      #expect(abs(found - truth) < truth * 0.03, "\(share): \(found / truth)")
    }
  }
}
