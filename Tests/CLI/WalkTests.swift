import Testing

/// Tracks, circles, positions, messages and markers through the tool, on a walk whose every event is
/// known beforehand.
@Suite(.timeLimit(.minutes(60)))
struct WalkTests {
  static let scene = Result { try WalkScene() }

  private func events(_ options: String...) throws -> [String] {
    let scene = try Self.scene.get()
    return try scene.events(options)
  }

  @Test func aBeaconIsLeftAnExitPeriodAfterItsLastSighting() throws {
    #expect(
      try events("--region", WalkScene.beacon) == [
        "0.0 state door inside, walk.btsnoop 1",
        "50.0 exit door, last seen 20.0, walk.btsnoop 41",
        "100.0 enter door, walk.btsnoop 122",
        "140.0 exit door, last seen 110.0, walk.btsnoop 142",
      ])
  }

  /// 105 m from the centre at 79 s, which lasts 20 s; 125 m at 125 s. The fixes around the crossing and
  /// around the moment it is told are the evidence.
  @Test(arguments: [("walk.gpx", 2), ("walk.nmea", 1)])
  func aCircleIsCrossedAtItsBoundaryAndToldAfterCushionAndDwell(_ track: String, _ first: Int)
    throws
  {
    func lines(_ fixes: Int...) -> String {
      fixes.map { ", \(track) \($0 + first)" }.joined()
    }
    #expect(
      try events("--region", WalkScene.circle, "--track", track) == [
        "0.0 state yard outside" + lines(0),
        "99.0 enter yard, crossed 77.0" + lines(7, 8, 9, 10),
        "145.0 exit yard, crossed 123.0" + lines(12, 13, 14, 15),
      ])
  }

  /// 50 m a fix. The first position is a significant change, too; the next one has a course, which the
  /// first had not.
  @Test func positionsAreToldPastTheDistanceFilter() throws {
    let told = try events(
      "--region", WalkScene.beacon, "--track", "walk.gpx",
      "--positions", "distance=140,significant,course"
    )
    .filter { $0.contains("position") }
    #expect(
      Set(told.prefix(2)) == [
        "0.0 position -, update, walk.gpx 2", "0.0 position -, significant, walk.gpx 2",
      ])
    #expect(
      told.dropFirst(2) == [
        "10.0 position -, course, walk.gpx 3", "30.0 position -, update, walk.gpx 5",
        "60.0 position -, update, walk.gpx 8", "90.0 position -, update, walk.gpx 11",
        "120.0 position -, update, walk.gpx 14", "150.0 position -, update, walk.gpx 17",
        "180.0 position -, update, walk.gpx 20",
      ])
  }

  @Test func aMessageIsFoundAndLostWithItsBeacon() throws {
    let found = [
      "0.0 message_found tea, walk.btsnoop 1",
      "50.0 message_lost tea, last seen 20.0, walk.btsnoop 41",
      "100.0 message_found tea, walk.btsnoop 122",
      "140.0 message_lost tea, last seen 110.0, walk.btsnoop 142",
    ]
    func messages(_ subscriptions: String...) throws -> [String] {
      try Self.scene.get().events(
        ["--messages", "messages.ndjson"] + subscriptions.flatMap { ["--subscribe", $0] }
      ).filter { $0.contains("message") }
    }
    #expect(try messages() == found)
    #expect(try messages("namespace=shop") == found)
    #expect(try messages("namespace=shop,type=offer", "namespace=other") == found)
    #expect(try messages("namespace=shop,ibeacon=no").isEmpty)
    #expect(try messages("namespace=other").isEmpty)
  }

  @Test func anEntryWaitsForTheDisplay() throws {
    let told = try events(
      "--region", WalkScene.beacon + ",notify_entry_state_on_display=yes", "--markers",
      "markers.csv")
    #expect(
      told.filter { $0.contains("enter") } == [
        "105.0 enter door, crossed 100.0, walk.btsnoop 122"
      ])
  }
}
