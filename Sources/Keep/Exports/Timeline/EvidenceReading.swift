package import Analysis
package import BeaconKeys
package import Beacons
package import CaptureReader
import FrameDecoder

/// Reads the frames behind events once more, each capture once.
package struct EvidenceReading {
  /// A frame as an event cites it: of several reports in it, whose.
  struct Citation: Hashable {
    let capture: Int
    let frame: Int
    /// The event's; -1 for none.
    let transmitter: Int
  }

  /// Whom an event is about; without a kind: anybody.
  struct Wanted {
    var address = DeviceAddress.none
    var kind: BeaconKind?
    var identity: [UInt8] = []
  }

  private let keepBadCRC: Bool
  private let custom: (any CustomDecoding)?
  private let keys: KeyRing?
  private let transmitters: TransmitterTable
  private let identities: IdentityTable
  /// Captures that the run could not read to their ends.
  private let unread: Set<String>
  private var wanted: Set<Citation> = []
  private var found: [Citation: EvidenceFrame] = [:]

  /// - Parameters:
  ///   - result: of the run that told the events.
  ///   - custom: what decoded beacons that no format knows.
  ///   - keys: of beacons whose identifiers change.
  package init(
    _ result: AnalysisResult, keepBadCRC: Bool, custom: (any CustomDecoding)?, keys: KeyRing?
  ) {
    self.keepBadCRC = keepBadCRC
    self.custom = custom
    self.keys = keys
    unread = Set(result.problems.map(\.capture))
    transmitters = result.statistics.transmitters
    identities = result.statistics.identities
  }

  /// Asks for the frames that an event cites.
  package mutating func want(_ event: TimelineEvent) {
    for item in event.evidence where item.source == .capture {
      wanted.insert(citation(item, event))
    }
  }

  /// Reads what was asked for.
  /// - Parameter sources: the run's, by place; each can be read again.
  /// - Throws: where one cannot be read that could in the run. Where the run could not read on, either, that has
  ///   been told, and what comes before stands.
  package mutating func read(_ sources: [CaptureSource]) throws(CaptureProblem) {
    let byCapture = Dictionary(grouping: wanted) { $0.capture }
    for (place, source) in sources.enumerated() {
      guard let citations = byCapture[place] else { continue }
      do throws(CaptureProblem) { try read(citations, source) } catch {
        guard unread.contains(source.name) else { throw error }
      }
    }
    wanted = []
  }

  /// The frames of an event that could be read.
  package func frames(of event: TimelineEvent) -> [EvidenceFrame] {
    event.evidence.compactMap { $0.source == .capture ? found[citation($0, event)] : nil }
  }

  /// What an event cites; nil where it is no frame, or could not be read.
  package func frame(_ item: TimelineEvent.Evidence, of event: TimelineEvent) -> EvidenceFrame? {
    item.source == .capture ? found[citation(item, event)] : nil
  }

  private func citation(_ item: TimelineEvent.Evidence, _ event: TimelineEvent) -> Citation {
    Citation(capture: item.file, frame: item.number, transmitter: event.transmitter ?? -1)
  }

  private func whom(_ citation: Citation) -> Wanted {
    guard citation.transmitter >= 0 else { return Wanted() }
    let transmitter = transmitters[UInt32(citation.transmitter)]
    let identity = identities[transmitter.identity]
    return Wanted(
      address: transmitter.address, kind: identity.kind, identity: identities.bytes(of: identity))
  }

  private mutating func read(_ citations: [Citation], _ source: CaptureSource)
    throws(CaptureProblem)
  {
    let reader = try CaptureReader.open(source, isHashed: false)
    var walk = EvidenceWalk(
      Dictionary(grouping: citations) { $0.frame }.mapValues { group in
        group.sorted { $0.transmitter < $1.transmitter }.map { ($0, whom($0)) }
      }, keepBadCRC: keepBadCRC, beacons: BeaconDecoder(custom: custom, keys: keys))
    var batch = RecordBatch()
    while !walk.isDone, try reader.next(into: &batch) { walk.take(batch.records.array, reader) }
    found.merge(walk.end(reader)) { _, new in new }
  }
}
