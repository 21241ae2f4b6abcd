import Analysis
import Beacons
import CaptureReader
import CaseStore
import Exports
import FrameDecoder
import Regions

/// What happened, and what proves it.
extension CaseFilling {
  /// The frames of the events whose chains are kept, read again.
  private func reading(_ names: EventNames) throws -> EvidenceReading {
    var reading = EvidenceReading(
      result, keepBadCRC: surroundings.keepsBadCRC, custom: surroundings.follow?.custom,
      keys: surroundings.follow?.keys)
    var place = 0
    try names.timeline.forEachBatch { events in
      for event in events {
        if explained.keeps(place) { reading.want(event) }
        place += 1
      }
    }
    try reading.read(surroundings.sources)
    return reading
  }

  func addEvents(_ names: EventNames, _ tables: CaseTables) throws {
    let reading = try reading(names)
    var writers = try EventWriters(tables, finder: EventFinder(names.timeline))
    let numbers = names.timeline.outcomes.map(\.profile.numbers)
    let stays = StayLookup(names.timeline)
    var id: Int64 = 0
    try names.timeline.forEachBatch { events in
      for event in events {
        let isExplained = explained.keeps(Int(id))
        id += 1
        let frames = isExplained ? reading.frames(of: event) : []
        let chain = EventChain(
          event, names, frames, find: writers.finder.find, stays: stays,
          profileNumbers: numbers[event.profile])
        try add(event, id, chain, writers)
        try addEvidence(of: event, id, isExplained ? reading : nil, names, &writers)
        if let alert = names.alert(event) {
          writers.alerts += 1
          try add(alert, writers.alerts, event: id, tables)
        }
        guard isExplained else { continue }
        for step in chain.steps() { try add(step, of: id, writers) }
      }
    }
    // A part of one report may be cited for another one in it, and that knows more of it.
    for (part, capture) in writers.parts { try writers.add(part, capture: capture) }
  }

  private func add(
    _ event: TimelineEvent, _ id: Int64, _ chain: EventChain, _ writers: EventWriters
  ) throws {
    let writer = writers.events
    let isAboutObserver = chain.names.observer(event) != nil
    writer.int(id)
    writer.text(EventReference.text(event.id))
    writer.text(event.type.rawValue)
    writer.int(event.time.known)
    writer.int(isAboutObserver ? event.observer + 1 : nil)
    writer.int(event.region.map { $0 + 1 })
    writer.int(event.profile + 1)
    writer.int(transmitterID(event.transmitter))
    writer.text(event.state?.rawValue)
    writer.text(event.silence?.grade.rawValue)
    writer.text(chain.title)
    writer.text(utf8: EventsNDJSON.object(event, chain.names))
    try writer.end()
  }

  private func add(_ alert: Alert, _ id: Int64, event: Int64, _ tables: CaseTables) throws {
    var fields = ByteText()
    fields.fields(alert)
    try tables.add([
      AlertRow(
        id: id, eventId: event, severity: alert.severity.rawValue, title: alert.title,
        text: alert.text, plugin: alert.rule.plugin, pluginVersion: alert.rule.version,
        pluginSha256: alert.rule.sha256,
        dedupeKey: alert.dedupeKey.isEmpty ? alert.title : alert.dedupeKey,
        heldBack: alert.heldBack, fields: fields.string)
    ])
    try tables.add(
      alert.events.map { CitationRow(alertId: id, event: EventReference.text($0)) })
  }

  private func addEvidence(
    of event: TimelineEvent, _ id: Int64, _ reading: EvidenceReading?, _ names: EventNames,
    _ writers: inout EventWriters
  ) throws {
    for item in event.evidence {
      let frame = reading?.frame(item, of: event)
      let sender = frame?.sender(of: event, names)
      try add(
        item, item.number, of: id,
        frame.map { (Explanation.words($0, sender, besides: .none), $0.marked(sender)) }, writers)
      guard let frame, let capture = captureIDs[item.file] else { continue }
      try writers.add(frame, capture: capture)
      for part in frame.parts {
        let words = Explanation.partWords(part, of: frame, besides: .none)
        try add(item, part.frame, of: id, (words, part.marked(sender)), writers)
        writers.parts.append((part, capture))
      }
    }
  }

