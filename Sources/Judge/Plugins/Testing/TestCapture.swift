import CaptureReader
import CaptureWriter
import FrameEncoder

/// The recording that a test's sightings make: btsnoop of one host controller, as a phone writes it.
enum TestCapture {
  /// As output cites it.
  static let name = "test.btsnoop"
  /// When every test begins: 2026-01-01T00:00:00Z.
  static let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

  static func bytes(_ sightings: [TestSighting]) -> [UInt8] {
    let link = HCILink.h4
    var writer = BtsnoopWriter(datalink: 1002)
    var output = writer.header
    let moments = inOrder(sightings)
    func write(_ packet: HCIPacket, at time: Int64) {
      var record = Record(start.nanoseconds + time * 1000, [])
      link.begin(packet.kind, in: &record)
      record.data += packet.bytes
      writer.append(record, to: &output)
    }
    // Timers count from the first record: it stands at the test's beginning, whatever is heard then.
    if moments.first?.0 != 0 { write(beginning, at: 0) }
    for (time, event) in moments {
      for packet in packets(event) { write(packet, at: time) }
    }
    writer.finish(to: &output)
    return output
  }

  /// The controller says its version (Read Local Version Information): nothing that beacons are about.
  private static var beginning: HCIPacket {
    HCI.commandComplete(0x1001, [9, 0, 0, 9, 0, 0, 0, 0])
  }

  /// By time; at one moment in the order in which they are written.
  private static func inOrder(_ sightings: [TestSighting]) -> [(Int64, TestSighting.Event)] {
    var moments: [(time: Int64, place: Int)] = []
    for (place, sighting) in sightings.enumerated() {
      moments += sighting.times.map { ($0, place) }
    }
    moments.sort { ($0.time, $0.place) < ($1.time, $1.place) }
    return moments.map { ($0.time, sightings[$0.place].event) }
  }

  private static func packets(_ event: TestSighting.Event) -> [HCIPacket] {
    switch event {
    case .report(let report): [HCI.advertisingReport(report)]
    // A command and its Command Complete.
    case .scan(let isOn): [HCI.setScanEnable(isOn), HCI.commandComplete(0x200C)]
    }
  }
}
