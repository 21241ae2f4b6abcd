package import Beacons
package import CaptureReader
package import FrameDecoder

/// A report with its data, kept beyond the batch it came in.
package struct SeenReport {
  package let report: AdvertisingReport
  package let data: [UInt8]

  package init(report: AdvertisingReport, data: [UInt8]) {
    self.report = report
    self.data = data
  }
}

/// What the decoders make of packets, each decoded by itself.
package final class Decoding {
  package var decoder: FrameDecoder
  package var beacons: BeaconDecoder
  package private(set) var reports: [SeenReport] = []
  package private(set) var fixes: [PositionFix] = []
  package private(set) var sightings: [Sighting] = []
  package private(set) var notes: [ObserverNote] = []
  package private(set) var frames = 0

  package init(
    _ options: FrameDecoder.Options = FrameDecoder.Options(), custom: (any CustomDecoding)? = nil
  ) {
    decoder = FrameDecoder(options: options)
    beacons = BeaconDecoder(custom: custom)
  }

  /// One record of a link type; `time` in nanoseconds.
  package func feed(
    _ bytes: [UInt8], link: LinkType, time: Int64 = 1_700_000_000_000_000_000
  ) {
    frames += 1
    let record = CaptureRecord(
      time: Timestamp(nanoseconds: time), frame: frames, start: 0, count: bytes.count,
      originalCount: UInt32(bytes.count), link: link)
    feed([record], bytes)
  }

  package func feed(_ records: [CaptureRecord], _ bytes: [UInt8]) {
    bytes.withRawSpan { feed(records.span, $0) }
  }

  package func feed(_ records: Span<CaptureRecord>, _ bytes: RawSpan) {
    decoder.decode(records, bytes)
    take(bytes)
  }

  /// The end of the capture.
  package func finish() {
    decoder.finish()
    [UInt8]().withRawSpan { take($0) }
  }

  private func take(_ bytes: RawSpan) {
    for report in decoder.reports.array {
      let range = Int(report.start)..<(Int(report.start) + Int(report.count))
      let data = report.isJoined ? Array(decoder.joined[range]) : bytes.extracting(range).array()
      reports.append(SeenReport(report: report, data: data))
    }
    fixes += decoder.fixes
    notes += decoder.notes
    decoder.reports.withSpan { beacons.decode($0, bytes, joined: decoder.joined) }
    sightings += beacons.sightings.array
  }

  /// Codes of all warnings about frames.
  package var warnings: Set<String> {
    Set(
      decoder.tally.warnings.indices.filter { decoder.tally.warnings[$0].count > 0 }
        .map { "\(FrameWarnings.names[$0])" })
  }

  /// Codes of all reasons why a frame gave nothing.
  package var reasons: Set<String> {
    var found: Set<String> = []
    for counts in decoder.tally.reasons {
      for (index, count) in counts.enumerated() where count.count > 0 {
        found.insert("\(FrameReason.names[index])")
      }
    }
    return found
  }

  package func count(_ kind: RecordClass) -> Int { decoder.tally.count(kind) }
}
