import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Goes through one capture for the frames that events cite. Most of it is stepped over: decoded are some records
/// before each, and behind it what belongs to a report that began in it.
struct EvidenceWalk: ~Copyable {
  typealias Citation = EvidenceReading.Citation
  typealias Wanted = EvidenceReading.Wanted

  /// By the frame's number.
  private let wanted: [Int: [(citation: Citation, whom: Wanted)]]
  private let frames: [Int]
  private let keepBadCRC: Bool
  /// Of `frames`, the next one.
  private var next = 0
  private var decoder: FrameDecoder
  private var beacons: BeaconDecoder
  /// The next frame that has not been decoded.
  private var decoded = 0
  /// Frames of which a report is under way.
  private var waiting: [Int] = []
  /// What was decoded last, as long as it may be a part of something.
  private var recent: [Raw] = []
  private var found: [Citation: EvidenceFrame] = [:]

  /// A record as the capture has it.
  private struct Raw {
    let record: CaptureRecord
    let bytes: [UInt8]
  }

  /// What a report needs may lie before it: telemetry is opened by an identifier that was sent before, a packet on
  /// the air was pointed to.
  private static let before = 32
  /// What comes later is no part of it: an AuxPtr reaches 2.5 s ahead, and controllers send fragments at once.
  private static let behind = 4096

  init(
    _ wanted: [Int: [(Citation, Wanted)]], keepBadCRC: Bool, beacons: consuming BeaconDecoder
  ) {
    self.wanted = wanted.mapValues { $0.map { (citation: $0.0, whom: $0.1) } }
    frames = wanted.keys.sorted()
    self.keepBadCRC = keepBadCRC
    self.beacons = beacons
    decoder = Self.decoder(keepBadCRC)
  }

  private static func decoder(_ keepBadCRC: Bool) -> FrameDecoder {
    var options = FrameDecoder.Options(keepBadCRC: keepBadCRC)
    options.keepsParts = true
    return FrameDecoder(options: options)
  }

  var isDone: Bool { next == frames.count && waiting.isEmpty }

  mutating func take(_ records: [CaptureRecord], _ reader: CaptureReader) {
    guard let first = records.first?.frame else { return }
    while let from = start(first), let place = Self.place(of: from, in: records) {
      let record = records[place]
      if record.frame > decoded, waiting.isEmpty { begin() }
      decoded = record.frame + 1
      reader.withBytes { bytes in decode(record, bytes, reader.name) }
      while next < frames.count, frames[next] < decoded { next += 1 }
    }
  }

  /// The record of a frame, or the next one behind it; nil where it is in no batch so far.
  private static func place(of frame: Int, in records: [CaptureRecord]) -> Int? {
    // Frames are numbered one after the other.
    let place = frame - records[0].frame
    if records.indices.contains(place), records[place].frame == frame { return place }
    return records.firstIndex { $0.frame >= frame }
  }

  /// The next frame to be decoded that is not before `first`; nil where none is.
  private func start(_ first: Int) -> Int? {
    let goesOn = max(decoded, first)
    if !waiting.isEmpty { return goesOn }
    // Frames that are not there are not waited for.
    guard let wanted = frames[next...].first(where: { $0 >= first }) else { return nil }
    return max(goesOn, wanted - Self.before)
  }

  /// What was decoded before a gap belongs to nothing behind it.
  private mutating func begin() {
    decoder = Self.decoder(keepBadCRC)
    recent.removeAll(keepingCapacity: true)
  }

  private mutating func decode(_ record: CaptureRecord, _ bytes: RawSpan, _ name: String) {
    let range = Int(record.start)..<(Int(record.start) + Int(record.count))
    if recent.count > 2 * Self.before {
      let oldest = (waiting.min() ?? record.frame) - Self.before
      recent.removeFirst(recent.firstIndex { $0.record.frame >= oldest } ?? 0)
    }
    recent.append(Raw(record: record, bytes: bytes.extracting(range).array()))
    decoder.decode([record].span, bytes)
    decoder.reports.withSpan { beacons.decode($0, bytes, joined: decoder.joined) }
    let reported = makeReported(name)
    if wanted[record.frame] != nil {
      // A frame may hold a report and begin another one.
      if decoder.isUnderWay(record.frame) {
        waiting.append(record.frame)
      } else if !reported.contains(record.frame) {
        make(record.frame, name)
      }
    }
    let over = waiting.filter {
      !decoder.isUnderWay($0) || record.frame - $0 > Self.behind
    }
    for frame in over where !reported.contains(frame) { make(frame, name) }
    waiting.removeAll { over.contains($0) }
  }

