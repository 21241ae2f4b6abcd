import CaptureReader
import CaptureWriter
import FrameEncoder

/// The recordings that a test's sightings make, one or several for each run of the program: btsnoop of
/// one host controller, as a phone writes it.
enum TestCapture {
  /// Of one radio.
  static let observer = "test"
  /// As output cites the first one of a run, and further ones.
  static func name(_ place: Int) -> String {
    place == 0 ? "test.btsnoop" : "test \(place + 1).btsnoop"
  }
  /// When every test begins: 2026-01-01T00:00:00Z.
  static let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

  /// What happens, by time; at one moment in the order in which it is written. Microseconds from the
  /// test's beginning.
  private typealias Moment = (time: Int64, event: TestSighting.Event)

  /// What stands in one capture.
  private struct Recording {
    /// It begins here, whatever is heard then: timers count from here.
    var start: Int64
    var moments: [Moment] = []
    /// Nil: with the last of what is heard.
    var end: Int64?
  }

  /// By run of the program, then capture.
  static func recordings(_ sightings: [TestSighting]) -> [[[UInt8]]] {
    runs(inOrder(sightings)).map { $0.map(bytes) }
  }

  /// While the program is away, or nothing is recorded, nobody hears anything.
  private static func runs(_ moments: [Moment]) -> [[Recording]] {
    var runs: [[Recording]] = []
    var ended: [Recording] = []
    var open: Recording? = Recording(start: 0)
    func close(at time: Int64) {
      open?.end = time
      if let open { ended.append(open) }
      open = nil
    }
    var start: Int64 = 0
    for moment in moments where moment.time >= start {
      switch moment.event {
      case .restart(let seconds):
        close(at: moment.time)
        runs.append(ended)
        ended = []
        start = moment.time + Int64((seconds * 1e6).rounded())
        open = Recording(start: start)
      case .recording(true): open = open ?? Recording(start: moment.time)
      case .recording(false): close(at: moment.time)
      default: open?.moments.append(moment)
      }
    }
    return runs + [ended + (open.map { [$0] } ?? [])]
  }

  private static func bytes(_ run: Recording) -> [UInt8] {
    let link = HCILink.h4
    var writer = BtsnoopWriter(datalink: 1002)
    var output = writer.header
    func write(_ packet: HCIPacket, at time: Int64) {
      var record = Record(start.nanoseconds + time * 1000, [])
      link.begin(packet.kind, in: &record)
      record.data += packet.bytes
      writer.append(record, to: &output)
    }
    if run.moments.first?.time != run.start { write(nothing, at: run.start) }
    for (time, event) in run.moments {
      for packet in packets(event) { write(packet, at: time) }
    }
    // The clock goes on until the program is stopped.
    if let end = run.end, end != run.moments.last?.time ?? run.start { write(nothing, at: end) }
    writer.finish(to: &output)
    return output
  }

  /// The controller says its version (Read Local Version Information): nothing that beacons are about.
  private static var nothing: HCIPacket {
    HCI.commandComplete(0x1001, [9, 0, 0, 9, 0, 0, 0, 0])
  }

  private static func inOrder(_ sightings: [TestSighting]) -> [Moment] {
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
    case .restart, .recording: []
    }
  }
}
