/// A second decoder, written from PROTOCOLS.md alone: slow, obvious, and without a line in common
/// with the first. What the two make of a capture must be the same.
package struct Twin: Sendable {
  package internal(set) var reports: [TwinReport] = []
  /// How often each class and reason was given to a record.
  package private(set) var outcomes: [TwinOutcome: Int] = [:]
  /// By interface, and by adapter on a monitor; in the order in which they were first heard.
  private var radios: [Radio] = []

  package init() {}

  package var sightings: [TwinSighting] { reports.flatMap(TwinBeacons.sightings) }

  package mutating func feed(_ record: TwinRecord) {
    var outcome = record.fault ?? decode(record)
    if outcome.kind == "malformed", record.isCut, Self.shortages.contains(outcome.reason) {
      outcome.kind = "truncated"
    }
    outcomes[outcome, default: 0] += 1
  }

  /// The capture has ended: what waits for more is handed on as it is.
  package mutating func finish() {
    for place in radios.indices {
      reports += radios[place].fragments.flush()
      reports += radios[place].chains.flush()
    }
  }

  /// Reasons that missing bytes explain: then the recorder's cut is to blame.
  private static let shortages: Set<String> = [
    "report_truncated", "event_empty", "event_too_short", "ll_truncated", "phdr_truncated",
    "nordic_bad_length", "ppi_bad_length", "ext_header_overrun", "batch_truncated",
  ]

  /// One radio: what it has begun and not ended.
  struct Radio: Sendable {
    let interface: Int
    let adapter: Int?
    var fragments = Fragments()
    var chains = AuxiliaryChains()
    /// Periodic trains by handle, oldest first.
    var trains: [Train] = []
    /// Access addresses of trains on the air, oldest first.
    var trainAddresses: [[UInt8]] = []
  }

  struct Train: Sendable {
    let handle: Int
    let address: TwinAddress
    let sid: Int
    let phy: Int?
  }

  /// Runs `body` with the radio of an interface and, on a monitor, of an adapter.
  mutating func with<R>(
    radio interface: Int, _ adapter: Int? = nil, _ body: (inout Radio) -> (R, [TwinReport])
  ) -> R {
    var place = radios.firstIndex { $0.interface == interface && $0.adapter == adapter }
    if place == nil, radios.count < 1024 {
      radios.append(Radio(interface: interface, adapter: adapter))
    }
    place = place ?? radios.count - 1
    let (result, found) = body(&radios[place ?? 0])
    reports += found
    return result
  }
}
