import CaptureReader
import Foundation
import Testing

/// The page from outside: what it is made of, and where it goes.
@Suite struct ReportTests {
  @Test func thePageOfCapturesIsThatOfTheirCase() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      cp '\(Captures.folder.path)/museum/btsnoop-h4.btsnoop' . || exit
      "$TOOL" analyze -q --report one.html btsnoop-h4.btsnoop | tail -n 2
      "$TOOL" analyze -q --report two.html --case site.sqlite btsnoop-h4.btsnoop | tail -n 5
      rm btsnoop-h4.btsnoop
      "$TOOL" case report -o three.html site.sqlite
      "$TOOL" case report site.sqlite > four.html
      cmp one.html two.html && cmp one.html three.html && cmp one.html four.html
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.lines.filter { $0.hasPrefix("Wrote") }
        == ["one.html", "site.sqlite", "two.html", "three.html"].map { "Wrote \($0)." })
    let file = scratch.folder.appending(path: "one.html")
    let sum = try #require(FileDigest.sha256(file.path))
    #expect(run.lines.filter { $0 == "  SHA-256  \(sum)" }.count == 3)
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(page.contains("One capture was read: btsnoop-h4.btsnoop, btsnoop"))
    // The file itself is gone, and its bytes are there.
    #expect(
      page.contains("\"frames\":[[") && page.contains("b9407f30-f5f8-466e-aff9-25556b57fe6d:"))
  }

  @Test func aPageThatCannotBeWrittenIsTold() throws {
    let scratch = try Scratch()
    let run = try Tool.run(
      "analyze", "-q", "--report", scratch.folder.appending(path: "none/site.html").path,
      "museum/btsnoop-h4.btsnoop")
    #expect(run.status == 74)
    #expect(run.complaints.count == 1)
    #expect(run.errors.contains("site.html") && run.errors.contains("no such file or directory"))
  }

  @Test func thePageHasNoPlaceBesideTheTimeline() throws {
    let run = try Tool.run("analyze", "--report", "-", "museum/btsnoop-h4.btsnoop")
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("name a file"))
  }

  /// Times that a damaged or hostile capture may have: just inside what nanoseconds can tell.
  private static let endsOfTime: [[Int64]] = [
    [Int64.max - 5000], [Int64.min + 5000], [Int64.min + 5000, 0, Int64.max - 5000],
    [Int64.max - 3_000_000_000, Int64.max - 2_000_000_000, Int64.max - 5000],
  ]

  @Test(arguments: endsOfTime)
  func recordsAtTheEndsOfTimeHaveAPage(_ times: [Int64]) throws {
    let scratch = try Scratch()
    try scratch.write("end.log", Self.btsnoop(times))
    let run = try Tool.run(
      ["analyze", "-q", "--case", "end.sqlite", "--report", "end.html", "end.log"],
      in: scratch.folder)
    // A leap through all of time may be damage, which is told.
    #expect([0, 65].contains(run.status), "\(run.errors)")
    let again = try Tool.run(["case", "report", "end.sqlite"], in: scratch.folder)
    #expect(again.status == 0)
    #expect(again.output.contains("Beacons over time"))
    for form in ["timesketch", "geojson", "ndjson", "eve"] {
      let exported = try Tool.run(["export", "--to", form, "end.sqlite"], in: scratch.folder)
      #expect(exported.status == 0, "\(form): \(exported.errors)")
    }
  }

  /// An iBeacon's reports at these times, nanoseconds since 1970.
  private static func btsnoop(_ times: [Int64]) -> [UInt8] {
    func number(_ value: Int64, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
    }
    let payload: [UInt8] =
      [0x04, 0x3E, 0x2A, 0x02, 0x01, 0x00, 0x01, 0xC1, 2, 3, 4, 5, 6, 0x1E]
      + [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + [UInt8](0..<16)
      + [0, 1, 0, 1, 0xC5, 0xC4]
    let count = number(Int64(payload.count), 4)
    return times.reduce(Array("btsnoop".utf8) + [0] + number(1, 4) + number(1002, 4)) {
      // Microseconds since the year 0, as btsnoop counts them.
      let time = $1 / 1000 + 0x00DC_DDB3_0F2F_8000
      return $0 + count + count + number(3, 4) + number(0, 4) + number(time, 8) + payload
    }
  }
}
