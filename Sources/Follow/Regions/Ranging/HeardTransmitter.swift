import Beacons
import CaptureReader
import FrameDecoder

/// What ranging keeps of a transmitter while it is heard.
struct HeardTransmitter: Sendable {
  /// A region it belongs to.
  struct Membership: BitwiseCopyable, Sendable {
    let region: UInt32
    /// Which stay in the region `told` was told in.
    var stay: UInt32 = 0
    var told = Proximity.unknown
  }

  var signal = SmoothedSignal()
  var memberships: [Membership] = []
  private(set) var transmitter: UInt32 = 0
  private(set) var observer: UInt32 = 0
  private(set) var who = Transmitter(address: .none, identity: 0, observer: 0)
  private(set) var identity = BeaconIdentity(kind: BeaconKind(rawValue: 0), count: 0, 0)
  /// dB from the power as it is sent to that at 1 m; nil where none is sent.
  private var lossToOneMetre: Int?
  /// dBm, as it is sent.
  private var power: Int8 = 0
  /// Heard within the time to `unknown`: on the observer's list of such.
  var isActive = false
  var isFree = true
  /// Counts its silences, over everyone that was here before, too.
  var silences: UInt32 = 0
  /// Of the samples since the last list; without one of the latest.
  private(set) var firstFrame = CaptureFrame(capture: 0, frame: 0)
  private(set) var lastFrame = CaptureFrame(capture: 0, frame: 0)
  /// As of the latest evaluation.
  private var value: FilterValue?
  private(set) var metres: Double?
  private(set) var proximity = Proximity.unknown

  mutating func begin(
    _ transmitter: UInt32, _ who: Transmitter, _ identity: BeaconIdentity, observer: Int
  ) {
    self.transmitter = transmitter
    self.who = who
    self.identity = identity
    self.observer = UInt32(observer)
    lossToOneMetre = MeasuredPower.lossToOneMetre(identity.kind)
    isFree = false
  }

  /// Keeps the storage for the next that comes to be here.
  mutating func end() {
    signal.forget()
    memberships.removeAll(keepingCapacity: true)
    becomeUnknown()
    isFree = true
  }

  @inline(__always)
  mutating func add(
    _ rssi: Int8, at time: Timestamp, power: Int8, frame: CaptureFrame,
    _ settings: SmoothingSettings
  ) {
    if signal.listSamples == 0 { firstFrame = frame }
    lastFrame = frame
    self.power = power
    signal.add(rssi, at: time, settings)
  }

  /// What there is to warn of: a power that cannot be used, dBm at 1 m.
  var unusablePower: Int? {
    guard let power = powerAtOneMetre, !MeasuredPower.usable.contains(power) else { return nil }
    return power
  }

  private var powerAtOneMetre: Int? { lossToOneMetre.map { Int(power) - $0 } }

  mutating func evaluate(at time: Timestamp, _ settings: RangingSettings) {
    value = signal.value(at: time, settings.smoothing)
    if let value, let power = powerAtOneMetre {
      metres = settings.distance.metres(rssi: value.value, power: power)
    } else {
      metres = nil
    }
    proximity = settings.zones.zone(metres: metres)
  }

  /// With its spread, as of the latest evaluation.
  var smoothed: SmoothedRSSI? { value.map(signal.withSpread) }

  /// With its interval, as of the latest evaluation.
  func distance(_ settings: DistanceSettings) -> Distance? {
    guard metres != nil, let smoothed, let power = powerAtOneMetre else { return nil }
    return settings.distance(smoothed, power: power)
  }

  mutating func becomeUnknown() {
    value = nil
    metres = nil
    proximity = .unknown
  }

  mutating func beginList(_ settings: SmoothingSettings) {
    signal.beginList(settings)
    firstFrame = lastFrame
  }

  func entry(_ settings: DistanceSettings) -> RangingEntry {
    RangingEntry(
      transmitter: transmitter, identity: who.identity, address: who.address,
      proximity: proximity, accuracy: distance(settings), rssi: signal.listMean,
      samples: signal.listSamples)
  }

  /// Whether it stands before another on a list: nearest first, unknown last; among equals by the
  /// bytes of the identity, then by address (long URLs by their first appearance).
  func stands(before other: HeardTransmitter) -> Bool {
    switch (metres, other.metres) {
    case (let mine?, let its?) where mine != its: return mine < its
    case (_?, nil): return true
    case (nil, _?): return false
    default: break
    }
    let (a, b) = (identity.words, other.identity.words)
    if a != b { return a < b }
    if identity.count != other.identity.count { return identity.count < other.identity.count }
    if identity.kind != other.identity.kind {
      return identity.kind.rawValue < other.identity.kind.rawValue
    }
    return who.address.rawValue < other.who.address.rawValue
  }
}
