import BeaconKeys
import FrameEncoder

/// A site and what happens there. SYNTH.md describes its form as JSON, and every unit.
package struct Scenario: Sendable {
  package var name = ""
  package var summary = ""
  /// Nanoseconds since 1970.
  var start: Int64 = 1_779_184_800_000_000_000
  /// Nanoseconds.
  package var duration: Int64 = 60_000_000_000
  package var radio = RadioSettings()
  var rooms: [Room] = []
  var observer = Path(at: Point(x: 0, y: 0))
  var scan = Scan()
  var beacons: [BeaconPlan] = []
  var phones = Phones()
  package var crowd: Crowd?
  var clockSteps: [ClockStep] = []
  package var damage: [Strike] = []

  package init() {}

  /// The part of the radio that the command line may set.
  package struct RadioSettings: Sendable {
    var model = Radio()
    /// Of what this radio receives: others with another one heard the same site. Nil: chance is the site's.
    var seed: UInt64?
    /// 0…1.
    package var loss: Double {
      get { model.loss }
      set { model.loss = newValue }
    }
  }

  /// How a host's controller is told to scan. Sniffers always listen and heed the pauses alone.
  struct Scan: Sendable {
    /// The commands of Bluetooth 5, whose reports carry extended advertising, too.
    var isExtended = false
    var isActive = false
    /// In 0.625 ms.
    var interval: UInt16 = 160
    var window: UInt16 = 160
    /// When nothing is heard, nanoseconds since the start.
    var pauses: [Range<Int64>] = []
    /// The duplicate filter: nanoseconds until an address is told of again; nil: it is off.
    var filteredFor: Int64?
    /// Reports that the controller puts into one event, at most.
    var reportsPerEvent = 1
  }

  /// Other people's devices, somewhere in the rooms, each for a while.
  struct Phones: Sendable {
    var count = 0
    /// Nanoseconds.
    var stay: ClosedRange<Int64> = 60_000_000_000...300_000_000_000
  }

  /// Very many beacons that come and go, of which nothing is kept but their number.
  package struct Crowd: Sendable {
    package var identities: Int
    /// How many of them are there at a time.
    package var inRange: Int
    var framesPerSecond: Int
    package init(identities: Int, inRange: Int = 1000, framesPerSecond: Int = 1000) {
      self.identities = identities
      self.inRange = inRange
      self.framesPerSecond = framesPerSecond
    }
  }

  /// From `time` on the recorder's clock shows `step` more than before. Nanoseconds.
  struct ClockStep: Sendable {
    let time: Int64
    let step: Int64
  }
}

/// A beacon of a scenario.
struct BeaconPlan: Sendable {
  enum Content: Sendable {
    case iBeacon(uuid: [UInt8], major: UInt16, minor: UInt16, power: Int8)
    /// `id`: 20 bytes.
    case altBeacon(company: UInt16, id: [UInt8], power: Int8)
    case uid(namespace: [UInt8], instance: [UInt8], power: Int8)
    case url(text: String, encoded: [UInt8], power: Int8)
    /// `clock`: seconds that the beacon's own clock shows at the start.
    case eid(EphemeralIdentifier, clock: UInt32, power: Int8)
    /// No beacon: what a phone sends.
    case device
  }
  enum Advertising: String, Sendable, CaseIterable { case legacy, extended, coded }

  var name: String
  var content: Content
  var cloneOf: String?
  /// nil: made from the seed.
  var address: Address?
  /// Nanoseconds between changes of the address.
  var addressRotation: Int64?
  /// Identity resolving key, most significant byte first: it makes the addresses. Nil: they are drawn by chance.
  var irk: [UInt8]?
  var path: Path
  /// Nanoseconds.
  var interval: Int64 = 1_000_000_000
  /// True signal at one metre, dBm.
  var signal = -59.0
  var isConnectable = false
  var advertising = Advertising.legacy
  /// Every so many advertisements one is telemetry; 0: none is.
  var telemetryEvery = 0
  var battery: UInt16 = 3000
  /// In 1/256 °C.
  var temperature: Int16 = 5376
  /// When it advertises, nanoseconds since the start.
  var appears: Int64 = 0
  var dies: Int64?
}

/// Damage that is done to a capture.
package struct Strike: Sendable {
  /// What is done. The names are those of `--damage`.
  package enum Kind: String, Sendable, CaseIterable {
    /// What the link type knows of: an event without reports, or a wrong bit.
    case malformed
    /// An event says that it holds no reports.
    case zeroReports = "zero-reports"
    /// A packet lacks its last bytes.
    case cut
    /// The recorder kept the first bytes of a packet, and says so.
    case snap
    /// A bit of a packet was received wrong.
    case crc
    /// A record's length is far too large.
    case length
    /// A stretch of the file is overwritten, over several records.
    case junk
    /// The file ends inside its last record.
    case tail
  }
  package let kind: Kind
  /// Nanoseconds since the start, or a number of records: whichever the run is limited by. A strike
  /// comes down on the first record from there on that can take it.
  package let moment: Int64
  package let countsRecords: Bool

  package init(kind: Kind, moment: Int64, countsRecords: Bool = false) {
    self.kind = kind
    self.moment = moment
    self.countsRecords = countsRecords
  }
}
