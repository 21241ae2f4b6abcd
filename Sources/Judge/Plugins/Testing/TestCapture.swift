import CaptureReader
import CaptureWriter
import FrameEncoder

/// The recordings that a test's sightings make, one or several for each run of the program and each
/// radio: btsnoop of a host controller, as a phone writes it.
enum TestCapture {
  /// The radio of what names none.
  static let observer = "test"

  /// A capture of a run.
  struct Made: Sendable {
    let observer: String
    /// As output cites it.
    let name: String
    let bytes: [UInt8]
  }

  /// When every test begins: 2026-01-01T00:00:00Z.
  static let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

  /// What happens, by time; at one moment in the order in which it is written. Microseconds from the
  /// test's beginning.
  private typealias Moment = (time: Int64, event: TestSighting.Event, observer: String?)

  /// What stands in one capture.
  private struct Recording {
    /// It begins here, whatever is heard then: timers count from here.
    var start: Int64
    var moments: [Moment] = []
    /// Nil: with the last of what is heard.
    var end: Int64?
  }

  /// By run of the program, then capture: those of a radio one behind the other.
  static func recordings(_ sightings: [TestSighting]) -> [[Made]] {
    let observers = observers(sightings)
    let moments = inOrder(sightings)
    let last = moments.last?.time
    var runs: [[Made]] = []
    for observer in observers {
      let own = moments.filter { $0.observer == nil || $0.observer == observer }
      for (run, recordings) in self.runs(own).enumerated() {
        if run == runs.count { runs.append([]) }
        runs[run] += recordings.enumerated().map { place, recording in
          var recording = recording
          // Radios hear nothing in the end, and listen all the same.
          if observers.count > 1 { recording.end = recording.end ?? last }
          return Made(
            observer: observer,
            name: place == 0 ? "\(observer).btsnoop" : "\(observer) \(place + 1).btsnoop",
            bytes: bytes(recording))
        }
      }
    }
    return runs
  }

  /// In the order in which they are written first.
  private static func observers(_ sightings: [TestSighting]) -> [String] {
    var observers: [String] = []
    for sighting in sightings where !sighting.isRestart {
      let name = sighting.observer ?? observer
      if !observers.contains(name) { observers.append(name) }
    }
    return observers.isEmpty ? [observer] : observers
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
    var told = TestScan.Parameters()
    for (time, event, _) in run.moments {
      for packet in packets(event, &told) { write(packet, at: time) }
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
    return moments.map { moment in
      let sighting = sightings[moment.place]
      let observer = sighting.isRestart ? nil : sighting.observer ?? observer
      return (moment.time, sighting.event(at: moment.time), observer)
    }
  }

  /// - Parameter told: what the controller was told: it goes on with that until it is told otherwise.
  private static func packets(
    _ event: TestSighting.Event, _ told: inout TestScan.Parameters
  ) -> [HCIPacket] {
    switch event {
    case .report(let report): [HCI.advertisingReport(report)]
    case .scan(let scan): packets(scan, &told)
    case .restart, .recording: []
    }
  }

  /// Commands, each with its Command Complete.
  private static func packets(
    _ scan: TestScan, _ told: inout TestScan.Parameters
  ) -> [HCIPacket] {
    let enable = [
      HCI.setScanEnable(scan.isOn, filterDuplicates: scan.filtersDuplicates),
      HCI.commandComplete(0x200C),
    ]
    guard scan.isOn, scan.parameters != told else { return enable }
    told = scan.parameters
    return [
      HCI.setScanParameters(
        active: false, interval: told.interval, window: told.window,
        listedOnly: told.hearsListedOnly),
      HCI.commandComplete(0x200B),
    ] + enable
  }
}
