import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// What analyze tells of copies that addresses do not tell, of beacons that somebody invents, and of frames that were
/// put in.
@Suite("Remarks on copies and inventions", .timeLimit(.minutes(60))) struct CopyRemarkTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func remarks(_ words: String...) throws -> String {
    let run = try Tool.run(["analyze", "-q"] + words, in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// Each of so many identities so often.
  private func flood(_ identities: Int, each times: Int, behind start: [Record] = []) throws
    -> String
  {
    let records =
      start
      + (0..<(identities * times)).map { place in
        WordingTests.heard(
          WordingTests.iBeacon(UInt16(place % identities)),
          at: WordingTests.start + Int64(place) * 10_000_000)
      }
    try scratch.write("site.pcap", PcapWriter(linkType: 187).file(records))
    return try remarks("site.pcap")
  }

  @Test(
    "a thousand identities that were heard once are invented; nobody invents what is heard again")
  func invented() throws {
    #expect(
      try flood(1000, each: 2).contains(
        "1 000 of 1 000 iBeacon identities were heard no more than 2 times each"))
    #expect(try !flood(999, each: 1).contains("no more than 2 times each"))
    #expect(try !flood(1000, each: 3).contains("no more than 2 times each"))
  }

  @Test("where a controller left out what was repeated, who was told of once was not invented")
  func duplicatesLeftOut() throws {
    for filters in [false, true] {
      let start = [
        HCI.setScanEnable(true, filterDuplicates: filters), HCI.commandComplete(0x200C, [0]),
      ].map { Record(WordingTests.start - 1_000_000_000, $0.h4) }
      let told = try flood(1000, each: 1, behind: start)
      #expect(told.contains("no more than 2 times each") == !filters, "\(told)")
    }
  }

  /// Advertising events of a beacon, as two receivers hear them.
  private static func sent(_ random: inout Seeded) -> [Int64] {
    var time = WordingTests.start + Int64(random.below(300_000_000))
    var sent: [Int64] = []
    while time < WordingTests.start + 240_000_000_000 {
      sent.append(time)
      time += 300_000_000 + Int64(random.below(10_000_000))
    }
    return sent
  }

  private func site(isCopied: Bool) throws -> String {
    var random = Seeded(45)
    var heard: [[Record]] = [[], []]
    for minor in UInt16(1)...4 {
      let address = Address(0xC4BE_0000_0000 + UInt64(minor))
      let one = Self.sent(&random)
      let other = isCopied && minor == 4 ? Self.sent(&random) : one
      for (place, times) in [one, other].enumerated() {
        heard[place] += times.filter { _ in !random.once(in: 4) }.map {
          WordingTests.heard(WordingTests.iBeacon(minor), from: address, at: $0)
        }
      }
    }
    for (place, name) in ["shop.pcap", "yard.pcap"].enumerated() {
      let records = heard[place].sorted { $0.nanoseconds < $1.nanoseconds }
      try scratch.write(name, PcapWriter(linkType: 187).file(records))
    }
    return try remarks("shop.pcap", "yard.pcap")
  }

  @Test(
    "a copy that has its beacon's address, too, is told where two receivers hear one of them each")
  func addressDoubled() throws {
    let told = try site(isCopied: true)
    #expect(told.contains("1:4 seems to be sent by two devices from one address"), "\(told)")
    #expect(told.components(separatedBy: "from one address").count == 2, "\(told)")
    #expect(try !site(isCopied: false).contains("from one address"))
  }

  @Test(
    "a few frames whose header calls a wrong checksum right are told, and not where most are so")
  func checksums() throws {
    let made = try Tool.run(
      "synth", "--link", "256", "--duration", "20", "--out", "air.pcap", in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: "air.pcap")))
    for (every, isTold) in [(40, true), (2, false)] {
      var (changed, at, number) = (bytes, 24, 0)
      while at < changed.count {
        let length = (0..<4).reduce(0) { $0 | Int(changed[at + 8 + $1]) << (8 * $1) }
        at += 16 + length
        number += 1
        if number % every == 0 { changed[at - 1] ^= 0xFF }
      }
      try scratch.write("changed.pcap", changed)
      let told = try remarks("changed.pcap")
      #expect(told.contains("a wrong checksum, and their headers say") == isTold, "\(told)")
    }
  }
}
