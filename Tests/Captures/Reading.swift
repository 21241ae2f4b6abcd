import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import TestSupport

/// A capture run through the stages, and counted.
struct Reading {
  let container: String
  let compression: String
  let sha256: String
  let linkTypes: String
  let records: Int
  let reports: Int
  let gaps: Int
  private(set) var identities = 0
  private(set) var sightings: [String: Int] = [:]
  private(set) var labels: [String: Int] = [:]
  private(set) var seen: [Seen] = []
  private(set) var fixes: [Fix] = []
  /// Warnings of the container, reasons and warnings of frames and payloads, by code.
  private(set) var codes: [String: Int] = [:]
  /// Of all observers, in milliseconds.
  private(set) var listening = 0

  init(path: String) throws {
    let reader = try CaptureReader.open(.file(path))
    var batch = RecordBatch()
    var decoder = CaptureDecoder()
    var links: Set<Int> = []
    var numbers: Set<UInt32> = []
    var counts: [String: Int] = [:]
    var sightingsSeen: [Seen] = []
    var positions: [PositionFix] = []
    func count(_ found: [Sighting]) {
      for sighting in found {
        let format = BeaconFormats.format(sighting.kind)
        counts["\(format.name)", default: 0] += 1
        sightingsSeen.append(Seen(sighting, kind: "\(format.name)"))
        if !format.isTelemetry { numbers.insert(sighting.identity) }
      }
    }
    while try reader.next(into: &batch) {
      reader.withBytes { bytes in
        batch.records.withSpan { decoder.decode($0, bytes) }
      }
      count(decoder.beacons.sightings.array)
      positions += reader.log.fixes + decoder.frames.fixes
      links.formUnion(batch.records.array.compactMap(\.link.number))
    }
    reader.withBytes { decoder.finish(at: .none, $0) }
    count(decoder.beacons.sightings.array)

    container = reader.format
    compression = reader.compression.map { "\($0)" } ?? "-"
    sha256 = (reader.sha256 ?? []).hex
    linkTypes = links.isEmpty ? "-" : links.sorted().map(String.init).joined(separator: ",")
    records = decoder.frames.tally.records
    reports = decoder.frames.tally.reports
    gaps = reader.log.gaps.count
    identities = numbers.count
    seen = sightingsSeen
    fixes = positions.map {
      Fix(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude ?? 0)
    }
    sightings = counts
    let scanned = decoder.frames.observers.reduce(0) { $0 + $1.scan.listening }
    listening = Int((scanned + Scene.millisecond / 2) / Scene.millisecond)
    for (code, note) in reader.log.notes { codes[code.rawValue, default: 0] += note.count }
    for kind in decoder.frames.tally.reasons { add(FrameReason.names, kind) }
    add(FrameWarnings.names, decoder.frames.tally.warnings)
    add(BeaconWarnings.names, decoder.beacons.tally.warnings)
    add(FrameWarnings.names, decoder.beacons.tally.frameWarnings)
    add(BeaconReason.names, decoder.beacons.tally.reasons)
    for (name, number) in zip(AdvertiserLabels.names, decoder.beacons.tally.labels) {
      labels["\(name)"] = number
    }
  }

  private mutating func add(_ names: [StaticString], _ counts: [FrameTally.Count]) {
    for (name, count) in zip(names, counts) where count.count > 0 {
      codes["\(name)", default: 0] += count.count
    }
  }
}

extension Seen {
  init(_ sighting: Sighting, kind: String) {
    self.init(
      milliseconds: sighting.time.isKnown ? sighting.time.nanoseconds / Scene.millisecond : nil,
      kind: kind, address: sighting.address.address, isRandom: sighting.address.kind == .random,
      rssi: sighting.rssi == 127 ? nil : sighting.rssi)
  }
}