  /// - Returns: the frames of all reports that there are now.
  private mutating func makeReported(_ name: String) -> Set<Int> {
    let reported = Set(decoder.reports.array.map(\.frame))
    for frame in reported.sorted() where wanted[frame] != nil { make(frame, name) }
    return reported
  }

  /// What is still under way at the end is what it is.
  /// - Returns: all that was found.
  mutating func end(_ reader: CaptureReader) -> [Citation: EvidenceFrame] {
    decoder.finish()
    reader.withBytes { bytes in
      decoder.reports.withSpan { beacons.decode($0, bytes, joined: decoder.joined) }
    }
    let reported = makeReported(reader.name)
    for frame in waiting where !reported.contains(frame) { make(frame, reader.name) }
    return found
  }

  private mutating func make(_ frame: Int, _ name: String) {
    guard let raw = recent.last(where: { $0.record.frame == frame }) else { return }
    let parts = decoder.parts.filter { $0.report == frame && $0.frame != frame }.map(\.frame)
    for (citation, whom) in wanted[frame] ?? [] {
      var made = self.frame(raw, name, whom)
      // Of several reports of one frame that of whom the event is about.
      if found[citation] != nil, !made.isOf(whom) { continue }
      made.parts = Set(parts).sorted().compactMap { number in
        recent.last { $0.record.frame == number }.map { made.part(Self.bare($0, name)) }
      }
      found[citation] = made
    }
  }

  private static func bare(_ raw: Raw, _ name: String) -> EvidenceFrame {
    let record = raw.record
    return EvidenceFrame(
      capture: name, frame: record.frame, time: record.time, rssi: nil, address: .none,
      bytes: raw.bytes, dataRange: nil, measuredPower: nil, link: record.link, tag: record.tag,
      direction: record.direction, originalCount: Int(record.originalCount))
  }

  private func frame(_ raw: Raw, _ name: String, _ wanted: Wanted) -> EvidenceFrame {
    let isAny = wanted.kind == nil
    let sightings = beacons.sightings.array.filter { $0.frame == raw.record.frame }
    let ofWanted = sightings.filter { isAny || $0.address == wanted.address }
    let sighting =
      ofWanted.first { isOf(wanted, beacons.identities[$0.identity]) }
      // What a device sends says more than that it is the device.
      ?? ofWanted.first { $0.kind != .device } ?? ofWanted.first ?? sightings.first
    let reports = decoder.reports.array.filter { $0.frame == raw.record.frame }
    let report =
      reports.first { report in
        sighting.map { $0.index == report.index } ?? (isAny || report.address == wanted.address)
      } ?? reports.first
    var found = Self.bare(raw, name)
    if let report, !report.isJoined {
      let first = Int(report.start) - Int(raw.record.start)
      found.dataRange = first..<(first + Int(report.count))
    }
    found.rssi = report.flatMap { $0.rssi == 127 ? nil : Int($0.rssi) }
    found.address = report?.address ?? wanted.address
    found.measuredPower = sighting.flatMap { ofWanted.isEmpty ? nil : Self.measuredPower($0) }
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
          sent: EddystoneResolved.sent(sighting), timing: EddystoneResolved.timing(sighting))
      }
    } else if report != nil {
      found.content = .advertisement
    }
    return found
  }

  private func isOf(_ wanted: Wanted, _ identity: BeaconIdentity) -> Bool {
    identity.kind == wanted.kind && beacons.identities.bytes(of: identity) == wanted.identity
  }

  /// dBm at 1 m; Eddystone's is that at 0 m (PROTOCOLS.md 5).
  private static func measuredPower(_ sighting: Sighting) -> Int? {
    let format = BeaconFormats.format(sighting.kind)
    guard format.hasPower else { return nil }
    return Int(sighting.power) - (format.powerDistance == 0 ? 41 : 0)
  }
}

extension EvidenceFrame {
  /// Whether it holds what a transmitter sent.
  fileprivate func isOf(_ wanted: EvidenceReading.Wanted) -> Bool {
    guard case .beacon(let sender, _) = content else { return false }
    return sender.address == wanted.address && sender.kind == wanted.kind
      && sender.bytes == wanted.identity
  }
}