  /// - Parameters:
  ///   - number: of the frame or line: the item's, or that of a part of it.
  ///   - known: what it is, and its bytes; nil where it was not read.
  private func add(
    _ item: TimelineEvent.Evidence, _ number: Int, of event: Int64,
    _ known: (words: String, bytes: MarkedBytes)?, _ writers: EventWriters
  ) throws {
    let isFrame = item.source == .capture
    let writer = writers.evidence
    writer.int(Int64?.none)
    writer.int(event)
    writer.int(isFrame ? captureIDs[item.file] : nil)
    writer.int(isFrame ? nil : item.file + 1)
    writer.int(number)
    writer.text(known?.words)
    writer.text(known.map { Self.marks($0.bytes) })
    writer.int(number == item.number ? nil : item.number)
    try writer.end()
  }

  /// `[["uuid",22,16],…]`.
  private static func marks(_ marked: MarkedBytes) -> String {
    var text = ByteText()
    text.text("[")
    for (place, mark) in marked.marks.enumerated() {
      text.text(place == 0 ? "[" : ",[")
      text.jsonString(mark.name)
      text.text(",")
      text.int(mark.range.lowerBound)
      text.text(",")
      text.int(mark.range.count)
      text.text("]")
    }
    text.text("]")
    return text.string
  }

  private func add(_ step: EventChain.Step, of id: Int64, _ writers: EventWriters) throws {
    let writer = writers.steps
    writer.int(Int64?.none)
    writer.int(id)
    switch step {
    case .words(let label, let text):
      writer.text(label)
      writer.text(text)
    case .evidence(let label):
      writer.text(label)
      writer.text(nil)
    }
    try writer.end()
  }
}

/// The statements by which events are added.
private struct EventWriters {
  let events: TableWriter
  let evidence: TableWriter
  let steps: TableWriter
  let finder: EventFinder
  private let frames: TableWriter
  /// Frames that have been added: several events cite one.
  private var added: Set<[Int64]> = []
  /// Frames that are but parts of what events cite.
  var parts: [(frame: EvidenceFrame, capture: Int64)] = []
  var alerts: Int64 = 0

  init(_ tables: CaseTables, finder: EventFinder) throws {
    events = try tables.writer("events")
    evidence = try tables.writer("evidence")
    steps = try tables.writer("steps")
    frames = try tables.writer("frames")
    self.finder = finder
  }

  mutating func add(_ frame: EvidenceFrame, capture: Int64) throws {
    guard added.insert([capture, Int64(frame.frame)]).inserted else { return }
    frames.int(Int64?.none)
    frames.int(capture)
    frames.int(frame.frame)
    frames.int(frame.time.known)
    frames.int(frame.link.number)
    frames.int(frame.rssi)
    frames.text(frame.address.isPresent ? BeaconTable.address(frame.address) : nil)
    frames.blob(frame.bytes)
    frames.int(frame.link.hasTag ? Int64(frame.tag) : nil)
    frames.text(frame.direction.word)
    frames.int(frame.originalCount)
    try frames.end()
  }
}

extension PacketDirection {
  /// As cases have it.
  var word: String? { isReceived.map { $0 ? "received" : "sent" } }
}

/// Finds events by their ids without going through all of them each time.
private struct EventFinder {
  private let timeline: Timeline
  private var places: [UInt64: Int] = [:]

  /// With the changes of proximity and ranging lists that an alert cited when they were new.
  init(_ timeline: Timeline) {
    self.timeline = timeline
    guard !timeline.alerts.isEmpty else { return }
    for (place, event) in timeline.events.enumerated() where places[event.id] == nil {
      places[event.id] = place
    }
  }

  func find(_ id: UInt64) -> TimelineEvent? { places[id].map { timeline.events[$0] } }
}
