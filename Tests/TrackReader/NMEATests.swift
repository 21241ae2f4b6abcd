import CaptureReader
import Testing
import TrackReader

@Suite struct NMEATests {
  private func read(_ text: String) -> Track {
    TrackReader.nmea(Array(text.utf8), name: "walk.nmea")
  }
  private func times(_ text: String) -> [String] { read(text).fixes.map { UTCTime.text($0.time) } }

  @Test func speedComesInMetresPerSecond() throws {
    let fix = try #require(read(TrackText.rmc("123519", "230394")).fixes.first)
    // 22.4 knots of 1852 m an hour.
    #expect(abs((fix.speed ?? 0) - 11.5236) < 1e-4)
    #expect(fix.course == 84.4)
    #expect(fix.place == .line(1))
  }

  @Test func ofOneMomentBothSentencesMakeOneFix() throws {
    let track = read(TrackText.rmc("123519", "230394") + TrackText.gga("123519"))
    #expect(track.fixes.count == 1)
    #expect(track.fixes[0].altitude == 545.4)
    #expect(track.fixes[0].course == 84.4)
    #expect(track.log.notes.isEmpty)
  }

  @Test func theDateRollsOverWithGGAOverMidnight() {
    let text =
      TrackText.rmc("235958", "311223") + TrackText.gga("235959") + TrackText.gga("000000.25")
      + TrackText.gga("000001")
    #expect(
      times(text) == [
        "2023-12-31 23:59:58 UTC", "2023-12-31 23:59:59 UTC", "2024-01-01 00:00:00 UTC",
        "2024-01-01 00:00:01 UTC",
      ])
  }

  /// Day two begins later in the day than day one ended.
  @Test func aGGABeforeTheRMCOfItsMomentIsOfItsDay() {
    let text =
      TrackText.gga("100000") + TrackText.rmc("100000", "190526") + TrackText.gga("100001")
      + TrackText.rmc("100001", "190526") + TrackText.gga("110000.50")
      + TrackText.rmc("110000.50", "200526")
    let track = read(text)
    #expect(
      track.fixes.map { UTCTime.text($0.time) } == [
        "2026-05-19 10:00:00 UTC", "2026-05-19 10:00:01 UTC", "2026-05-20 11:00:00 UTC",
      ])
    // Each is one fix, which GGA gives its altitude and RMC its course.
    #expect(track.fixes.allSatisfy { $0.altitude == 545.4 && $0.course == 84.4 })
    #expect(track.log.notes.isEmpty)
  }

  @Test func aGGABehindTheRMCOfItsMomentStaysInItsDay() {
    let text =
      TrackText.rmc("100000", "190526") + TrackText.gga("100000")
      + TrackText.rmc("100000", "200526")
    #expect(times(text) == ["2026-05-19 10:00:00 UTC", "2026-05-20 10:00:00 UTC"])
    #expect(read(text).fixes.map(\.altitude) == [545.4, nil])
  }

  @Test func ZDASaysTheDate() {
    let zda = { (time: String, date: String) in TrackText.sentence("GPZDA,\(time),\(date),00,00") }
    let behind =
      TrackText.gga("235959") + zda("235959", "31,12,2023") + TrackText.gga("000000")
      + zda("000000", "01,01,2024")
    let before =
      zda("235959", "31,12,2023") + TrackText.gga("235959") + zda("000000", "01,01,2024")
      + TrackText.gga("000000")
    for text in [behind, before] {
      #expect(times(text) == ["2023-12-31 23:59:59 UTC", "2024-01-01 00:00:00 UTC"])
      #expect(read(text).log.notes.isEmpty)
    }
  }

  @Test(arguments: [
    ("GPZDA,120000,30,02,2024,00,00", TrackCode.outOfRange),
    ("GPZDA,120000,1,02,2024,00,00", .unreadable), ("GPZDA,120000,01,02,24,00,00", .unreadable),
    ("GPZDA,120000", .unreadable),
  ])
  func aZDAWithoutADateIsCounted(_ text: String, _ code: TrackCode) {
    let track = read(TrackText.sentence(text) + TrackText.gga("120000"))
    #expect(track.fixes.isEmpty)
    #expect(track.log.count(code) == 1 && track.log.count(.noDate) == 1)
  }

  @Test func aZDAOfAReceiverThatDoesNotKnowTheTimeYetIsToldNothing() {
    let track = read(TrackText.sentence("GPZDA,,,,,,") + TrackText.rmc("120000", "230394"))
    #expect(track.fixes.count == 1 && track.log.notes.isEmpty)
  }

  @Test func exactlyZeroIsNoPosition() {
    let zero = "0000.000,N,00000.000,E"
    let track = read(
      TrackText.rmc("120000", "230394", zero) + TrackText.rmc("120001", "230394")
        + TrackText.gga("120001", zero)
        + TrackText.rmc("120002", "230394", "0000.000,S,00000.001,W"))
    #expect(track.fixes.map(\.place) == [.line(2), .line(4)])
    #expect(track.log.count(.zero) == 2)
  }

  @Test func aTimeThatFallsByLessThanHalfADayStaysInItsDay() {
    #expect(
      times(TrackText.rmc("110000", "010124") + TrackText.gga("000000"))
        == ["2024-01-01 00:00:00 UTC", "2024-01-01 11:00:00 UTC"])
  }

  @Test func theDateOf29FebruaryIsLeapYearsOnly() {
    #expect(times(TrackText.rmc("000000", "290224")) == ["2024-02-29 00:00:00 UTC"])
    #expect(read(TrackText.rmc("000000", "290223")).log.count(.outOfRange) == 1)
  }

  @Test func damagedLinesAreCountedWithTheirNumbersAndNothingElseIsLost() {
    var lines = (0..<20).map { TrackText.rmc("1200\($0 + 10)", "230394") }
    lines[3] = lines[3].replacing("4807", with: "4817")
    lines[7] = String(lines[7].prefix(30)) + "\r\n"
    lines[9] = "$GPRMC,\u{FFFD}*00\r\n"
    let track = read(lines.joined())
    #expect(track.fixes.count == 17)
    #expect(
      track.log.texts == [
        "2 NMEA sentences with a wrong checksum were left out (lines 4, 10).",
        "1 NMEA sentence without a checksum was left out (line 8).",
      ])
  }

  @Test(arguments: [
    ("GPRMC,250000,A,4807.038,N,01131.000,E,0,0,230394,,", TrackCode.outOfRange),
    ("GPRMC,126000,A,4807.038,N,01131.000,E,0,0,230394,,", .outOfRange),
    ("GPRMC,1200,A,4807.038,N,01131.000,E,0,0,230394,,", .unreadable),
    ("GPRMC,120000,A,4807.038,X,01131.000,E,0,0,230394,,", .unreadable),
    ("GPRMC,120000,A,nan,N,01131.000,E,0,0,230394,,", .unreadable),
    ("GPRMC,120000,A,4807.038,N,01131.000,E,0,0,2303,,", .unreadable),
    ("GPRMC,120000,A,4807.038,N,18100.000,E,0,0,230394,,", .outOfRange),
    ("GPRMC,120000,A", .unreadable),
  ])
  func aFieldThatSaysNothingIsCounted(_ text: String, _ code: TrackCode) {
    let track = read(TrackText.sentence(text))
    #expect(track.fixes.isEmpty)
    #expect(track.log.count(code) == 1)
  }

  @Test func otherSentencesNeedNoChecksumAndOddOnesAreToldNothing() {
    let text = "$GPTXT,hello\r\n$\r\n$,*\r\n" + TrackText.rmc("120000", "230394")
    let track = read(text)
    #expect(track.fixes.map(\.place) == [.line(4)])
    #expect(track.log.count(.missingChecksum) == 0)
  }

  @Test(arguments: ["\r\n", "\n", "\r"])
  func linesEndInAnyWay(_ end: String) {
    let text = TrackText.rmc("120000", "230394") + TrackText.rmc("120001", "230394")
    let track = read(text.replacing("\r\n", with: end))
    #expect(track.fixes.map(\.place) == [.line(1), .line(2)])
  }

  @Test func withoutAnyPositionTheFileIsNoTrack() {
    let text = TrackText.gga("120000") + TrackText.sentence("GPGSV,1,1,00")
    #expect(
      TrackText.problem(text, name: "walk.nmea")
        == "walk.nmea: has 2 NMEA sentences, 1 of them RMC or GGA, and no position with a time: "
        + "1 GGA position before any date (of RMC or ZDA) was left out (line 1).")
  }
}
