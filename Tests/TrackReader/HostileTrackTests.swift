import CaptureReader
import TestSupport
import Testing
import TrackReader

/// Whatever is made of a track file, reading ends, and what it gives is sound.
@Suite struct HostileTrackTests {
  private static let seeds = [
    TrackText.gpx([(1, 2), (-89.5, 179.9), (5, 6)], inside: "<ele>3</ele><speed>2</speed>"),
    TrackText.rmc("235959", "311223") + TrackText.gga("000000") + "junk\r\n"
      + TrackText.rmc("000001", "010124") + TrackText.gga("000002")
      + TrackText.sentence("GPZDA,000002,01,01,2024,00,00"),
  ]

  @Test(arguments: 0..<2) func cutAtEveryByteItStaysSound(_ which: Int) {
    let bytes = Array(Self.seeds[which].utf8)
    for count in 0...bytes.count { check(Array(bytes.prefix(count)), "cut at \(count)") }
  }

  @Test(arguments: 0..<2) func mutatedItStaysSound(_ which: Int) {
    var random = Seeded(UInt64(which) + 1)
    let tokens = [
      "<", ">", "/>", "</trkpt>", "<trkpt lat=\"1\" lon=\"2\">", "<time>", "<![CDATA[", "]]>", "&",
      "&#0;", "&amp;", "<!--", "-->", "<?x?>", "<!DOCTYPE gpx>", "$", "*", ",", "\r", "\n",
      "99999999999999999999", "-1e308", "nan", ".", "\u{0}", "\u{FFFF}",
    ]
    for round in 0..<3000 {
      var bytes = Array(Self.seeds[which].utf8)
      for _ in 0...random.below(6) {
        let at = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[at] = UInt8(random.below(256))
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.below(40)))
        case 2: bytes.insert(contentsOf: tokens[random.below(tokens.count)].utf8, at: at)
        default:
          let from = random.below(bytes.count)
          bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 60)], at: at)
        }
        if bytes.isEmpty { bytes = [0x24] }
      }
      check(bytes, "round \(round)")
    }
  }

  @Test func deepNestingAndLongTextsEnd() throws {
    let deep = "<gpx>" + String(repeating: "<trkpt>", count: 200_000)
    #expect(TrackText.problem(deep).contains("is no well-formed XML: no element found"))
    let long = String(repeating: "9", count: 1_000_000)
    let text = TrackText.gpx([(1, 2)], inside: "<ele>\(long)</ele>")
    #expect(try TrackText.read(text).log.count(.detailUnreadable) == 1)
  }

  private func check(_ bytes: [UInt8], _ comment: Comment) {
    guard let track = try? TrackReader.read(bytes, name: "t") else { return }
    #expect(!track.fixes.isEmpty, comment)
    for fix in track.fixes {
      #expect(fix.time.isKnown && abs(fix.latitude) <= 90, comment)
      #expect(fix.longitude >= -180 && fix.longitude < 180, comment)
      #expect(fix.latitude != 0 || fix.longitude != 0, comment)
      #expect(fix.course.map { $0 >= 0 && $0 < 360 } ?? true, comment)
    }
    for (earlier, later) in zip(track.fixes, track.fixes.dropFirst()) {
      #expect(earlier.time.nanoseconds < later.time.nanoseconds, comment)
    }
  }
}
