import Testing

/// Who did not listen has not heard that nobody was there.
@Suite("Silence and deafness", .timeLimit(.minutes(60))) struct DeafnessTests {
  @Test(
    "a beacon that dies while the scan is off was last heard before, and is not there behind it")
  func diesInAPause() throws {
    let site = try SiteScene()
    try site.record(seconds: 3600, extra: [2: "\"dies_s\": 1200"], pauses: [[600, 1800]])
    let told = try site.words("analyze", "site.btsnoop")
    #expect(
      told.contains(
        /1:2 was last heard at 09:0(9:59|10:00), every 1.0 s up to then: the radio did not listen from 09:10:00 to 09:30:00, and when it listened again, for (29 min 5. s|30 min 00 s) until 09:59:59, it did not hear it, but 3 others\./
      ), "\(told)")
    #expect(!told.contains("was not heard any more"))
    let alerts = try site.alerts("--plugin", "beacon-silent", "site.btsnoop")
    #expect(
      alerts.contains {
        $0.contains("only since 09:30:00 UTC has the radio heard others without a break")
          && $0.contains(/for 2 min 0. s, and not this one/)
      }, "\(alerts)")
  }

  @Test("of a silence with a pause in it the listening is told")
  func pauseInASilence() throws {
    let site = try SiteScene()
    try site.record(seconds: 3600, extra: [2: "\"dies_s\": 600"], pauses: [[1800, 2400]])
    let told = try site.words("analyze", "site.btsnoop")
    #expect(
      told.contains(
        /1:2 was not heard any more .* went on listening until 09:59:59 \(for (39 min 5. s|40 min 0. s) of it\)/
      ), "\(told)")
  }

  @Test("a scan that is switched off for good is told in every form, and a pause or an end is not")
  func scanEnds() throws {
    let site = try SiteScene()
    try site.record(seconds: 1800, pauses: [[900, 1800]])
    let told = try site.words("analyze", "site.btsnoop")
    let sentence =
      /the scan of \S+ was switched off at 09:15:00 \(frame \d[\d ]*\), and nobody was heard from then until the end, 09:(29:59|30:00): it was deaf for the last (14 min 59 s|15 min 00 s)\./
    #expect(told.contains(sentence), "\(told)")
    let json = try site.words("analyze", "--format", "json", "site.btsnoop")
    #expect(json.contains("\"scan_ended\""))
    try site.record("usual", seconds: 1800, pauses: [[600, 900]])
    #expect(!(try site.words("analyze", "usual.btsnoop")).contains("was deaf for the last"))
  }

  @Test("rotated logs that go on hearing are no scan that ended")
  func rotated() throws {
    let site = try SiteScene()
    try site.record("a", seconds: 900, pauses: [[300, 900]])
    try site.record("b", seconds: 900, start: "2026-11-17T09:15:00Z")
    let alone = try site.words("analyze", "a.btsnoop")
    #expect(alone.contains("was deaf for the last"), "\(alone)")
    let both = try site.words(
      "analyze", "--observer", "hall=a.btsnoop", "--observer", "hall=b.btsnoop", "a.btsnoop",
      "b.btsnoop")
    #expect(both.contains("BEACONS") && !both.contains("was deaf for the last"), "\(both)")
  }

  @Test("receiver-silent names the receiver that hears nobody while another one does")
  func receivers() throws {
    let site = try SiteScene()
    let quiet = (1...4).map { ($0, "\"dies_s\": 600") }
    try site.record("north", seconds: 1200)
    try site.record(
      "south", seconds: 1200, extra: Dictionary(uniqueKeysWithValues: quiet))
    let both = try site.alerts("--plugin", "receiver-silent", "north.btsnoop", "south.btsnoop")
    #expect(both.count == 1, "\(both)")
    #expect(
      both.first?.contains(
        /south hears nobody: It heard somebody at 09:(09:59|10:00) UTC the last time, 2 min 0. s ago; north has gone on/
      ) == true, "\(both)")
    #expect(try site.alerts("--plugin", "receiver-silent", "south.btsnoop").isEmpty)
  }

  @Test("receiver-silent tells a recording that ended while another receiver went on as that")
  func recordingEnds() throws {
    let site = try SiteScene()
    try site.record("north", seconds: 1200)
    try site.record("south", seconds: 300)
    let both = try site.alerts("--plugin", "receiver-silent", "north.btsnoop", "south.btsnoop")
    #expect(both.count == 1, "\(both)")
    #expect(
      both.first?.contains(
        /south is not recorded any more: Its scan was switched off and its recording ended at 09:0(4:59|5:00) UTC, 10 min 0. s ago by the clock of north, which has gone on/
      ) == true, "\(both)")
    let sooner = try site.alerts(
      "--plugin", "receiver-silent", "--set", "receiver-silent.ended_after_s=120", "north.btsnoop",
      "south.btsnoop")
    #expect(sooner.first?.contains(/2 min 0. s ago by the clock of north/) == true, "\(sooner)")
  }

  @Test(
    "receiver-silent blames nobody for a clock that is some minutes off",
    arguments: ["+137s", "-137s"])
  func clockIsOff(_ shift: String) throws {
    let site = try SiteScene()
    try site.record("north", seconds: 1200)
    try site.record("south", seconds: 1200)
    let told = try site.alerts(
      "--plugin", "receiver-silent", "--clock", "north.btsnoop=\(shift)", "north.btsnoop",
      "south.btsnoop")
    #expect(told.isEmpty, "\(told)")
  }

  @Test("receiver-silent says of rotated recordings that the scan was off when one of them ended")
  func scanOffInRotated() throws {
    let site = try SiteScene()
    try site.record("north", seconds: 1200)
    try site.record("a", seconds: 300)
    try site.record("b", seconds: 700, start: "2026-11-17T09:08:20Z")
    let told = try site.alerts(
      "--plugin", "receiver-silent", "--observer", "south=a.btsnoop,b.btsnoop", "north.btsnoop",
      "a.btsnoop", "b.btsnoop")
    #expect(told.count == 2, "\(told)")
    #expect(
      told.first?.contains(
        /south did not listen: Its scan was switched off and its recording ended at 09:0(4:59|5:00) UTC, and the next one began 3 min (19|20|21) s later; north went on/
      ) == true, "\(told)")
    #expect(
      told.last?.contains(
        /south hears beacons again: .*its scan was off when the recording ended/) == true, "\(told)"
    )
  }

  @Test("who is inside when the recording of one receiver ends is not told to stay on at it")
  func staysThatNobodyRecords() throws {
    let site = try SiteScene()
    try site.record("north", seconds: 1200)
    try site.record("south", seconds: 300)
    let both = try site.alerts("--plugin", "loitering", "north.btsnoop", "south.btsnoop")
    #expect(both.count == 1, "\(both)")
    try site.record("late", seconds: 1200, start: "2026-11-17T17:40:00Z")
    try site.record("early", seconds: 600, start: "2026-11-17T17:40:00Z")
    let closed = try site.alerts(
      "--plugin", "after-hours", "--set", "after-hours.closes=17:55", "--set",
      "after-hours.grace_s=0", "late.btsnoop", "early.btsnoop")
    #expect(closed.count == 1, "\(closed)")
  }

  @Test(
    "after-hours knows no hours of a clock that was never set, says so once, and goes by one that is"
  )
  func clockIsNotSet() throws {
    let site = try SiteScene()
    try site.record("a", seconds: 1200)
    try site.record("b", seconds: 1200, start: "2026-11-17T22:00:00Z")
    let unset = ["--plugin", "after-hours", "--clock", "a.btsnoop=1970-01-01T03:00:00Z"]
    let run = try Tool.run(
      ["events", "--format", "ndjson"] + unset + ["a.btsnoop"], in: site.scratch.folder)
    #expect(!run.output.contains("\"type\":\"alert\""), "\(run.output)")
    let remark =
      "the clock says a time before 2000 and was not set: hours are not known, and nothing"
    #expect(run.errors.ranges(of: remark).count == 1, "\(run.errors)")
    let both = try Tool.run(
      ["events", "-q", "--where", "type == \"alert\""] + unset
        + [
          "--observer", "hall=a.btsnoop", "--observer", "hall=b.btsnoop", "a.btsnoop", "b.btsnoop",
        ],
      in: site.scratch.folder)
    #expect(both.output.ranges(of: "after hours").count == 1, "\(both.output)")
    #expect(both.output.contains(" at 22:01 UTC, inside since 22:00:00 UTC."), "\(both.output)")
  }
}
