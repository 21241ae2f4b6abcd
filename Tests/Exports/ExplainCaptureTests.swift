import Testing

@testable import Exports

/// Where cited frames are to be seen with another program, and where they are not.
@Suite struct ExplainCaptureTests {
  private static func lines(
    _ name: String, _ frames: [Int], container: String, damagedFrom: Int?
  ) -> String {
    let capture = ExplainCapture(
      name: name, bytes: 100, sha256: "ab", frames: frames, container: container,
      damagedFrom: damagedFrom)
    return ExplainText(width: 80).sources([capture]).joined(separator: "\n")
  }

  @Test("a command is given for the frames before any damage, and none for those behind it")
  func damage() {
    let whole = Self.lines("a b.log", [7, 9], container: "btsnoop", damagedFrom: 10)
    #expect(whole.contains("tshark -r 'a b.log' -x -Y 'frame.number in {7,9}'"))
    #expect(!whole.contains("stops"))
    let both = Self.lines("a.log", [7, 10], container: "btsnoop", damagedFrom: 10)
    #expect(both.contains("tshark -r a.log -x -Y 'frame.number == 7'"), "\(both)")
    let words = both.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains(
        "stops at the damage before frame 10 (a.log), and does not show those behind it"),
      "\(both)")
    let behind = Self.lines("a.log", [10, 12], container: "btsnoop", damagedFrom: 10)
    #expect(!behind.contains("tshark -r"))
    #expect(behind.contains("stops at the damage before frame 10 (a.log)"))
    #expect(behind.contains("these frames"))
  }

  @Test("none is given for the log of a bug report")
  func bugReport() {
    let lines = Self.lines("bugreport.txt", [7], container: "btsnooz", damagedFrom: nil)
    #expect(!lines.contains("tshark -r") && lines.contains("does not read the log in a bug report"))
  }
}
