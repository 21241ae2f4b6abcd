import CaptureReader
import Testing
import TrackReader

@Suite struct GPXTests {
  @Test func aFixSaysInWhichLineItsPointBegins() throws {
    let track = try TrackText.read(TrackText.gpx([(1, 2), (3, 4)]))
    #expect(track.fixes.map(\.place) == [.line(2), .line(3)])
  }

  @Test func speedAndCourseComeFromThePointOrItsExtensions() throws {
    let children = [
      "<speed>1.5</speed><course>360</course>",
      """
      <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.5</gpxtpx:speed>\
      <gpxtpx:course>0.0</gpxtpx:course></gpxtpx:TrackPointExtension></extensions>
      """,
    ]
    for child in children {
      let fix = try TrackText.read(TrackText.gpx([(1, 2)], inside: child)).fixes[0]
      #expect(fix.speed == 1.5)
      #expect(fix.course == 0)
      #expect(fix.accuracy == nil)
    }
  }

  @Test func aTimeInsideExtensionsIsNotThePoints() throws {
    let point =
      "<trkpt lat=\"1\" lon=\"2\"><extensions><time>2001-01-01T00:00:00Z</time>"
      + "</extensions></trkpt>"
    #expect(TrackText.problem(TrackText.gpx(points: [point])).contains("has a time"))
  }

  @Test func pointsOutOfOrderAreSortedAndCounted() throws {
    let track = try TrackText.read(
      TrackText.gpx(
        points: ["30", "10", "20"].map { second in
          "<trkpt lat=\"\(second)\" lon=\"2\"><time>2023-11-14T22:13:\(second)Z</time></trkpt>"
        }))
    #expect(track.fixes.map(\.latitude) == [10, 20, 30])
    #expect(track.log.count(.backwards) == 1)
  }

  @Test func ofTwoPlacesAtOneMomentTheFirstCounts() throws {
    let point = { (latitude: Int) in
      "<trkpt lat=\"\(latitude)\" lon=\"2\"><time>2023-11-14T22:13:20Z</time></trkpt>"
    }
    let track = try TrackText.read(TrackText.gpx(points: [point(5), point(6)]))
    #expect(track.fixes.map(\.latitude) == [5])
    #expect(
      track.log.texts == [
        "1 position of a moment that has another one before was left out (line 3)."
      ])
  }

  /// GPX 1.1 has −180 alone; NMEA, captures and circles have both.
  @Test func theDateLineMayBeWrittenAs180() throws {
    let track = try TrackText.read(TrackText.gpx([(1, 180), (1, -180), (1, 180.0001)]))
    #expect(track.fixes.map(\.longitude) == [-180, -180])
    #expect(track.log.count(.outOfRange) == 1)
  }

  @Test func exactlyZeroIsNoPosition() throws {
    let track = try TrackText.read(TrackText.gpx([(0, 0), (0, 2), (1, 0), (-0.0, 0)]))
    #expect(track.fixes.map(\.place) == [.line(3), .line(4)])
    #expect(
      track.log.texts.first
        == "2 positions at exactly 0°, 0°, which receivers write that have no fix, were left out (lines 2, 5)."
    )
  }

  @Test func whatWasReadAllTheSameIsToldInASentence() throws {
    let point = { (second: Int, inside: String) in
      "<trkpt lat=\"1\" lon=\"2\"><time>2023-11-14T22:13:\(second)</time>\(inside)</trkpt>"
    }
    let points = (10..<40).map { point($0, "") } + [point(40, "<ele>high</ele>")]
    let track = try TrackText.read(TrackText.gpx(points: points))
    #expect(
      track.log.texts == [
        "31 times without a zone were read as UTC (lines 2, 3, 4…).",
        "1 altitude, speed or course cannot be read: its point was used without it (line 32).",
      ])
    let oneLine = TrackText.gpx(points: points.dropLast()).replacing("\n", with: " ")
    #expect(
      try TrackText.read(oneLine).log.texts == [
        "30 times without a zone were read as UTC (line 1)."
      ])
  }

  @Test func aCutFileKeepsWhatCameBefore() throws {
    let whole = TrackText.gpx([(1, 2), (3, 4), (5, 6)])
    let cut = String(whole.prefix(whole.count - 60))
    let track = try TrackText.read(cut)
    #expect(track.fixes.count == 2)
    #expect(track.damage?.line == 4)
    #expect(track.damage?.description.hasPrefix("walk.gpx: line 4, column ") == true)
  }

  @Test(arguments: [
    ("not xml at all <", "is no track: neither GPX (XML) nor NMEA 0183"),
    ("<gpx><trk></gpx>", "walk.gpx: line 1, column 13: is no well-formed XML: mismatched tag."),
    ("<kml></kml>", "root element is \"kml\", not \"gpx\""),
    ("<gpx></gpx>", "has no track points (trk/trkseg/trkpt)."),
    ("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>", "its 1 waypoints and route points are no track"),
    (
      TrackText.gpx(points: ["<trkpt lat=\"1\" lon=\"2\"/>", "<trkpt lat=\"1\" lon=\"2\"/>"]),
      "walk.gpx: line 2, trkpt: none of the 2 track points has a time; without times"
    ),
    (
      TrackText.gpx(points: [
        "<trkpt lat=\"91\" lon=\"2\"/>", "<trkpt lat=\"1\"/>",
        "<trkpt lat=\"1\" lon=\"2\"><time>soon</time></trkpt>",
      ]),
      "can be used: 1 entry with a value out of range was left out (line 2); 2 entries with a value that "
        + "cannot be read were left out (lines 3, 4)."
    ),
    ("\u{1F}\u{8B}", "is no track"), ("  \n", "is empty"), ("", "is empty"),
  ])
  func aFileThatIsNoTrackIsToldInOneSentence(_ text: String, _ sentence: String) {
    #expect(TrackText.problem(text).contains(sentence))
  }

  @Test func aPackedFileIsToldToBeUnpacked() {
    let problem = #expect(throws: TextProblem.self) {
      try TrackReader.read([0x1F, 0x8B, 8, 0], name: "walk.gpx.gz")
    }
    #expect(problem?.description == "walk.gpx.gz: is packed; unpack it first (gunzip, unzip).")
  }

  /// «A billion laughs», and a file of the machine.
  @Test(arguments: [
    "<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">",
    "<!ENTITY b SYSTEM \"file:///etc/hostname\">",
  ])
  func documentTypesAreRefusedWithTheirEntities(_ entities: String) {
    let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [\(entities)]><gpx><trk>&b;</trk></gpx>"
    #expect(TrackText.problem(text).hasPrefix("walk.gpx: line 2: declares a document type"))
  }

  @Test func aMissingFileIsTold() {
    let problem = #expect(throws: TextProblem.self) { try TrackReader.read("no/such/walk.gpx") }
    #expect(
      problem?.description == "no/such/walk.gpx: cannot be opened: no such file or directory.")
  }

  @Test func filesInUTF16AreRead() throws {
    let text = TrackText.gpx([(1, 2)])
    let units: [UInt16] = [0xFEFF] + text.utf16
    let bytes: [UInt8] = units.flatMap { unit in [UInt8(unit & 255), UInt8(unit >> 8)] }
    #expect(try TrackReader.read(bytes, name: "t").fixes.count == 1)
  }
}
