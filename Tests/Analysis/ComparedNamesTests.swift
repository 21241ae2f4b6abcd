import Testing

@testable import Analysis

/// Which captures of two recordings are of one radio, by their names.
@Suite("Names of captures that are compared") struct ComparedNamesTests {
  private static func names(_ before: [String], _ now: [String]) -> ([String], [String]) {
    let names = ComparedNames(before: before, now: now)
    // The order in which they are named does not matter.
    let reversed = ComparedNames(before: before.reversed(), now: now.reversed())
    #expect(names.before == reversed.before && names.now == reversed.now)
    return (before.map { names.before[$0] ?? "" }, now.map { names.now[$0] ?? "" })
  }

  @Test(
    "are alike for those of one folder, and those that are alone",
    arguments: [
      (["may/hci.log"], ["june/hci.log"], ["hci"], ["hci"]),
      (["may/anna.log", "may/bert.log"], ["june/bert.log"], ["anna", "bert"], ["bert"]),
      (
        ["may/anna/hci.log", "may/bert/hci.log"], ["june/bert/hci.log"],
        ["anna/hci", "bert/hci"], ["bert/hci"]
      ),
      (
        ["may/bert/hci.log"], ["june/anna/hci.log", "june/bert/hci.log"],
        ["bert/hci"], ["anna/hci", "bert/hci"]
      ),
      (
        ["may/anna/hci.log", "may/bert/hci.log"], ["june/anna/hci.log", "june/Bert/hci.log.gz"],
        ["anna/hci", "bert/hci"], ["anna/hci", "bert/hci"]
      ),
      (
        ["may/anna/logs/hci.log", "may/bert/logs/hci.log"], ["x/june/bert/logs/hci.log"],
        ["anna/hci", "bert/hci"], ["bert/hci"]
      ),
      (
        ["may/anna/hci.log", "may/bert/hci.log"], ["june/anna/hci.log", "june/carl/hci.log"],
        ["anna/hci", "bert/hci"], ["anna/hci", "carl/hci"]
      ),
      (
        ["may/west-2026-05-12.pcapng", "may/east-2026-05-12.pcap"],
        ["june/west-2026-06-19.pcapng", "june/east-2026-06-19.pcap"],
        ["west", "east"], ["west", "east"]
      ),
      (["20260512_103000-hall.pcap"], ["20260519T0915-hall.pcap"], ["hall"], ["hall"]),
      // Which of the two it is, nobody knows.
      (
        ["w-2026-05-12.pcap", "w-2026-05-13.pcap"], ["w-2026-05-19.pcap"],
        ["w-2026-05-12", "w-2026-05-13"], ["w-2026-05-19"]
      ),
      // No dates.
      (["hall-20131399.pcap"], ["hall-20131499.pcap"], ["hall-20131399"], ["hall-20131499"]),
      (["2026-05-12.pcap"], ["2026-05-19.pcap"], ["2026-05-12"], ["2026-05-19"]),
    ] as [([String], [String], [String], [String])])
  func alike(_ before: [String], _ now: [String], _ first: [String], _ second: [String]) {
    let found = Self.names(before, now)
    #expect(found.0 == first)
    #expect(found.1 == second)
    #expect(ComparedNames(before: before, now: now).doubts.isEmpty)
  }

  @Test(
    "are not where no folder says which is which, and that is told",
    arguments: [
      ["june/hci.log"], ["june/carl/hci.log"], ["june/carl/hci.log", "june/dora/hci.log"],
    ])
  func doubts(_ now: [String]) {
    let before = ["may/anna/hci.log", "may/bert/hci.log"]
    let found = Self.names(before, now)
    #expect(Set(found.0).isDisjoint(with: found.1))
    let doubts = ComparedNames(before: before, now: now).doubts
    #expect(doubts.map(\.before) == [["anna/hci", "bert/hci"]])
    #expect(doubts.map(\.now) == [found.1.sorted()])
  }
}
