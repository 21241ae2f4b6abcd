package import Beacons
import CaptureReader
import FrameDecoder

/// Sightings added up per transmitter: identity + address + observer.
package struct BeaconStatistics: Sendable {
  struct Transmitter: Sendable {
    let identity: UInt32
    let observer: UInt32
    let address: DeviceAddress
    var sightings = 0
    var firstFrame: Int
    /// Place of the capture with the first sighting.
    var firstCapture: UInt32
    var first = Timestamp.none
    var last = Timestamp.none
    /// Time of the sighting before, for the gap; the observer's clock may step back.
    var before = Timestamp.none
    var gaps = SampleSummary()
    var signal = SampleSummary()
    var minPower: Int8
    var maxPower: Int8
    var warnings: BeaconWarnings = []
    /// Telemetry: the last values.
    var extra: (UInt64, UInt64) = (0, 0)
  }

  /// Identities of the whole run.
  package private(set) var identities = IdentityTable()
  private(set) var transmitters: [Transmitter] = []
  private(set) var gaps = HistogramPool(width: GapScale.width)
  private(set) var signals = HistogramPool(width: SignalScale.width)
  /// Transmitter seen last, per identity: most sightings come from the one before.
  private var lastOfIdentity: [UInt32] = []
  /// Number + 1 of a transmitter; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 1024)

  package init() {}

  /// Number of an identity that a capture numbers in its own way.
  package mutating func number(of identity: BeaconIdentity, in table: IdentityTable) -> UInt32 {
    identities.intern(identity, from: table)
  }

  /// Adds a run of sightings.
  /// - Parameters:
  ///   - numbers: this run's number per identity number of the capture.
  ///   - observers: this run's number per observer number of the capture.
  package mutating func add(
    _ sightings: [Sighting], _ range: Range<Int>, capture: UInt32, numbers: [UInt32],
    observers: [UInt32]
  ) {
    let sightings = sightings.span
    let numbers = numbers.span
    let observers = observers.span
    for place in range {
      let index = transmitter(
        numbers[Int(sightings[place].identity)], observers[Int(sightings[place].observer)],
        sightings[place], capture)
      Self.update(&transmitters[index], sightings[place], &gaps, &signals)
    }
  }

  @inline(__always)
  private static func update(
    _ transmitter: inout Transmitter, _ sighting: borrowing Sighting, _ gaps: inout HistogramPool,
    _ signals: inout HistogramPool
  ) {
    transmitter.sightings += 1
    if sighting.time.isKnown {
      let now = sighting.time.nanoseconds
      if transmitter.before.isKnown {
        let gap = now.subtractingReportingOverflow(transmitter.before.nanoseconds)
        if gap.partialValue > 0 && !gap.overflow {
          transmitter.gaps.add(GapScale.bucket(nanoseconds: gap.partialValue), &gaps)
        }
        if now < transmitter.first.nanoseconds { transmitter.first = sighting.time }
        if now > transmitter.last.nanoseconds { transmitter.last = sighting.time }
      } else {
        transmitter.first = sighting.time
        transmitter.last = sighting.time
      }
      transmitter.before = sighting.time
    }
    if sighting.rssi != 127 {
      transmitter.signal.add(SignalScale.bucket(sighting.rssi), &signals)
    }
    transmitter.minPower = min(transmitter.minPower, sighting.power)
    transmitter.maxPower = max(transmitter.maxPower, sighting.power)
    transmitter.warnings.formUnion(sighting.warnings)
    transmitter.extra = sighting.extra
  }

  @inline(__always)
  private mutating func transmitter(
    _ identity: UInt32, _ observer: UInt32, _ sighting: borrowing Sighting, _ capture: UInt32
  ) -> Int {
    if Int(identity) < lastOfIdentity.count {
      let last = Int(lastOfIdentity[Int(identity)])
      if last < transmitters.count, transmitters[last].address == sighting.address,
        transmitters[last].observer == observer, transmitters[last].identity == identity
      {
        return last
      }
    }
    return findTransmitter(identity, observer, copy sighting, capture)
  }

  private static func hash(_ identity: UInt32, _ observer: UInt32, _ address: DeviceAddress) -> Int
  {
    var value = (address.rawValue ^ 0x9E37_79B9_7F4A_7C15) &* 0xFF51_AFD7_ED55_8CCD
    value ^= value >> 32
    value = (value ^ UInt64(identity) << 32 ^ UInt64(observer)) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: value ^ value >> 31)
  }

  private mutating func findTransmitter(
    _ identity: UInt32, _ observer: UInt32, _ sighting: Sighting, _ capture: UInt32
  ) -> Int {
    let mask = slots.count - 1
    var place = Self.hash(identity, observer, sighting.address) & mask
    while slots[place] != 0 {
      let index = Int(slots[place] - 1)
      if transmitters[index].identity == identity && transmitters[index].observer == observer
        && transmitters[index].address == sighting.address
      {
        remember(identity, index)
        return index
      }
      place = (place + 1) & mask
    }
    transmitters.append(
      Transmitter(
        identity: identity, observer: observer, address: sighting.address,
        firstFrame: sighting.frame, firstCapture: capture, minPower: sighting.power,
        maxPower: sighting.power))
    slots[place] = UInt32(transmitters.count)
    if transmitters.count * 2 > slots.count { growSlots() }
    remember(identity, transmitters.count - 1)
    return transmitters.count - 1
  }

  private mutating func remember(_ identity: UInt32, _ index: Int) {
    while lastOfIdentity.count <= Int(identity) { lastOfIdentity.append(.max) }
    lastOfIdentity[Int(identity)] = UInt32(index)
  }

  private mutating func growSlots() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, transmitter) in transmitters.enumerated() {
      var place =
        Self.hash(transmitter.identity, transmitter.observer, transmitter.address) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = UInt32(index + 1)
    }
  }
}
