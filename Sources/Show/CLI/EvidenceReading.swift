import Analysis
import Beacons
import CaptureReader
import Exports
import FrameDecoder

/// Reads the frames behind an event once more.
enum EvidenceReading {
  /// Those that can be read again: not those of standard input or a pipe.
  /// - Parameter custom: what decoded beacons that no format knows.
  static func frames(
    of event: TimelineEvent, in sources: [CaptureSource], _ result: AnalysisResult,
    keepBadCRC: Bool, custom: (any CustomDecoding)?
  ) -> [EvidenceFrame] {
    let address = event.transmitter.map { result.statistics.transmitter($0).address }
    var frames: [EvidenceFrame] = []
    for (place, source) in sources.enumerated() {
      let wanted = Set(
        event.evidence.filter { $0.source == .capture && $0.file == place }.map(\.number))
      guard !wanted.isEmpty, case .file = source else { continue }
      // What has become unreadable since is named without its bytes.
      frames += (try? read(wanted, source, address, keepBadCRC, custom)) ?? []
    }
    return frames
  }

  private static func read(
    _ wanted: Set<Int>, _ source: CaptureSource, _ address: DeviceAddress?, _ keepBadCRC: Bool,
    _ custom: (any CustomDecoding)?
  ) throws(CaptureProblem) -> [EvidenceFrame] {
    let reader = try CaptureReader.open(source)
    guard !reader.mayWait else { return [] }
    var decoder = FrameDecoder(options: FrameDecoder.Options(keepBadCRC: keepBadCRC))
    var beacons = BeaconDecoder(custom: custom)
    var batch = RecordBatch()
    var found: [EvidenceFrame] = []
    while found.count < wanted.count, try reader.next(into: &batch) {
      reader.withBytes { bytes in
        batch.records.withSpan { decoder.decode($0, bytes) }
        decoder.reports.withSpan { beacons.decode($0, bytes, joined: decoder.joined) }
        for record in batch.records.array where wanted.contains(record.frame) {
          found.append(frame(record, bytes, decoder, beacons, source.name, address))
        }
      }
    }
    return found
  }

  private static func frame(
    _ record: CaptureRecord, _ bytes: RawSpan, _ decoder: borrowing FrameDecoder,
    _ beacons: borrowing BeaconDecoder, _ name: String, _ address: DeviceAddress?
  ) -> EvidenceFrame {
    let start = Int(record.start)
    let range = start..<(start + Int(record.count))
    let reports = decoder.reports.array.filter { $0.frame == record.frame }
    let report = reports.first { address == nil || $0.address == address } ?? reports.first
    let sighting = beacons.sightings.array.first {
      $0.frame == record.frame && (address == nil || $0.address == address)
    }
    var data: Range<Int>?
    if let report, !report.isJoined {
      let first = Int(report.start) - start
      data = first..<(first + Int(report.count))
    }
    return EvidenceFrame(
      capture: name, frame: record.frame, time: record.time,
      rssi: report.flatMap { $0.rssi == 127 ? nil : Int($0.rssi) },
      address: report?.address ?? address ?? .none, bytes: bytes.extracting(range).array(),
      dataRange: data, measuredPower: sighting.flatMap(measuredPower))
  }

  /// dBm at 1 m; Eddystone's is that at 0 m (PROTOCOLS.md 5).
  private static func measuredPower(_ sighting: Sighting) -> Int? {
    let format = BeaconFormats.format(sighting.kind)
    guard format.hasPower else { return nil }
    return Int(sighting.power) - (format.powerDistance == 0 ? 41 : 0)
  }
}
