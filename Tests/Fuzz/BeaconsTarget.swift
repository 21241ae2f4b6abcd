import Beacons
import CaptureReader
import Checks
import FrameDecoder
import Twin

/// The bytes are advertising data, heard twice: the second time they come out of the memory of
/// payloads seen lately, and must come to the same.
enum BeaconsTarget {
  static let target = FuzzTarget(name: "beacons", seeds: { Seeds.payloads() }) { bytes in
    let reports = (1...2).map { report(frame: $0, count: bytes.count) }
    var decoder = BeaconDecoder()
    bytes.withRawSpan { decoder.decode(reports, $0, joined: []) }
    let twins = reports.flatMap {
      TwinBeacons.sightings(TwinReport(SeenReport(report: $0, data: bytes)))
    }
    var faults = TwinComparison.differences(
      decoder.sightings.map { TwinSighting($0, decoder.identities) }, from: twins)
    for sighting in decoder.sightings where !BeaconFormats.format(sighting.kind).isTelemetry {
      let identity = decoder.identities.bytes(of: decoder.identities[sighting.identity])
      if !Soundness.contains(bytes, identity) { faults.append("\(identity) is not in the data") }
    }
    return faults
  }

  private static func report(frame: Int, count: Int) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: Timestamp(nanoseconds: Int64(frame)), frame: frame,
      address: DeviceAddress(0xC0FF_EE12_3456, .random), observer: 0, source: .extended)
    report.count = Int32(count)
    return report
  }
}
