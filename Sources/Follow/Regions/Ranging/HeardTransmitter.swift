import Beacons
import CaptureReader
import FrameDecoder

/// What every sample and every tick ask of a transmitter that is heard: a cache line of it.
struct HeardTransmitter: BitwiseCopyable, Sendable {
  /// Nanoseconds, of the latest sample; `Int64.min` before the first.
  private(set) var latest = Int64.min
  /// Of the samples since the last list; without one of the latest.
  private(set) var firstFrame = CaptureFrame(capture: 0, frame: 0)
  private(set) var lastFrame = CaptureFrame(capture: 0, frame: 0)
  private(set) var transmitter: UInt32 = 0
  private(set) var observer: UInt32 = 0
  /// Counts its silences, over everyone that was here before, too.
  var silences: UInt32 = 0
  /// The region that it belongs to; one of them.
  var region: UInt32 = 0
  var hasMoreRegions = false
  /// Heard within the time to `unknown`: on the observer's list of such.
  var isActive = false
  var isFree = true
  /// Nothing is to be warned of any more.
  var isWarned = false
  /// dBm, as it is sent.
  private var power: Int8 = 0
  /// dB from the power as it is sent to that at 1 m; `noPower` where none is sent.
  private var lossToOneMetre: Int8 = Self.noPower
  /// dBm: no sample in the window is above it.
  private var strongest = Int8.min

  private static var noPower: Int8 { .max }

  mutating func begin(_ transmitter: UInt32, _ kind: BeaconKind, observer: Int) {
    self.transmitter = transmitter
    self.observer = UInt32(observer)
    let loss = MeasuredPower.lossToOneMetre(kind)
    lossToOneMetre = loss.map { Int8($0) } ?? Self.noPower
    hasMoreRegions = false
    isFree = false
    isWarned = false
    strongest = .min
    latest = .min
  }

  /// - Parameter isFirst: of a list.
  @inline(__always)
  mutating func note(
    _ rssi: Int8, at time: Int64, power: Int8, frame: CaptureFrame, isFirst: Bool
  ) {
    if isFirst { firstFrame = frame }
    lastFrame = frame
    latest = time
    self.power = power
    if rssi > strongest { strongest = rssi }
  }

  /// A list has been made.
  mutating func beginList() { firstFrame = lastFrame }

  mutating func limit(strongest: Int8) { self.strongest = strongest }

  /// dBm.
  var powerAtOneMetre: Int? {
    lossToOneMetre == Self.noPower ? nil : Int(power) - Int(lossToOneMetre)
  }

  /// What there is to warn of: a power that cannot be used, dBm at 1 m.
  var unusablePower: Int? {
    guard let power = powerAtOneMetre, !MeasuredPower.usable.contains(power) else { return nil }
    return power
  }

  /// dB from the RSSI to the power at 1 m that there are at least, whatever smooths the samples of
  /// the window; infinity where there can be no distance, −infinity where it has to be looked at.
  @inline(__always)
  var leastLoss: Double {
    guard lossToOneMetre != Self.noPower else { return .infinity }
    let power = Int(power) &- Int(lossToOneMetre)
    guard MeasuredPower.usable.contains(power) else { return isWarned ? .infinity : -.infinity }
    return Double(power &- Int(strongest))
  }
}

/// What a transmitter's samples came to, as of the latest evaluation.
struct Evaluation: BitwiseCopyable, Sendable {
  private var value: FilterValue?
  private var power: Int?
  private(set) var metres: Double?
  private(set) var proximity = Proximity.unknown

  /// Nothing is known of where it is.
  init() {}

  /// - Parameter power: dBm at 1 m.
  init(
    _ signal: inout SmoothedSignal, at time: Int64, power: Int?, _ settings: RangingSettings
  ) {
    self.power = power
    value = signal.value(at: Timestamp(nanoseconds: time), settings.smoothing)
    guard let value, let power else { return }
    metres = settings.distance.metres(rssi: value.value, power: power)
    proximity = settings.zones.zone(metres: metres)
  }

  /// With its spread.
  /// - Parameter signal: that of the evaluation.
  func smoothed(_ signal: SmoothedSignal) -> SmoothedRSSI? { value.map(signal.withSpread) }

  /// With its interval.
  func distance(_ signal: SmoothedSignal, _ settings: DistanceSettings) -> Distance? {
    guard metres != nil, let smoothed = smoothed(signal), let power else { return nil }
    return settings.distance(smoothed, power: power)
  }

  /// dB from the RSSI to the power at 1 m.
  var loss: Double? {
    guard let value, let power else { return nil }
    return Double(power) - value.value
  }
}

/// Who a transmitter is, and where it belongs.
struct HeardName: Sendable {
  /// A region it belongs to.
  struct Membership: BitwiseCopyable, Sendable {
    let region: UInt32
    /// Which stay in the region `told` was told in.
    var stay: UInt32 = 0
    var told = Proximity.unknown
  }

  var who = Transmitter(address: .none, identity: 0, observer: 0)
  var identity = BeaconIdentity(kind: BeaconKind(rawValue: 0), count: 0, 0)
  var memberships: [Membership] = []

  /// Whether it stands before another at the same distance on a list: by the bytes of the identity,
  /// then by address (long URLs by their first appearance).
  func stands(before other: HeardName) -> Bool {
    let (a, b) = (identity.words, other.identity.words)
    if a != b { return a < b }
    if identity.count != other.identity.count { return identity.count < other.identity.count }
    if identity.kind != other.identity.kind {
      return identity.kind.rawValue < other.identity.kind.rawValue
    }
    return who.address.rawValue < other.who.address.rawValue
  }
}
