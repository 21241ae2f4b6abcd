import CaseStore
import Cases
import Testing

@Suite("What case info says to people") struct CaseTextTests {
  private func told(_ captures: Int) throws -> [String] {
    let file = try CaseFile.temporary()
    try file.insert(
      (0..<captures).map { place in
        HandMadeCase.capture("ward/\(place % 2 == 0 ? "north" : "south")/2026-05-19-\(place).pcap")
      })
    return CaseText.lines(try CaseFacts(file, name: "ward.sqlite", sha256: nil))
  }

  @Test("names each of a hundred captures, and sums up more of them by receiver") func many() throws
  {
    let hundred = try told(100)
    #expect(hundred.count { $0.contains(".pcap") } == 100)
    let more = try told(101)
    #expect(more.count { $0.contains(".pcap") } == 0 && more.count < 20)
    #expect(more.contains { $0.contains("101: 909 records, ") }, "\(more)")
    #expect(
      more.contains(
        "              north: 51, 459 records, 510 bytes, 2026-05-19 10:00:00–10:10:00"),
      "\(more)")
  }
}
