import CaptureReader
import CaseStore
import Exports

/// What the numbers in a case's rows stand for.
struct CaseNames {
  private(set) var observers: [Int64: String] = [:]
  private(set) var profiles: [Int64: String] = [:]
  private(set) var regions: [Int64: String] = [:]
  private(set) var captures: [Int64: String] = [:]
  private(set) var files: [Int64: String] = [:]
  /// By transmitter.
  private(set) var beacons: [Int64: Int64] = [:]
  private(set) var addresses: [Int64: String] = [:]
  /// By beacon.
  private(set) var kinds: [Int64: String] = [:]
  private(set) var identities: [Int64: String] = [:]

  /// Of captures whose clock was moved: by how much their times are later than they stand in them.
  private(set) var moved = MovedClocks()

  init(_ file: CaseFile) throws {
    moved = try MovedClocks(file)
    try file.forEach(ObserverRow.self) { observers[$0.id ?? 0] = $0.name }
    try file.forEach(ProfileRow.self) { profiles[$0.id ?? 0] = $0.name }
    try file.forEach(RegionRow.self) { regions[$0.id ?? 0] = $0.name }
    try file.forEach(CaptureRow.self) { captures[$0.id ?? 0] = $0.name }
    try file.forEach(FileRow.self) { files[$0.id ?? 0] = $0.name }
    try file.forEach(TransmitterRow.self) {
      beacons[$0.id ?? 0] = $0.beaconId
      addresses[$0.id ?? 0] = $0.address
    }
    try file.forEach(BeaconRow.self) {
      kinds[$0.id ?? 0] = $0.kind
      identities[$0.id ?? 0] = $0.identity
    }
  }
}

/// What decided the events of a case, found by event.
struct CitedEvidence {
  struct Item {
    let event: Int64
    let capture: Int64?
    let file: Int64?
    /// Of a frame, or of a line of a track.
    let number: Int
  }

  /// In the order of the events, each event's in their own.
  private var items: [Item] = []

  init(_ file: CaseFile) throws {
    try file.forEach(EvidenceRow.self, order: "event_id, id") {
      items.append(
        Item(event: $0.eventId, capture: $0.captureId, file: $0.fileId, number: $0.number))
    }
  }

  subscript(event: Int64) -> ArraySlice<Item> {
    let first = items.indices.bisected { items[$0].event >= event }
    return items[first...].prefix { $0.event == event }
  }

  /// An event's frames alone.
  func frames(_ event: Int64) -> [Item] { self[event].filter { $0.capture != nil } }
}

extension Timestamp {
  /// As a case's column has it; NULL is none.
  init(column: Int64?) { self = column.map { Timestamp(nanoseconds: $0) } ?? .none }
}

/// A case whose rows do not say what they should: somebody has changed them.
package struct CaseNonsense: Error, Equatable {
  /// One clause.
  package let what: String

  init(_ what: String) { self.what = TextColumns.printable(what) }
}
