package import Analysis
import Beacons
package import CaptureReader
package import CaseStore
import Exports
import FrameDecoder
import Regions

/// Fills a case with what a run found: every table but those of sightings, which `CaseSightings` fills
/// while the run goes on.
///
/// The words are those of the other outputs: remarks as `analyze` says them, events as `events` does,
/// steps as `explain`.
package struct CaseFilling {
  /// What a case says of a run beside what it found.
  package struct Surroundings {
    /// The tool's.
    package var version: String
    /// The options of the run as words.
    package var options: [String] = []
    /// Files beside the captures, tracks first in the order of the run.
    package var files: [FileRow] = []
    /// The captures, by place.
    package var sources: [CaptureSource] = []
    package var keepsBadCRC = false
    package var keepsSightings = false
    package var keepsProximity = false
    /// Files in folders of which nothing was read, as they were.
    package var unread: [UnreadRow] = []
    /// What was followed; nil: nothing.
    package var follow: FollowSettings?

    package init(version: String) { self.version = version }
  }

  let result: AnalysisResult
  let surroundings: Surroundings
  let beacons: BeaconSummaries
  let names: EventNames?
  /// By place of the capture: its row; nil where it could not be read. Rows are those that could be, from 1: they are
  /// the same without the others.
  let captureIDs: [Int64?]
  var transmitters = CaseTransmitters()
  let explained: ExplainedEvents

  package init(_ result: AnalysisResult, _ surroundings: Surroundings) throws {
    self.result = result
    self.surroundings = surroundings
    beacons = result.statistics.summaries()
    names = EventNames(result)
    var ids: [Int64?] = []
    var next = 0
    for name in result.captureNames {
      let isRead = next < result.captures.count && result.captures[next].name == name
      if isRead { next += 1 }
      ids.append(isRead ? Int64(next) : nil)
    }
    captureIDs = ids
    explained = try ExplainedEvents(result.timeline)
  }

  /// - Parameter file: empty but for its sightings.
  package mutating func fill(_ file: CaseFile) throws {
    try file.fill { tables in
      try addInputs(tables)
      try addObservers(tables)
      try want()
      try addBeacons(tables)
      if surroundings.keepsSightings {
        try addHearings(tables)
        try renumberSightings(tables)
      }
      try addRemarks(tables)
      if let names { try addTimeline(names, tables) }
      // Late: they may still be in the making.
      try addSeries(tables)
      if let names { try addFixes(names.timeline, tables) }
    }
  }

  /// They were kept by the captures' places, before it was known which captures could be read; what was heard in one
  /// before its reading failed gets a number behind those.
  private func renumberSightings(_ tables: CaseTables) throws {
    guard captureIDs.contains(nil) else { return }
    var spare = Int64(result.captures.count)
    var numbers: [Int64: Int64] = [:]
    for (place, id) in captureIDs.enumerated() {
      if id == nil { spare += 1 }
      numbers[Int64(place) + 1] = id ?? spare
    }
    try tables.renumberCaptures(numbers)
  }

  private func addTimeline(_ names: EventNames, _ tables: CaseTables) throws {
    try addRegions(names.timeline, tables)
    try addStays(names.timeline, tables)
    try addSpans(names.timeline, tables)
    try addRanging(names.timeline, tables)
    try addEvents(names, tables)
  }

  /// Whose rows are going to be referred to.
  private mutating func want() throws {
    let table = result.statistics.transmitters
    transmitters.wantsAll = surroundings.keepsSightings
    guard let timeline = result.timeline else { return }
    try timeline.forEachBatch { events in
      for event in events {
        if let number = event.transmitter { transmitters.want(table[UInt32(number)]) }
      }
    }
    for sample in timeline.samples { transmitters.want(table[sample.transmitter]) }
    for stay in timeline.outcomes.flatMap(\.stays) {
      if let nearest = stay.nearest { transmitters.want(table[nearest.transmitter]) }
    }
  }

  /// The row of a transmitter by the run's number.
  func transmitterID(_ number: Int?) -> Int64? {
    number.flatMap { transmitters.row(of: result.statistics.transmitters[UInt32($0)]) }
  }
}

/// Rows of transmitters, of those that are referred to.
struct CaseTransmitters {
  private struct Sender: Hashable {
    let identity: UInt32
    let address: UInt64
  }

  var wantsAll = false
  private var identities: Set<UInt32> = []
  private var addresses: Set<UInt64> = []
  private var rows: [Sender: Int64] = [:]
  private var byAddress: [UInt64: Int64] = [:]

  mutating func want(_ transmitter: Transmitter) {
    identities.insert(transmitter.identity)
    addresses.insert(transmitter.address.rawValue)
  }

  mutating func note(_ row: Int64, identity: UInt32, address: DeviceAddress) {
    if wantsAll || identities.contains(identity) {
      rows[Sender(identity: identity, address: address.rawValue)] = row
    }
    guard address.isPresent, wantsAll || addresses.contains(address.rawValue) else { return }
    if byAddress[address.rawValue] == nil { byAddress[address.rawValue] = row }
  }

  /// Telemetry has no row of its own where its address sends something else: it belongs to that.
  func row(of transmitter: Transmitter) -> Int64? {
    rows[Sender(identity: transmitter.identity, address: transmitter.address.rawValue)]
      ?? byAddress[transmitter.address.rawValue]
  }
}
