import Testing

@testable import Analysis

/// Receivers that have a folder each.
@Suite struct FolderNamesTests {
  @Test(
    "a receiver is called by its folder",
    arguments: [
      (["site/door/1.log", "site/door/2.log", "site/hall/1.log"], ["door", "door", "hall"]),
      // One alone.
      (["door/1.log", "door/2.log"], ["door", "door"]),
      (["/srv/rx/1.log"], ["rx"]),
      // A day is none, whichever way the folders lie.
      (
        ["door/2026-05-19/1.log", "door/2026-05-20/1.log", "hall/2026-05-19/1.log"],
        ["door", "door", "hall"]
      ),
      (
        ["2026-05-19/door/1.log", "20260520T100000Z/door/1.log", "2026-05-19/hall/1.log"],
        ["door", "door", "hall"]
      ),
      // Numbers are names.
      (["site/1/a.log", "site/2/a.log"], ["1", "2"]),
      // As much of the path as tells them apart.
      (
        ["east/door/1.log", "west/door/1.log", "west/yard/1.log"],
        ["east/door", "west/door", "yard"]
      ),
      // A phone's bug report.
      (
        ["anna/FS/data/misc/bluetooth/logs/a.log", "bert/FS/data/misc/bluetooth/logs/a.log"],
        ["anna", "bert"]
      ),
      // Loose ones are nobody's.
      (["site/x.log", "site/door/1.log", "site/hall/1.log"], ["", "door", "hall"]),
      (["x.log", "door/1.log", "-"], ["", "door", ""]),
      ([], []),
    ])
  func folders(_ captures: [String], _ names: [String]) {
    let found = FolderNames.names(of: captures)
    #expect(captures.indices.map { found[$0] ?? "" } == names)
  }

  @Test(
    "a folder without captures would be a receiver's where those of receivers are",
    arguments: [
      // Beside one, also where that is alone.
      (["site/door/1.log", "site/hall/1.log"], ["site/yard"], ["site/yard"]),
      (["/srv/rx/1.log"], ["/srv/ry", "/srv/rx/old", "/opt"], ["/srv/ry"]),
      // What lies in it or in a receiver's is not another one.
      (["site/door/1.log"], ["site/yard", "site/yard/x", "site/door/x"], ["site/yard"]),
      // Where the captures lie loose there are no receivers' folders.
      (["site/1.log"], ["site/notes"], []),
      // Days, whichever way the folders lie.
      (
        ["a/2026-05-19/door/1.log", "a/2026-05-19/hall/1.log", "a/2026-05-20/door/1.log"],
        ["a/2026-05-20/hall", "a/2026-05-20/yard", "a/2026-05-21"],
        ["a/2026-05-20/hall", "a/2026-05-20/yard"]
      ),
      (
        ["a/door/2026-05-19/1.log", "a/hall/2026-05-19/1.log"],
        ["a/door/2026-05-20", "a/yard", "a/yard/2026-05-19"], ["a/yard"]
      ),
      // A phone's bug report has folders of its own.
      (
        ["x/anna/FS/data/misc/bluetooth/logs/a.log"],
        ["x/anna/FS/data/anr", "x/anna/FS/proc", "x/bert"], ["x/bert"]
      ),
    ])
  func missing(_ captures: [String], _ folders: [String], _ found: [String]) {
    #expect(FolderNames.withoutCaptures(folders, beside: captures) == found)
  }

  @Test("whether a name is a date, and nothing else")
  func dates() {
    for date in [
      "2026-05-19", "20260519", "2026-05-19T10-00-00Z", "20260519T100000Z", "2026_05_19 10.30",
      "2026-05", "2026_12", "2026-W20", "2026_W53",
    ] {
      #expect(DatedName.isDate(date), "\(date)")
    }
    for other in [
      "", "1", "20", "door", "2026", "2026-05-19-door", "20261319", "2026-05-19Z",
      "2026-13", "202605", "202613", "2026-00", "2026-W54", "2026-05-", "2026-5", "20260",
    ] {
      #expect(!DatedName.isDate(other), "\(other)")
    }
    #expect(DatedName.rest(of: "west-2026-05-19T10-00-00Z") == "west")
    #expect(DatedName.rest(of: "20260519T100000Z-west") == "west")
    #expect(DatedName.rest(of: "west-2026-05") == "west")
    #expect(DatedName.rest(of: "2026-W20_west") == "west")
    #expect(DatedName.rest(of: "room202605") == nil)
  }
}
