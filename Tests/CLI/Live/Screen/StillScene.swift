import CaptureWriter
import FrameEncoder
import Foundation
import TestSupport

/// Beacons that were all heard in one moment, and something an hour later: replayed slowly, nothing moves on
/// the screen but the milliseconds since.
struct StillScene {
  static let uuid = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let bytes = stride(from: 0, to: 32, by: 2).map { at in
      UInt8(String(Array(Self.uuid.filter { $0 != "-" })[at...(at + 1)]), radix: 16) ?? 0
    }
    let records =
      [Int8(-45), -70, -93].enumerated().map { place, rssi in
        Self.record(
          Payload.iBeacon(uuid: bytes, major: 1, minor: UInt16(place + 1), power: -59), rssi)
      } + [
        Self.record(
          Payload.eddystoneUID(namespace: [UInt8](1...10), instance: [UInt8](1...6), power: -20),
          127),
        Self.record(
          Payload.eddystoneUID(namespace: [UInt8](1...10), instance: [UInt8](1...6), power: -20),
          -60,
          after: 3600),
      ]
    try scratch.write("still.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
  }

  private static func record(_ data: [UInt8], _ rssi: Int8, after seconds: Int64 = 0) -> Record {
    let packet = HCI.advertisingReport(
      HCI.LegacyReport(Address(0xC235_3330_2550, isRandom: true), data, rssi: rssi))
    return Record(
      (1_779_184_800 + seconds) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
  }

  /// - Parameters:
  ///   - regions: names, of the beacons 1:1, 1:2 and so on; what there is no beacon for was not seen.
  ///   - more: options.
  func words(regions: [String], _ more: [String] = [], speed: String = "0.001") -> [String] {
    [Tool.path, "replay", "--screen", "--speed", speed] + more
      + regions.enumerated().flatMap { place, name in
        ["--region", "\(name)=ibeacon:\(Self.uuid):1:\(place + 1)"]
      } + ["still.btsnoop"]
  }

  func run(
    columns: Int = 80, rows: Int = 24, regions: [String] = ["hall", "yard", "Café", "cellar"],
    _ more: [String] = [], speed: String = "0.001", environment: [String: String] = [:]
  ) throws -> TerminalRun {
    try TerminalRun(
      words(regions: regions, more, speed: speed), columns: columns, rows: rows,
      environment: environment,
      in: scratch)
  }
}

extension TerminalModel {
  /// The rows of a page that stands still, without the milliseconds.
  var still: [String] { lines.map { $0.replacing(/\ for \d+ (ms|s)/, with: " for 0 ms") } }

  /// A page of the screen that is whole, as large as it is.
  func shows(_ page: String) -> Bool {
    isOnPage && !showsCursor && !wraps && faults.isEmpty
      && still == page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
