package import Beacons
import CaptureReader
import FrameDecoder

/// Sightings added up per transmitter: identity + address + observer.
package struct BeaconStatistics: Sendable {
  /// What each sighting of a transmitter changes; small, so that many stay near the processor.
  struct Sum: BitwiseCopyable, Sendable {
    /// Time of the sighting before, for the gap; the observer's clock may step back.
    var before = Timestamp.none
    var sightings = 0
    var gaps = SamplePool.Window()
    var signals = SamplePool.Window()
  }

  /// What a transmitter came to beside that.
  struct Rest: BitwiseCopyable, Sendable {
    /// Of the sighting at `first`; of one without a time as long as there is no other.
    var firstFrame = 0
    var first = Timestamp.none
    /// Latest time before the clock last stepped back.
    var reached = Timestamp.none
    /// Telemetry: the last values.
    var extra: (UInt64, UInt64) = (0, 0)
    var minPower = Int8.max
    var maxPower = Int8.min
    var warnings = BeaconWarnings.none
    /// Place of the capture with that frame.
    var firstCapture: UInt32 = 0
  }

  /// Identities of the whole run.
  package private(set) var identities = IdentityTable()
  /// Transmitters of the whole run; their observers are the run's.
  package private(set) var transmitters = TransmitterTable()
  /// Both by transmitter.
  private(set) var sums: [Sum] = []
  private(set) var rests: [Rest] = []
  /// Where beacons are to be compared: which looks at more of what they send, and further into their gaps.
  var isForComparison = false
  /// Telemetry: how the uptimes go, by transmitter; of none where that is not asked.
  private var uptimes: [UptimePace] = []
  /// Whether there may be transmitters of which no sighting was added.
  var isPartial = false
  /// Observers whose controller left out what was repeated, or that rest for long between windows: their gaps do not
  /// tell how often a beacon sends.
  var filtering: Set<Int> = []
  private var gaps = SamplePool()
  private var signals = SamplePool(first: 16)

  package init() {}

  /// Number of an identity that a capture numbers in its own way.
  package mutating func number(of identity: BeaconIdentity, in table: IdentityTable) -> UInt32 {
    identities.intern(identity, from: table)
  }

  /// Number of a transmitter; identity and observer are the run's.
  package mutating func number(of transmitter: Transmitter) -> UInt32 {
    let number = transmitters.intern(transmitter)
    identities.note(transmitter)
    makeRoom(for: transmitters.count)
    return number
  }

  /// Makes room for a capture's transmitters by their own numbers, which become the run's (`adopt`).
  package mutating func makeRoom(for count: Int) {
    while sums.count < count {
      sums.append(Sum())
      rests.append(Rest())
    }
  }

  /// Takes over the numbers of a run's only capture.
  package mutating func adopt(_ identities: IdentityTable, _ transmitters: TransmitterTable) {
    self.identities = identities
    self.transmitters = transmitters
    makeRoom(for: transmitters.count)
  }

  /// Sightings of a transmitter.
  func sightings(of index: Int) -> Int { sums[index].sightings }

  /// How a transmitter's uptime goes beside the capture's clock (`UptimePace`); nil where that is not known or asked.
  func uptimeRate(of index: Int) -> Double? { index < uptimes.count ? uptimes[index].rate : nil }

  /// Latest time of a transmitter.
  func last(of index: Int) -> Timestamp {
    Timestamp(nanoseconds: max(rests[index].reached.nanoseconds, sums[index].before.nanoseconds))
  }

  /// Something of a transmitter's samples, so that they come near the processor.
  func touchSamples(of index: Int) -> Int {
    gaps.touch(sums[index].gaps) &+ signals.touch(sums[index].signals)
  }

  /// Gaps between advertising events, and how long those inside one are.
  func addGaps(of index: Int, to distribution: inout Distribution) {
    distribution.addGaps(sums[index].gaps, of: gaps)
  }

  func addSignals(of index: Int, to distribution: inout Distribution) {
    distribution.add(sums[index].signals, of: signals)
  }

  /// dBm of a transmitter's weakest sighting; nil where none was told.
  func weakestSignal(of index: Int) -> Int? {
    var bucket: Int?
    signals.forEach(in: sums[index].signals) { low, _ in bucket = bucket ?? low }
    return bucket.map { $0 - SignalScale.bucket(0) }
  }

  /// Sightings without an RSSI.
  func withoutSignal(of index: Int) -> Int {
    var known = 0
    signals.forEach(in: sums[index].signals) { _, count in known += Int(count) }
    return sightings(of: index) - known
  }

  /// dBm of its strongest one.
  func strongestSignal(of index: Int) -> Int? {
    var bucket: Int?
    signals.forEach(in: sums[index].signals) { low, _ in bucket = max(bucket ?? low, low) }
    return bucket.map { $0 - SignalScale.bucket(0) }
  }

  /// Adds a run of sightings.
  /// - Parameters:
  ///   - wholes: what the run's `whole` counts in.
  ///   - numbers: this run's number per transmitter number of the capture; none where they are the
  ///     same.
  package mutating func add(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>
  ) {
    if isForComparison { addUptimes(run, wholes, numbers) }
    var place = 0
    while place < run.count {
      place = Self.addUsual(
        run, wholes, from: place, numbers, to: &sums, &rests, &gaps.counts, &signals.counts)
      guard place < run.count else { return }
      let index = Self.index(run[place].transmitter, numbers)
      if run[place].whole > 0 {
        if sums[index].sightings == 0 { rests[index].setFirst(run[place], capture) }
        rests[index].note(wholes[Int(run[place].whole) - 1])
      }
      addAny(run[place], index, capture)
      place += 1
    }
  }

  /// A walk of its own: nobody else shall pay for it.
  private mutating func addUptimes(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, _ numbers: Span<UInt32>
  ) {
    uptimes.append(
      contentsOf: repeatElement(UptimePace(), count: max(0, sums.count - uptimes.count)))
    for place in run.indices where run[place].whole > 0 {
      uptimes[Self.index(run[place].transmitter, numbers)].note(
        wholes[Int(run[place].whole) - 1].extra.1, at: run[place].time)
    }
  }

  @inline(__always)
  private static func index(_ transmitter: UInt32, _ numbers: Span<UInt32>) -> Int {
    numbers.isEmpty ? Int(transmitter) : Int(numbers[Int(transmitter)])
  }

  /// Adds sightings whose samples lie in the windows of their transmitters. Returns the place of the
  /// first sighting that is something else.
  ///
  /// The tables are held as spans for the whole run: through the arrays each sighting would ask
  /// three times whether somebody else holds them.
  private static func addUsual(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, from first: Int,
    _ numbers: Span<UInt32>, to sums: inout [Sum], _ rests: inout [Rest],
    _ gaps: inout [UInt16], _ signals: inout [UInt16]
  ) -> Int {
    var sums = sums.mutableSpan
    var rests = rests.mutableSpan
    var gaps = gaps.mutableSpan
    var signals = signals.mutableSpan
    var place = first
    while place < run.count {
      let now = run[place].time.nanoseconds
      let rssi = run[place].rssi
      let index = index(run[place].transmitter, numbers)
      let sum = sums[index]
      // Between two times behind 2000 no difference overflows.
      guard now > sum.before.nanoseconds, sum.before.nanoseconds >= Timestamp.year2000,
        rssi != 127, let signal = SamplePool.place(SignalScale.bucket(rssi), sum.signals),
        let gap = SamplePool.place(
          GapScale.bucket(nanoseconds: now &- sum.before.nanoseconds), sum.gaps),
        gaps[gap] < .max, signals[signal] < .max
      else { break }
      gaps[gap] &+= 1
      signals[signal] &+= 1
      if run[place].whole > 0 { rests[index].note(wholes[Int(run[place].whole) - 1]) }
      sums[index] = Sum(
        before: run[place].time, sightings: sum.sightings &+ 1, gaps: sum.gaps,
        signals: sum.signals)
      place &+= 1
    }
    return place
  }

  private mutating func addAny(_ sighting: BriefSighting, _ index: Int, _ capture: UInt32) {
    sums[index].sightings += 1
    if sighting.rssi != 127 {
      signals.add(SignalScale.bucket(sighting.rssi), to: &sums[index].signals)
    }
    guard sighting.time.isKnown else { return }
    let now = sighting.time.nanoseconds
    let before = sums[index].before
    sums[index].before = sighting.time
    guard before.isKnown else { return rests[index].setFirst(sighting, capture) }
    let (gap, overflow) = now.subtractingReportingOverflow(before.nanoseconds)
    if gap > 0 && !overflow {
      gaps.add(GapScale.bucket(nanoseconds: gap), to: &sums[index].gaps)
    }
    if now < before.nanoseconds {
      rests[index].reached = Timestamp(
        nanoseconds: max(rests[index].reached.nanoseconds, before.nanoseconds))
    }
    // Captures are read a batch at a time: another one may have the same moment, or an earlier one, later.
    guard now <= rests[index].first.nanoseconds else { return }
    if now < rests[index].first.nanoseconds || capture < rests[index].firstCapture {
      rests[index].setFirst(sighting, capture)
    }
  }
}

extension BeaconStatistics {
  /// What some observers heard, by their numbers: sightings, and about how many advertising events these are of.
  package func events(heardBy observers: Set<Int>) -> (sightings: Int, events: Int) {
    var gaps = Distribution()
    var (heard, events) = (0, 0)
    for index in 0..<transmitters.count
    where sightings(of: index) > 0
      && observers.contains(Int(transmitters[UInt32(index)].observer))
    {
      gaps.clear()
      addGaps(of: index, to: &gaps)
      heard += sightings(of: index)
      events += EventGaps(gaps).total + 1
    }
    return (heard, events)
  }
}

extension BeaconStatistics.Rest {
  fileprivate mutating func setFirst(_ sighting: BriefSighting, _ capture: UInt32) {
    first = sighting.time
    firstFrame = sighting.frame
    firstCapture = capture
  }

  /// What a whole sighting says beside moment and signal.
  fileprivate mutating func note(_ sighting: borrowing Sighting) {
    minPower = min(minPower, sighting.power)
    maxPower = max(maxPower, sighting.power)
    warnings.formUnion(sighting.warnings)
    extra = sighting.extra
  }
}
