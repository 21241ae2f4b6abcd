import Testing

/// Text stands in 80 columns, whatever is told in it.
@Suite(.timeLimit(.minutes(60))) struct TextWidthTests {
  @Test("also a beacon with telemetry that was heard on two days far apart")
  func twoDays() throws {
    let scratch = try Scratch()
    for (name, start) in [("may", "2026-05-19T23:54:59Z"), ("december", "2026-12-05T23:54:59Z")] {
      try scratch.synthesize(
        name,
        """
        {"name": "\(name)", "start": "\(start)", "duration_s": 600, "observer": [[0, 0, 0]],
         "beacons": [{"name": "one", "kind": "eddystone-uid", "namespace": "8b0ca750e54c6e4d1a2f",
          "instance": "000000000001", "at": [1, 1], "interval_ms": 500, "telemetry_every": 5,
          "battery_mv": 2999, "temperature_c": 21.4, "address": "fb:65:78:64:ea:3a"}]}
        """)
    }
    let run = try Tool.run(
      ["analyze", "--observer", "hall=.", "may.btsnoop", "december.btsnoop"], in: scratch.folder)
    #expect(
      run.output.contains(
        /fb:65:78:64:ea:3a  2026-05-19 23:5\d:\d\d–2026-12-06 00:0\d:\d\d  2 99\d mV\n      2\d\.\d °C\n/
      ),
      "\(run.output)")
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
  }
}

/// Regions that come to be of what is heard are of iBeacons and Eddystone-UIDs.
@Suite(.timeLimit(.minutes(60))) struct NoRegionTests {
  private func scene() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.synthesize(
      "site",
      """
      {"name": "site", "duration_s": 60, "observer": [[0, 0, 0]],
       "beacons": [
        {"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1], "interval_ms": 500,
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d"},
        {"name": "other", "kind": "altbeacon", "at": [2, 2], "interval_ms": 500,
         "id": "2f234454cf6d4a0fadf2f4911ba9ffa600050001"}]}
      """)
    return scratch
  }

  private func hints(_ words: String..., in scratch: Scratch) throws -> [String] {
    let run = try Tool.run(
      ["analyze", "--format", "json"] + words + ["site.btsnoop"], in: scratch.folder)
    let hints = try JSON(run.output)["timeline"]?["hints"]?.list ?? []
    return hints.filter { $0["code"]?.text == "of_no_region" }.compactMap { $0["text"]?.text }
  }

  @Test("an AltBeacon that is of none is told once, with what gives it one")
  func altBeacon() throws {
    let scratch = try scene()
    #expect(
      try hints(in: scratch) == [
        "1 AltBeacon was heard and is of no region: of such none comes to be by itself. Name it with "
          + "--region; --regions-per beacon has one for each AltBeacon."
      ])
    #expect(try hints("--regions-per", "beacon", in: scratch) == [])
    #expect(
      try hints(
        "--region", "a=altbeacon:2f234454cf6d4a0fadf2f4911ba9ffa600050001", in: scratch) == [])
  }
}
