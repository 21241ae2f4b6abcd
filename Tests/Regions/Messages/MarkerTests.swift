import CaptureReader
import Regions
import TestSupport
import Testing
import TrackReader

@Suite struct MarkerTests {
  private func read(_ text: String) throws -> [Marker] {
    try MarkerFile.read(Array(text.utf8), name: "marks.csv")
  }

  @Test func markersComeInTheOrderOfTime() throws {
    let text =
      "\u{FEFF}time,kind\r\n2023-11-14T22:13:21Z,display_on\r\n\r\n"
      + " \"2023-11-14T23:13:20.5+01:00\" , \"door \"\"A\"\", open\" \r\n"
      + "2023-11-14T22:13:21Z,display_off"
    let second: Int64 = 1_700_000_000_000_000_000
    #expect(
      try read(text) == [
        Marker(
          time: Timestamp(nanoseconds: second + 500_000_000), kind: "door \"A\", open", line: 4),
        Marker(time: Timestamp(nanoseconds: second + 1_000_000_000), kind: "display_on", line: 2),
        Marker(time: Timestamp(nanoseconds: second + 1_000_000_000), kind: "display_off", line: 5),
      ])
    #expect(try read("time,kind").isEmpty)
  }

  @Test(arguments: [
    ("", "marks.csv: is empty; it needs the header time,kind."),
    ("2023-11-14T22:13:21Z,on", "line 1: the first line has to be the header time,kind, not '2023"),
    ("kind,time", "line 1: the first line has to be the header time,kind, not 'kind,time'."),
    ("time,kind\nnow,on", "line 2, time: 'now' is no time with a zone; write it as 2026-05-19T10"),
    (
      "time,kind\n2023-11-14T22:13:21,on",
      "line 2, time: '2023-11-14T22:13:21' is no time with a zone"
    ),
    ("time,kind\n2023-11-14T22:13:21Z", "line 2: has 1 field; two are needed: time,kind."),
    ("time,kind\n2023-11-14T22:13:21Z,a,b", "line 2: has 3 fields; two are needed"),
    ("time,kind\n2023-11-14T22:13:21Z,", "line 2, kind: is empty; write what happened"),
    ("time,kind\n\"", "line 2: has a quoted field without its end"),
    ("time,kind\n\"2023-11-14T22:13:21Z\"x,on", "or with something behind it"),
  ])
  func aMistakeIsToldWithItsLineAndField(_ text: String, _ sentence: String) {
    let problem = #expect(throws: TextProblem.self) { try read(text) }
    #expect(problem?.description.contains(sentence) == true)
  }

  @Test func whateverIsMadeOfTheFileReadingEnds() {
    let good = Array("time,kind\n2023-11-14T22:13:21Z,\"on\"\n2023-11-14T22:13:22Z,off\n".utf8)
    var random = Seeded(6)
    for round in 0..<3000 {
      var bytes = good
      for _ in 0...random.below(3) {
        let at = random.below(bytes.count)
        let wild: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D, 0x20, 0x00, 0xFF, 0x39]
        if random.below(2) == 0 { bytes[at] = wild[random.below(8)] } else { bytes.remove(at: at) }
      }
      guard let markers = try? MarkerFile.read(bytes, name: "m") else { continue }
      #expect(markers.allSatisfy { $0.time.isKnown && !$0.kind.isEmpty }, "round \(round)")
    }
  }
}
