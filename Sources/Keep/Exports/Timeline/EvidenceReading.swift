package import Analysis
package import BeaconKeys
package import Beacons
package import CaptureReader
import FrameDecoder

/// Reads the frames behind events once more, each capture once.
package struct EvidenceReading {
  /// A frame as an event cites it: of several reports in it, whose.
  private struct Citation: Hashable {
    let capture: Int
    let frame: Int
    /// The event's; -1 for none.
    let transmitter: Int
  }

  /// Whom an event is about; without a kind: anybody.
  private struct Wanted {
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

  /// A report may be put together from several frames, of which the event cites the last: so many
  /// before it are decoded, too.
  private static let before = 32

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
    let citations = citations.sorted { ($0.frame, $0.transmitter) < ($1.frame, $1.transmitter) }
    var decoder = FrameDecoder(options: FrameDecoder.Options(keepBadCRC: keepBadCRC))
    var beacons = BeaconDecoder(custom: custom, keys: keys)
    var batch = RecordBatch()
    var next = 0
    while next < citations.count, try reader.next(into: &batch) {
      // Most batches hold nothing that is cited.
      let frames = batch.records.withSpan {
        $0.isEmpty ? 0..<0 : $0[0].frame..<($0[$0.count - 1].frame + 1)
      }
      guard let first = frames.first, citations[next].frame < frames.upperBound else { continue }
      let records = batch.records.array
      var decoded = 0
      while next < citations.count {
        let place = citations[next].frame - first
        guard place < records.count else { break }
        // Frames are numbered one after the other; whatever is not there is not waited for.
        guard place >= 0, records[place].frame == citations[next].frame else {
          next += 1
          continue
        }
        let window = max(decoded, place - Self.before)..<(place + 1)
        decoded = place + 1
        var same = next
        while same < citations.count, citations[same].frame == citations[next].frame { same += 1 }
        let group = citations[next..<same]
        next = same
        found.merge(
          decode(group, records, window, reader, &decoder, &beacons)
        ) { _, new in new }
      }
    }
  }

  /// Decodes the last record of a window, and makes of it what each citation is about.
  private func decode(
    _ citations: ArraySlice<Citation>, _ records: [CaptureRecord], _ window: Range<Int>,
    _ reader: CaptureReader, _ decoder: inout FrameDecoder, _ beacons: inout BeaconDecoder
  ) -> [Citation: EvidenceFrame] {
    var made: [Citation: EvidenceFrame] = [:]
    reader.withBytes { bytes in
      decoder.decode(records.span.extracting(window), bytes)
      decoder.reports.withSpan { beacons.decode($0, bytes, joined: decoder.joined) }
      for citation in citations {
        made[citation] = Self.frame(
          records[window.upperBound - 1], bytes, decoder, beacons, reader.name, whom(citation))
      }
    }
    return made
  }

  private static func frame(
    _ record: CaptureRecord, _ bytes: RawSpan, _ decoder: borrowing FrameDecoder,
    _ beacons: borrowing BeaconDecoder, _ name: String, _ wanted: Wanted
  ) -> EvidenceFrame {
    let isAny = wanted.kind == nil
    let start = Int(record.start)
    let range = start..<(start + Int(record.count))
    let sightings = beacons.sightings.array.filter { $0.frame == record.frame }
    let ofWanted = sightings.filter { isAny || $0.address == wanted.address }
    let sighting =
      ofWanted.first { isOf(wanted, beacons.identities[$0.identity], beacons.identities) }
      // What a device sends says more than that it is the device.
      ?? ofWanted.first { $0.kind != .device } ?? ofWanted.first ?? sightings.first
    let reports = decoder.reports.array.filter { $0.frame == record.frame }
    let report =
      reports.first { report in
        sighting.map { $0.index == report.index } ?? (isAny || report.address == wanted.address)
      } ?? reports.first
    var data: Range<Int>?
    if let report, !report.isJoined {
      let first = Int(report.start) - start
      data = first..<(first + Int(report.count))
    }
    var found = EvidenceFrame(
      capture: name, frame: record.frame, time: record.time,
      rssi: report.flatMap { $0.rssi == 127 ? nil : Int($0.rssi) },
      address: report?.address ?? wanted.address, bytes: bytes.extracting(range).array(),
      dataRange: data,
      measuredPower: sighting.flatMap { ofWanted.isEmpty ? nil : measuredPower($0) },
      link: record.link, tag: record.tag, direction: record.direction,
      originalCount: Int(record.originalCount))
    if let sighting {
      let identity = beacons.identities[sighting.identity]
      let sender = EventNames.Sender(
        address: sighting.address, kind: identity.kind,
        bytes: beacons.identities.bytes(of: identity),
        device: beacons.identities.device(at: sighting.address))
      found.content = .beacon(sender, others: sightings.count - 1)
      found.isNamed = beacons.isNamed(sighting.address)
      if identity.kind == .eddystoneResolved {
        found.resolution = EvidenceFrame.Resolution(
          sent: EddystoneResolved.sent(sighting), clock: EddystoneResolved.clock(sighting))
      }
    } else if report != nil {
      found.content = .advertisement
    }
    return found
  }

  private static func isOf(
    _ wanted: Wanted, _ identity: BeaconIdentity, _ identities: IdentityTable
  ) -> Bool {
    identity.kind == wanted.kind && identities.bytes(of: identity) == wanted.identity
  }

  /// dBm at 1 m; Eddystone's is that at 0 m (PROTOCOLS.md 5).
  private static func measuredPower(_ sighting: Sighting) -> Int? {
    let format = BeaconFormats.format(sighting.kind)
    guard format.hasPower else { return nil }
    return Int(sighting.power) - (format.powerDistance == 0 ? 41 : 0)
  }
}
