import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// What of captures must not be in those that are shared, and what is told of it.
@Suite("Captures that are shared hold nothing that is not told", .timeLimit(.minutes(60)))
struct SharedLeakTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: scratch.folder.appending(path: name)))
  }

  /// What was printed, in one line.
  private func words(_ run: Run) -> String {
    run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  private static let planted = Array("IlseVogelsang".utf8)

  private func write(_ name: String, _ packets: [[UInt8]]) throws {
    let records = packets.enumerated().map { place, packet in
      Record((1_779_184_800 + Int64(place)) * 1_000_000_000, packet, tag: 3)
    }
    try scratch.write(name, BtsnoopWriter(datalink: 1002).file(records))
  }

  private func report(_ address: UInt64, _ data: [UInt8]) -> [UInt8] {
    HCI.advertisingReport(HCI.LegacyReport(Address(address, isRandom: true), data, rssi: -60)).h4
  }

  @Test("a report that was cut short is of nobody, there as here") func cut() throws {
    let name = [14, 9] + Self.planted
    let whole = report(0xC1_1122_3344_55, name)
    try write("a.btsnoop", [whole, whole, Array(report(0xC6_A5A4_A3A2_A1, name).dropLast(9))])
    let made = try run("share", "--into", "s", "a.btsnoop")
    #expect(made.status == 0, "\(made.errors)")
    #expect(
      made.output.contains("Checked: 3 frames by class, 2 reports and 1 device are the same."),
      "\(made.output)")
    let devices = try run("devices", "--each", "-q", "s/a.pcapng").output
    #expect(!devices.contains("00:00:00:00:00:00"), "\(devices)")
    let file = try bytes("s/a.pcapng")
    for place in 0..<(Self.planted.count - 4) {
      #expect(file.firstRange(of: Self.planted[place..<(place + 5)]) == nil)
    }
  }

  @Test("a sender's address in the place of a company is not in it") func ownAddress() throws {
    try write(
      "a.btsnoop",
      [report(0xC4_05A5_E504_30, [9, 0xFF, 0xC4, 0x05, 0xA5, 0xE5, 0x04, 0x30, 1, 2])])
    #expect(try run("share", "--into", "s", "a.btsnoop").status == 0)
    #expect(try bytes("s/a.pcapng").firstRange(of: [9, 0xFF, 0xC4, 0x05]) == nil)
  }

  @Test("what zeros were made of is counted by kind") func zeros() throws {
    let address: [UInt8] = [1, 2, 3, 4, 5, 6]
    let key = [UInt8](1...16)
    try write(
      "a.btsnoop",
      [
        report(0xC1_1122_3344_55, [2, 1, 6]), [1, 0x0B, 0x04, 22] + address + key,
        [4, 0x18, 23] + address + key + [4], [4, 0x04, 10] + address + [1, 2, 3, 1],
        [2, 0x40, 0x20, 4, 0, 1, 2, 3, 4], [2, 0x40, 0x20, 4, 0, 1, 2, 3, 4],
        [1, 0x13, 0x0C, 3, 65, 66, 67], [4, 0xFF, 2, 1, 2], [1, 0x0C, 0x20, 4, 1, 0, 7, 8],
      ])
    let made = words(try run("share", "--into", "s", "a.btsnoop"))
    #expect(
      made.contains(
        "Zeros: 2 frames with keys, 1 frame about connections, 2 frames of data over connections, 1 other HCI command, "
          + "1 other HCI event, 1 frame with unknown bytes"), "\(made)")
    #expect(made.contains("Replaced (each counted once): 1 address"), "\(made)")
    // Shared once more there is nothing left to tell.
    #expect(!words(try run("share", "--into", "t", "s/a.pcapng")).contains("Zeros"))
  }

  @Test("positions of PPI are counted, as those of Kismet are") func positions() throws {
    try scratch.write("a.pcap", Captures.read("museum/pcap-192-ppi-gps.pcap"))
    let made = words(try run("share", "--into", "s", "a.pcap"))
    #expect(made.contains("Left out: "), "\(made)")
    #expect(made.contains(" position"), "\(made)")
  }

  private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let padded = body + [UInt8](repeating: 0, count: -body.count & 3)
    let length = number(UInt32(padded.count + 12))
    return number(type) + length + padded + length
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }

  private static func option(_ code: UInt8, _ value: [UInt8]) -> [UInt8] {
    [code, 0, UInt8(value.count), 0] + value + [UInt8](repeating: 0, count: -value.count & 3)
  }

  @Test("what pcapng says beside packets is counted") func pcapng() throws {
    let text = Self.planted
    let packet = report(0xC1_1122_3344_55, [2, 1, 6])
    let section =
      Self.number(0x1A2B_3C4D) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
      + Self.option(1, text) + Self.option(2, text) + Self.option(4, text)
    let interface: [UInt8] =
      [187, 0, 0, 0, 0, 0, 0, 0] + Self.option(2, text) + Self.option(3, text)
      + Self.option(6, [1, 2, 3, 4, 5, 6]) + Self.option(9, [6])
    let padded = packet + [UInt8](repeating: 0, count: -packet.count & 3)
    let size = Self.number(UInt32(packet.count))
    let body =
      [UInt8](repeating: 0, count: 12) + size + size + padded + Self.option(1, text)
      + Self.option(5, [1, 2, 3, 4, 5, 6, 7, 8])
    let file =
      Self.block(0x0A0D_0D0A, section) + Self.block(1, interface) + Self.block(4, text)
      + Self.block(10, text) + Self.block(0x12345, text) + Self.block(6, body)
    try scratch.write("a.pcapng", file)
    let run = try run("share", "--into", "s", "a.pcapng")
    let made = words(run)
    #expect(
      made.contains(
        "Left out: 2 comments, 1 interface name, 3 descriptions, 1 interface address, 1 other option, "
          + "1 block of names, 1 block of secrets, 1 unknown block"), "\(made) \(run.errors)")
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    #expect(try bytes("s/a.pcapng").firstRange(of: text) == nil)
  }

  @Test("a table is written over where it is empty or of the same secret, no other file")
  func table() throws {
    try write("a.btsnoop", [report(0xC1_1122_3344_55, [2, 1, 6])])
    try scratch.write("mine.csv", Array("what I know\n".utf8))
    try scratch.write("empty.csv", [])
    for (number, table) in ["mine.csv", "empty.csv", "empty.csv", "who.csv", "who.csv"].enumerated()
    {
      let made = try run(
        "share", "--into", "s\(number)", "--secret", "a.secret", "--table", table, "a.btsnoop")
      #expect(made.status == (number == 0 ? 64 : 0), "\(table): \(made.errors)")
      if number == 0 {
        #expect(made.errors.contains("mine.csv is there already, and is no table of this secret"))
        #expect(
          !FileManager.default.fileExists(atPath: scratch.folder.appending(path: "a.secret").path))
      }
    }
    let other = try run(
      "share", "--into", "t", "--secret", "b.secret", "--table", "who.csv", "a.btsnoop")
    #expect(other.status == 64, "\(other.errors)")
    #expect(try run("share", "--into", "u", "--table", "who.csv", "a.btsnoop").status == 64)
    #expect(try bytes("mine.csv") == Array("what I know\n".utf8))
  }

  @Test("a secret that repeats itself, or that others may read, is warned of") func secrets() throws
  {
    try write("a.btsnoop", [report(0xC1_1122_3344_55, [2, 1, 6])])
    let good = "0f1e2d3c4b5a69788796a5b4c3d2e1f000112233445566778899aabbccddeeff"
    for (number, (digits, mode, patterned, open)) in [
      (String(repeating: "0", count: 64), 0o600, true, false),
      (String(repeating: "0123abcd", count: 8), 0o644, true, true), (good, 0o640, false, true),
      (good, 0o600, false, false),
    ].enumerated() {
      try scratch.write("s\(number).secret", Array((digits + "\n").utf8))
      try FileManager.default.setAttributes(
        [.posixPermissions: mode],
        ofItemAtPath: scratch.folder.appending(path: "s\(number).secret").path)
      let made = try run(
        "share", "--into", "s\(number)", "--secret", "s\(number).secret", "a.btsnoop")
      #expect(made.status == 0, "\(made.errors)")
      #expect(made.errors.contains("the secret repeats itself") == patterned, "\(made.errors)")
      #expect(made.errors.contains("others may read the secret") == open, "\(made.errors)")
    }
  }
}
