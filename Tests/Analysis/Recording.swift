import Testing
import Regions
import Analysis
import Beacons
import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport

/// A capture written for a test: advertisements at times in milliseconds.
struct Recording {
  static let start: Int64 = 1_779_184_800_000
  static let uuid = [UInt8](0..<16)

  let name: String
  private var records: [Record] = []

  init(_ name: String) { self.name = name }

  mutating func hear(
    _ data: [UInt8], from address: Address, at milliseconds: Int64, rssi: Int8 = -60
  ) {
    let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: rssi))
    records.append(
      Record((Self.start + milliseconds) * 1_000_000, packet.h4, tag: packet.btsnoopFlags))
  }

  /// A record of something else.
  mutating func other(at milliseconds: Int64) {
    let packet = HCI.commandComplete(0x1009, [0])
    records.append(
      Record((Self.start + milliseconds) * 1_000_000, packet.h4, tag: packet.btsnoopFlags))
  }

  /// A scan that begins, with an interval and a window in milliseconds.
  mutating func scan(
    filtersDuplicates: Bool, interval: Int, window: Int, listedOnly: Bool = false,
    at milliseconds: Int64
  ) {
    let time = (Self.start + milliseconds) * 1_000_000
    for packet in [
      HCI.setScanParameters(
        active: false, interval: UInt16(interval * 8 / 5), window: UInt16(window * 8 / 5),
        listedOnly: listedOnly),
      HCI.commandComplete(0x200B, [0]),
    ] {
      records.append(Record(time, packet.h4, tag: packet.btsnoopFlags))
    }
    scan(filtersDuplicates: filtersDuplicates, at: milliseconds)
  }

  /// A scan that begins.
  mutating func scan(filtersDuplicates: Bool, isOn: Bool = true, at milliseconds: Int64) {
    let time = (Self.start + milliseconds) * 1_000_000
    for packet in [
      HCI.setScanEnable(isOn, filterDuplicates: filtersDuplicates),
      HCI.commandComplete(0x200C, [0]),
    ] {
      records.append(Record(time, packet.h4, tag: packet.btsnoopFlags))
    }
  }

  /// A command of Android's content filter, and what the controller answers; nil: nothing.
  mutating func contentFilter(_ parameters: [UInt8], status: UInt8? = 0, at milliseconds: Int64) {
    let time = (Self.start + milliseconds) * 1_000_000
    let answer = status.map { HCI.commandComplete(0xFD57, status: $0, Array(parameters.prefix(2))) }
    for packet in [
      HCIPacket(.command, [0x57, 0xFD, UInt8(parameters.count)] + parameters), answer,
    ].compactMap(\.self) {
      records.append(Record(time, packet.h4, tag: packet.btsnoopFlags))
    }
  }

  /// An extended scan that goes on for 10 s of each 30.72 s, its windows without a break.
  /// - Parameter tellsWindows: whether the command that sets them is in the capture.
  mutating func scanInParts(at milliseconds: Int64, tellsWindows: Bool = true) {
    let time = (Self.start + milliseconds) * 1_000_000
    let enable = HCIPacket(.command, [0x42, 0x20, 6, 1, 0, 0xE8, 0x03, 24, 0])
    let windows = [
      HCI.setExtendedScanParameters(active: false, interval: 16, window: 16),
      HCI.commandComplete(0x2041, [0]),
    ]
    for packet in (tellsWindows ? windows : []) + [enable, HCI.commandComplete(0x2042, [0])] {
      records.append(Record(time, packet.h4, tag: packet.btsnoopFlags))
    }
  }

  var source: CaptureSource {
    .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  static func iBeacon(_ minor: UInt16, power: Int8 = -59) -> [UInt8] {
    Payload.iBeacon(uuid: uuid, major: 1, minor: minor, power: power)
  }

  static func telemetry(millivolts: UInt16, count: UInt32 = 1) -> [UInt8] {
    Payload.eddystoneTLM(
      millivolts: millivolts, temperature: -384, count: count, uptime: 36_000)
  }

  static let eddystone = Payload.eddystoneUID(
    namespace: [UInt8](1...10), instance: [UInt8](1...6), power: -20)
}

/// Writes down what an analysis hands on.
struct Notes: FindingSink {
  var runs: [(capture: String, frames: [Int])] = []
  var pauses = 0

  var order: [String] { runs.flatMap { run in run.frames.map { "\(run.capture)\($0)" } } }

  mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    runs.append((capture.name, sightings.indices.map { sightings[$0].frame }))
  }

  mutating func pause() { pauses += 1 }
}

extension Analysis {
  static func result(_ recordings: Recording...) throws -> AnalysisResult {
    var sink = NoSink()
    var analysis = Analysis(recordings.map(\.source))
    return try analysis.run(into: &sink)
  }
}

extension ComparedSide {
  /// As `compare` reads a side.
  init(_ recordings: [Recording], _ options: Analysis.Options = Analysis.Options()) throws {
    var options = options
    options.comparesBeacons = true
    var analysis = Analysis(recordings.map(\.source), options: options)
    var sink = NoSink()
    self.init(try analysis.run(into: &sink))
  }
}

extension Recording {
  /// What is followed in it.
  /// - Parameters:
  ///   - region: what stands behind the UUID of `iBeacon` in region `x`.
  ///   - exitAfter: seconds.
  func timeline(_ region: String = "", exitAfter: Int64 = 30) throws -> Timeline {
    var options = Analysis.Options()
    var follow = FollowSettings()
    follow.profiles = [
      try Profiles.site.with([ProfileOverride(parsing: "exit_after=\(exitAfter)")])
    ]
    follow.regions = RegionList([
      try Region.parse("x=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f" + region)
    ])
    options.follow = follow
    var analysis = Analysis([source], options: options)
    var sink = NoSink()
    return try #require(try analysis.run(into: &sink).timeline)
  }
}
