import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// `devices --each`: under which private address a device perhaps went on.
@Suite("private addresses that follow one another", .timeLimit(.minutes(60)))
struct AddressSuccessionTests {
  /// 10:00 UTC.
  private static let start: Int64 = 1_779_184_800
  private static let nearby: [UInt8] = Payload.appleNearbyInfo([0x1B, 0x18, 1, 2, 3])
  private static let fastPair: [UInt8] = Payload.fastPair(model: [1, 2, 3])

  /// Of one address: when it is heard each second, how strongly, and what it sends.
  private struct Stay {
    let address: UInt64
    let seconds: Range<Int64>
    var rssi: Int8 = -60
    var data = AddressSuccessionTests.nearby
    var isRandom = true
  }

  private static let first: UInt64 = 0x4A00_0000_0001
  private static let second: UInt64 = 0x4A00_0000_0002
  private static let third: UInt64 = 0x4A00_0000_0003

  /// By address the one that is told to be perhaps the next.
  private static func told(_ stays: [Stay]) throws -> [String: String] {
    let scratch = try Scratch()
    let heard = stays.flatMap { stay in stay.seconds.map { (second: $0, stay: stay) } }
      .sorted { $0.second < $1.second }
    let records = heard.map { second, stay in
      let packet = HCI.advertisingReport(
        HCI.LegacyReport(
          Address(stay.address, isRandom: stay.isRandom), stay.data, rssi: stay.rssi))
      return Record((start + second) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    try scratch.write("a.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
    let run = try Tool.run("devices", "--each", "--format", "json", "a.btsnoop", in: scratch.folder)
    var told: [String: String] = [:]
    for row in try JSON(run.output)["advertisers"]?.list ?? [] {
      guard let address = row["address"]?.text, let next = row["perhaps_next"]?.text else {
        continue
      }
      told[String(address.suffix(2))] = String(next.suffix(2))
    }
    return told
  }

  @Test func whoBeginsWhereAnotherEndsIsPerhapsTheSame() throws {
    let told = try Self.told([
      Stay(address: Self.first, seconds: 0..<100), Stay(address: Self.second, seconds: 101..<200),
      Stay(address: Self.third, seconds: 204..<300),
    ])
    #expect(told == ["01": "02", "02": "03"])
  }

  @Test func nothingIsToldWhereItMayBeAnother() throws {
    let one = Stay(address: Self.first, seconds: 0..<100)
    // Two begin; two ended; too late; while it is still there; much weaker; something else; for good.
    let cases: [[Stay]] = [
      [
        one, Stay(address: Self.second, seconds: 101..<200),
        Stay(address: Self.third, seconds: 103..<200),
      ],
      [
        one, Stay(address: Self.second, seconds: 0..<99),
        Stay(address: Self.third, seconds: 101..<200),
      ],
      // Who was heard four times ended then, too.
      [
        one, Stay(address: Self.second, seconds: 96..<100),
        Stay(address: Self.third, seconds: 101..<200),
      ],
      // A crowd.
      [one] + (0..<70).map { Stay(address: Self.second + $0, seconds: 101..<105) },
      [one, Stay(address: Self.second, seconds: 140..<200)],
      [one, Stay(address: Self.second, seconds: 50..<200)],
      [one, Stay(address: Self.second, seconds: 101..<200, rssi: -75)],
      [one, Stay(address: Self.second, seconds: 101..<200, data: Self.fastPair)],
      [one, Stay(address: 0xC400_0000_0002, seconds: 101..<200)],
      [one, Stay(address: Self.second, seconds: 101..<200, isRandom: false)],
      // Who says nothing is like everybody.
      [
        Stay(address: Self.first, seconds: 0..<100, data: Payload.flags()),
        Stay(address: Self.second, seconds: 101..<200, data: Payload.flags()),
      ],
    ]
    for (number, stays) in cases.enumerated() {
      #expect(try Self.told(stays) == [:], "case \(number)")
    }
  }

  @Test func timesAtTheEndsOfTimeAreTaken() throws {
    let scratch = try Scratch()
    let times = [Int64.min + 1, -1, 0, 1, Int64.max - 1].map { $0 / 1000 * 1000 }
    let records = times.map { time in
      let packet = HCI.advertisingReport(
        HCI.LegacyReport(Address(Self.first, isRandom: true), Self.nearby, rssi: -60))
      return Record(time, packet.h4, tag: packet.btsnoopFlags)
    }
    try scratch.write("a.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
    let run = try Tool.run("devices", "--each", "a.btsnoop", in: scratch.folder)
    #expect(run.status == 0 && run.output.contains("4a:00:00:00:00:01"), "\(run.errors)")
  }

  @Test func theListSaysItUnderBoth() throws {
    let scratch = try Scratch()
    let made = try Tool.run(
      "synth", "--scenario", "visitors", "--out", "v.pcapng", "--keys", "keys", in: scratch.folder)
    #expect(made.status == 0)
    let run = try Tool.run("devices", "--each", "--all", "v.pcapng", in: scratch.folder)
    // The tag, whose key says the same.
    #expect(run.output.contains("  perhaps then 61:d8:0b:ed:cb:eb\n"), "\(run.output)")
    #expect(run.output.contains("  perhaps 63:5a:0c:9e:7b:d5 before\n"))
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    let flat = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(flat.contains("NAME=ADDRESS,ADDRESS. That is likely, and no proof."))
  }
}
