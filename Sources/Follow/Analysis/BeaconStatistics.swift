package import Beacons
import CaptureReader
import FrameDecoder

/// Sightings added up per transmitter: identity + address + observer.
package struct BeaconStatistics: Sendable {
  /// What each sighting of a transmitter changes; small, so that many stay near the processor.
  struct Sum: BitwiseCopyable, Sendable {
    /// Time of the sighting before, for the gap; the observer's clock may step back.
    var before = Timestamp.none
    var last = Timestamp.none
    var sightings = 0
    /// Rows of their own in the pools, once there are many samples; −1 before.
    var gapRow: Int32 = -1
    var signalRow: Int32 = -1
  }

  /// What a transmitter came to beside that.
  struct Rest: BitwiseCopyable, Sendable {
    var firstFrame = 0
    /// Place of the capture with the first sighting.
    var firstCapture: UInt32 = 0
    var minPower = Int8.max
    var maxPower = Int8.min
    var warnings = BeaconWarnings.none
    var first = Timestamp.none
    var gaps = FewSamples()
    var signal = FewSamples()
    /// Telemetry: the last values.
    var extra: (UInt64, UInt64) = (0, 0)
  }

  /// Identities of the whole run.
  package private(set) var identities = IdentityTable()
  /// Transmitters of the whole run; their observers are the run's.
  private(set) var transmitters = TransmitterTable()
  /// Both by transmitter.
  private(set) var sums: [Sum] = []
  private(set) var rests: [Rest] = []
  private(set) var gaps = HistogramPool(width: GapScale.width)
  private(set) var signals = HistogramPool(width: SignalScale.width)

  package init() {}

  /// Number of an identity that a capture numbers in its own way.
  package mutating func number(of identity: BeaconIdentity, in table: IdentityTable) -> UInt32 {
    identities.intern(identity, from: table)
  }

  /// Number of a transmitter; identity and observer are the run's.
  package mutating func number(of transmitter: Transmitter) -> UInt32 {
    let number = transmitters.intern(transmitter)
    if Int(number) == sums.count {
      sums.append(Sum())
      rests.append(Rest())
    }
    return number
  }

  /// Adds a run of sightings.
  /// - Parameters:
  ///   - wholes: what the run's `whole` counts in.
  ///   - numbers: this run's number per transmitter number of the capture.
  package mutating func add(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>
  ) {
    var place = 0
    while place < run.count {
      place = Self.addUsual(
        run, wholes, from: place, numbers, to: &sums, &rests, &gaps.counts, &signals.counts)
      guard place < run.count else { return }
      let index = Int(numbers[Int(run[place].transmitter)])
      if run[place].whole > 0 {
        if sums[index].sightings == 0 {
          rests[index].firstFrame = run[place].frame
          rests[index].firstCapture = capture
        }
        rests[index].note(wholes[Int(run[place].whole) - 1])
      }
      addAny(run[place], index)
      place += 1
    }
  }

  /// Adds sightings of transmitters that have their rows. Returns the place of the first sighting
  /// that is something else.
  ///
  /// The tables are held as spans for the whole run: through the arrays each sighting would ask
  /// three times whether somebody else holds them.
  private static func addUsual(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, from first: Int,
    _ numbers: Span<UInt32>, to sums: inout [Sum], _ rests: inout [Rest],
    _ gaps: inout [UInt32], _ signals: inout [UInt32]
  ) -> Int {
    var sums = sums.mutableSpan
    var rests = rests.mutableSpan
    var gaps = gaps.mutableSpan
    var signals = signals.mutableSpan
    var place = first
    while place < run.count {
      let now = run[place].time.nanoseconds
      let rssi = run[place].rssi
      let index = Int(numbers[Int(run[place].transmitter)])
      let sum = sums[index]
      // Between two times behind 2000 no difference overflows.
      guard now > sum.before.nanoseconds, sum.before.nanoseconds >= Timestamp.year2000,
        rssi != 127, sum.gapRow >= 0, sum.signalRow >= 0
      else { break }
      if run[place].whole > 0 { rests[index].note(wholes[Int(run[place].whole) - 1]) }
      let gap = now &- sum.before.nanoseconds
      gaps[Int(sum.gapRow) &* GapScale.width &+ GapScale.bucket(nanoseconds: gap)] &+= 1
      signals[Int(sum.signalRow) &* SignalScale.width &+ SignalScale.bucket(rssi)] &+= 1
      sums[index] = Sum(
        before: run[place].time, last: Timestamp(nanoseconds: max(sum.last.nanoseconds, now)),
        sightings: sum.sightings &+ 1, gapRow: sum.gapRow, signalRow: sum.signalRow)
      place &+= 1
    }
    return place
  }

  private mutating func addAny(_ sighting: BriefSighting, _ index: Int) {
    sums[index].sightings += 1
    if sighting.rssi != 127 {
      rests[index].signal.add(
        SignalScale.bucket(sighting.rssi), row: &sums[index].signalRow, &signals)
    }
    guard sighting.time.isKnown else { return }
    let now = sighting.time.nanoseconds
    let before = sums[index].before
    sums[index].before = sighting.time
    guard before.isKnown else {
      rests[index].first = sighting.time
      sums[index].last = sighting.time
      return
    }
    let (gap, overflow) = now.subtractingReportingOverflow(before.nanoseconds)
    if gap > 0 && !overflow {
      rests[index].gaps.add(
        GapScale.bucket(nanoseconds: gap), row: &sums[index].gapRow, &gaps)
    }
    if now < rests[index].first.nanoseconds { rests[index].first = sighting.time }
    if now > sums[index].last.nanoseconds { sums[index].last = sighting.time }
  }
}

extension BeaconStatistics.Rest {
  /// What a whole sighting says beside moment and signal.
  fileprivate mutating func note(_ sighting: borrowing Sighting) {
    minPower = min(minPower, sighting.power)
    maxPower = max(maxPower, sighting.power)
    warnings.formUnion(sighting.warnings)
    extra = sighting.extra
  }
}
