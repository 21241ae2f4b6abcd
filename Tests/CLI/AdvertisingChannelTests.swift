import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// What air sniffers heard on the three channels on which advertising events begin.
@Suite("Advertising channels of air sniffers", .timeLimit(.minutes(60)))
struct AdvertisingChannelTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Ten beacons, each 10 dB weaker from one channel to the next.
  /// - Parameters:
  ///   - channels: that the sniffer hears.
  ///   - doubled: nanoseconds behind each packet it stands there once more.
  ///   - inTurn: it hears one after the other, for an event each.
  ///   - weaker: by so many dB on all of them.
  private func record(
    _ name: String, _ channels: [UInt8], day: Int64 = 0, doubled: Int64? = nil,
    inTurn: Bool = false, weaker: Int8 = 0
  ) throws {
    var records: [Record] = []
    for event in Int64(0)..<600 {
      let turn = channels[Int(event) % channels.count]
      for minor in UInt16(1)...10 {
        for channel in channels where !inTurn || channel == turn {
          let step = Int64(channel) - 37
          let packet = Air.packet(
            Air.legacy(Address(0xC000_0000_0000 + UInt64(minor)), WordingTests.iBeacon(minor)))
          let bytes = AirLink.withHeader(
            AirLink.Header(channel: channel, rssi: -50 - weaker - Int8(step) * 10), packet)
          let time =
            WordingTests.start + day * 86_400_000_000_000 + event * 503_000_000
            + Int64(minor) * 20_000_000 + step * 450_000
          records.append(Record(time, bytes))
          if let doubled { records.append(Record(time + doubled, bytes)) }
        }
      }
    }
    try scratch.write(name, PcapWriter(linkType: 256).file(records))
  }

  private func json(_ words: String...) throws -> JSON {
    let run = try Tool.run(words + ["-q", "--format", "json"], in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    return try JSON(run.output)
  }

  private static func codes(_ json: JSON) -> [String] {
    json["remarks"]?.list?.compactMap { $0["code"]?.text } ?? []
  }

  @Test("who heard other channels than before tells of no signals, and is not hard of hearing")
  func otherChannels() throws {
    try record("before.pcap", [37, 38, 39])
    try record("after.pcap", [37], day: 1)
    let json = try json("compare", "before.pcap", "after.pcap")
    #expect(json["before"]?["channels"]?.list?.compactMap(\.int) == [37, 38, 39])
    #expect(json["after"]?["channels"]?.list?.compactMap(\.int) == [37])
    let codes = Self.codes(json)
    #expect(codes.contains("other_channels"))
    #expect(!codes.contains("heard_less") && !codes.contains("radio_moved"), "\(codes)")
    #expect(json["changed"]?.list?.isEmpty == true)
    let told = try Tool.run("compare", "before.pcap", "after.pcap", in: scratch.folder).output
      .split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      told.contains(
        "The radio heard advertising channels 37, 38 and 39 in BEFORE, advertising channel 37 in AFTER: each is"
      ),
      "\(told)")
  }

  @Test("on the same channels signals are compared") func sameChannels() throws {
    try record("before.pcap", [37])
    try record("after.pcap", [37], day: 1, weaker: 10)
    let json = try json("compare", "before.pcap", "after.pcap")
    #expect(!Self.codes(json).contains("other_channels"))
    #expect(Self.codes(json).contains("radio_moved"))
    try record("other.pcap", [39], day: 2)
    let moved = try self.json("compare", "before.pcap", "other.pcap")
    #expect(Self.codes(moved).contains("other_channels"))
  }

  @Test("where several channels are heard an event counts as often") func packets() throws {
    try record("site.pcap", [37, 38, 39])
    let told = try json("analyze", "site.pcap")["remarks"]?.list?.first {
      $0["code"]?.text == "packets_counted"
    }
    let text = try #require(told?["text"]?.text)
    #expect(text.contains("site heard advertising channels 37, 38 and 39"), "\(text)")
    #expect(text.contains("18 000 sightings there, of about 6 000 events"), "\(text)")
    try record("one.pcap", [38])
    #expect(try !Self.codes(json("analyze", "one.pcap")).contains("packets_counted"))
    try record("turns.pcap", [37, 38, 39], inTurn: true)
    #expect(try !Self.codes(json("analyze", "turns.pcap")).contains("packets_counted"))
  }

  @Test("packets that stand there twice are told") func doubled() throws {
    try record("site.pcap", [37, 38, 39], doubled: 20_000)
    let told = try json("analyze", "site.pcap")["remarks"]?.list?.first {
      $0["code"]?.text == "packets_doubled"
    }
    let text = try #require(told?["text"]?.text)
    #expect(text.contains("18 000 of 36 000 packets of site are the one before"), "\(text)")
    try record("once.pcap", [37, 38, 39])
    #expect(try !Self.codes(json("analyze", "once.pcap")).contains("packets_doubled"))
  }
}
