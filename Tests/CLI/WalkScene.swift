import CaptureWriter
import FrameEncoder
import Foundation
import TestSupport

/// A walk by hand: a phone that goes north at 5 m/s, past a beacon that it hears twice, and through a
/// circle. Everything is in files of a scratch folder.
///
/// Seconds count from 2026-05-19T10:00:00Z. The beacon is heard each second from 0 to 20 and from 100
/// to 110, another one all the time until 200. The track has a fix every 10 s from 0 to 200; the circle
/// has a radius of 115 m around the place of second 100, so that its boundary is crossed at 77 and 123.
struct WalkScene {
  static let uuid = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
  static let circle = "yard=circle:\(latitude(100)),13.4,115"
  static let beacon = "door=ibeacon:\(uuid):1:1"

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("walk.btsnoop", Self.capture())
    try scratch.write("walk.gpx", Array(Self.gpx.utf8))
    try scratch.write("walk.nmea", Array(Self.nmea.utf8))
    try scratch.write(
      "messages.ndjson",
      Array(
        """
        {"beacon": "ibeacon:\(Self.uuid):1:1", "namespace": "shop", "type": "offer", "content": "tea"}
        {"beacon": "ibeacon:\(Self.uuid):1:9", "namespace": "shop", "type": "offer", "content": "no"}

        """.utf8))
    try scratch.write("markers.csv", Array("time,kind\n2026-05-19T10:01:45Z,display_on\n".utf8))
  }

  /// Events of a run: second, type and what follows.
  func events(_ options: [String]) throws -> [String] {
    let run = try Tool.run(
      ["events", "--format", "ndjson"] + options + ["walk.btsnoop"], in: scratch.folder)
    guard run.status == 0 else { return ["\(run.status): \(run.errors)"] }
    return try run.lines.map { try Self.told(JSON($0)) }.filter { !$0.contains("proximity") }
  }

  /// `102.0 enter yard, crossed 80.0, walk.gpx 12`.
  private static func told(_ event: JSON) throws -> String {
    var parts = [
      "\(seconds(event["time"])) \(event["type"]?.text ?? "") "
        + (event["region"]?.text ?? event["message"]?["content"]?.text ?? "-")
    ]
    if event["type"]?.text == "state" { parts[0] += " \(event["state"]?.text ?? "")" }
    if event["crossed_at"] != nil { parts.append("crossed \(seconds(event["crossed_at"]))") }
    if event["last_seen"] != nil { parts.append("last seen \(seconds(event["last_seen"]))") }
    if let cause = event["cause"]?.text { parts.append(cause) }
    for item in event["evidence"]?.list ?? [] {
      let file = item["track"]?.text ?? item["capture"]?.text ?? ""
      parts.append("\(file) \(item["line"]?.int ?? item["frame"]?.int ?? 0)")
    }
    return parts.joined(separator: ", ")
  }

  /// Of `2026-05-19T10:01:42.000000000Z`, to a tenth.
  private static func seconds(_ time: JSON?) -> String {
    guard let text = time?.text, text.count == 30,
      let minutes = Double(text.dropFirst(14).prefix(2)),
      let seconds = Double(text.dropFirst(17).prefix(12))
    else { return "never" }
    return String(((minutes * 60 + seconds) * 10).rounded() / 10)
  }

  // MARK: Files

  private static let start: Int64 = 1_779_184_800
  /// 5 m/s on a sphere of 6371 km.
  private static func latitude(_ second: Int) -> String {
    String(52.5 + Double(second) * 5 / 111_195)
  }

  /// - Parameter delay: so many seconds later.
  static func capture(later delay: Int64 = 0) -> [UInt8] {
    var records: [Record] = []
    let identity = stride(from: 0, to: 32, by: 2).map { at in
      let digits = Array(uuid.filter { $0 != "-" })
      return UInt8(String(digits[at...(at + 1)]), radix: 16) ?? 0
    }
    for second in 0...200 {
      if second <= 20 || (100...110).contains(second) {
        hear(
          Payload.iBeacon(uuid: identity, major: 1, minor: 1, power: -59), 0xC235_3330_2550, second,
          0, &records)
      }
      hear(
        Payload.eddystoneUID(namespace: [UInt8](1...10), instance: [UInt8](1...6), power: -20),
        0xC235_3330_2551, second, 500, &records)
    }
    for index in records.indices { records[index].nanoseconds += delay * 1_000_000_000 }
    return BtsnoopWriter(datalink: 1002).file(records)
  }

  private static func hear(
    _ data: [UInt8], _ address: UInt64, _ second: Int, _ milliseconds: Int64,
    _ records: inout [Record]
  ) {
    let packet = HCI.advertisingReport(
      HCI.LegacyReport(Address(address, isRandom: true), data, rssi: -60))
    records.append(
      Record(
        ((start + Int64(second)) * 1000 + milliseconds) * 1_000_000, packet.h4,
        tag: packet.btsnoopFlags))
  }

  private static var gpx: String {
    let points = stride(from: 0, through: 200, by: 10).map { second in
      "<trkpt lat=\"\(latitude(second))\" lon=\"13.4\"><time>2026-05-19T10:0\(second / 60):"
        + "\(two(second % 60))Z</time></trkpt>\n"
    }
    return "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
      + points.joined() + "</trkseg></trk></gpx>\n"
  }

  private static var nmea: String {
    stride(from: 0, through: 200, by: 10).map { second in
      let minutes = (Double(latitude(second)) ?? 0) * 60 - 52 * 60
      let text =
        "GPRMC,100\(second / 60)\(two(second % 60)).00,A,52\(padded(minutes)),N,01324.00000,E,9.7,0.0,"
        + "190526,,"
      let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return "$\(text)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
    }.joined()
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Minutes with five decimals.
  private static func padded(_ minutes: Double) -> String {
    let whole = Int(minutes)
    let parts = Int(((minutes - Double(whole)) * 100_000).rounded())
    return "\(two(whole)).\(String(repeating: "0", count: 5 - "\(parts)".count))\(parts)"
  }
}
