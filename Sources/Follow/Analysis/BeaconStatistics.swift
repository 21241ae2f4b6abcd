package import Beacons
import CaptureReader
import FrameDecoder

/// Sightings added up per transmitter: identity + address + observer.
package struct BeaconStatistics: Sendable {
  /// What one transmitter came to.
  struct Sum: BitwiseCopyable, Sendable {
    var sightings = 0
    var firstFrame = 0
    /// Place of the capture with the first sighting.
    var firstCapture: UInt32 = 0
    var minPower = Int8.max
    var maxPower = Int8.min
    var warnings = BeaconWarnings.none
    var first = Timestamp.none
    var last = Timestamp.none
    /// Time of the sighting before, for the gap; the observer's clock may step back.
    var before = Timestamp.none
    var gaps = SampleSummary()
    var signal = SampleSummary()
    /// Telemetry: the last values.
    var extra: (UInt64, UInt64) = (0, 0)
  }

  /// Identities of the whole run.
  package private(set) var identities = IdentityTable()
  /// Transmitters of the whole run; their observers are the run's.
  private(set) var transmitters = TransmitterTable()
  /// By transmitter.
  private(set) var sums: [Sum] = []
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
    if Int(number) == sums.count { sums.append(Sum()) }
    return number
  }

  /// Adds a run of sightings.
  /// - Parameter numbers: this run's number per transmitter number of the capture.
  package mutating func add(_ sightings: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>) {
    var place = 0
    while place < sightings.count {
      place = Self.add(
        sightings, from: place, capture, numbers, to: &sums, &gaps.counts, &signals.counts)
      if place < sightings.count {
        // A histogram begins here: the pool has to grow, which the loop above must not.
        let index = Int(numbers[Int(sightings[place].transmitter)])
        if sums[index].gaps.isFull { sums[index].gaps.open(&gaps) }
        if sums[index].signal.isFull { sums[index].signal.open(&signals) }
      }
    }
  }

  /// Adds until a sample finds no room. Returns the place of its sighting, which is not added.
  ///
  /// The tables are held as spans for the whole run: through the arrays each sighting would ask
  /// three times whether somebody else holds them.
  private static func add(
    _ sightings: Span<Sighting>, from first: Int, _ capture: UInt32, _ numbers: Span<UInt32>,
    to sums: inout [Sum], _ gaps: inout [UInt32], _ signals: inout [UInt32]
  ) -> Int {
    var sums = sums.mutableSpan
    var gaps = gaps.mutableSpan
    var signals = signals.mutableSpan
    for place in first..<sightings.count {
      let index = Int(numbers[Int(sightings[place].transmitter)])
      if sums[index].gaps.isFull || sums[index].signal.isFull { return place }
      sums[index].add(sightings[place], capture, &gaps, &signals)
    }
    return sightings.count
  }
}

extension BeaconStatistics.Sum {
  @inline(__always)
  fileprivate mutating func add(
    _ sighting: borrowing Sighting, _ capture: UInt32, _ gaps: inout MutableSpan<UInt32>,
    _ signals: inout MutableSpan<UInt32>
  ) {
    if sightings == 0 {
      firstFrame = sighting.frame
      firstCapture = capture
    }
    sightings &+= 1
    let time = sighting.time
    let now = time.nanoseconds
    if before.isKnown && time.isKnown {
      let (gap, overflow) = now.subtractingReportingOverflow(before.nanoseconds)
      if gap > 0 && !overflow {
        self.gaps.add(GapScale.bucket(nanoseconds: gap), &gaps)
      }
      if now < first.nanoseconds { first = time }
      if now > last.nanoseconds { last = time }
      before = time
    } else if time.isKnown {
      first = time
      last = time
      before = time
    }
    if sighting.rssi != 127 { signal.add(SignalScale.bucket(sighting.rssi), &signals) }
    minPower = min(minPower, sighting.power)
    maxPower = max(maxPower, sighting.power)
    warnings.formUnion(sighting.warnings)
    extra = sighting.extra
  }
}
