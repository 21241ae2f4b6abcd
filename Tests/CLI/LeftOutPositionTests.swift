import Foundation
import Testing

/// Positions of captures that are none.
@Suite("Positions that are left out", .timeLimit(.minutes(60))) struct LeftOutPositionTests {
  /// 52.5° and 120° in a PPI header.
  private static let latitude: [UInt8] = [0x40, 0xAF, 0x94, 0x8A]
  private static let beyond: [UInt8] = [0x00, 0x5E, 0xD0, 0xB2]

  @Test("are told by analyze, and make no map") func told() throws {
    let scratch = try Scratch()
    let whole = Data(try Captures.read("museum/pcap-192-ppi-gps.pcap"))
    var bytes = whole
    var count = 0
    while let found = bytes.range(of: Data(Self.latitude)) {
      bytes.replaceSubrange(found, with: Self.beyond)
      count += 1
    }
    try #require(count == 45)
    try scratch.write("far.pcap", [UInt8](bytes))
    try scratch.write("whole.pcap", [UInt8](whole))
    func words(_ file: String) throws -> String {
      let run = try Tool.run(["analyze", "--all", file], in: scratch.folder)
      return run.output.split { " \n".contains($0) }.joined(separator: " ")
    }
    #expect(
      try words("far.pcap").contains(
        "45 positions were left out, the first in frame 1: 45 beyond ±90° of latitude or ±180° of longitude."
      ))
    #expect(try !words("whole.pcap").contains("left out, the first in frame"))
    let circle = ["events", "--region", "x=circle:52.5,13.25,50"]
    #expect(
      try Tool.run(circle + ["far.pcap"], in: scratch.folder).errors
        .contains("the captures hold no positions"))
    #expect(
      try !Tool.run(circle + ["whole.pcap"], in: scratch.folder).errors
        .contains("the captures hold no positions"))
  }
}
