import Testing

/// A declared region that nothing is of: the commonest reason is a digit.
@Suite("Regions that were never matched", .timeLimit(.minutes(60))) struct NeverMatchedTests {
  private static let uuid = SiteScene.uuid
  private static func told(_ regions: String..., all: Bool = true) throws -> String {
    let site = try SiteScene()
    try site.record(seconds: 60)
    let words = regions.flatMap { ["--region", $0] }
    let run = try Tool.run(
      ["analyze"] + (all ? ["--all"] : []) + words + ["site.btsnoop"], in: site.scratch.folder)
    return run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("a UUID with another digit has the one that was heard beside it")
  func digit() throws {
    let wrong = String(Self.uuid.dropLast()) + "6"
    let told = try Self.told("wrong=ibeacon:\(wrong):1")
    #expect(
      told.contains(
        "Region wrong was never matched: no iBeacon with this UUID was heard; the nearest one heard is "
          + "\(Self.uuid)."), "\(told)")
    let other = try Self.told("other=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e")
    #expect(other.contains("no iBeacon with this UUID was heard."), "\(other)")
  }

  @Test("of another major or minor those that were heard are listed")
  func numbers() throws {
    let told = try Self.told("hall=ibeacon:\(Self.uuid):11", "shelf=ibeacon:\(Self.uuid):1:9")
    #expect(
      told.contains(
        "Region hall was never matched: this UUID was heard, with the major 1; not 11."), "\(told)")
    #expect(
      told.contains("this UUID with major 1 was heard, with the minors 1, 2, 3, 4; not 9."),
      "\(told)")
  }

  @Test("another kind, another address and another URL are told, what matched is not")
  func others() throws {
    let told = try Self.told(
      "e=eddystone:00112233445566778899", "u=url:https://a.b/*", "a=address:c4:b0:00:00:01:05",
      "x=ibeacon:\(Self.uuid):1:1,address=c4:b0:00:00:01:02", "fine=ibeacon:\(Self.uuid):1:2")
    for sentence in [
      "Region e was never matched: no Eddystone-UID was heard at all.",
      "Region u was never matched: no Eddystone URL was heard at all.",
      "Region a was never matched: no beacon with this address was heard; the nearest one heard is "
        + "c4:b0:00:00:01:01.",
      "Region x was never matched: its address c4:b0:00:00:01:02 was heard, and sends \(Self.uuid):1:2; this UUID "
        + "with major 1 and minor 1 was heard, from other addresses alone.",
    ] { #expect(told.contains(sentence), "\(sentence) | \(told)") }
    #expect(!told.contains("Region fine"))
  }

  @Test("what other regions are for is not what was meant")
  func planned() throws {
    let told = try Self.told(
      "a=address:c4:b0:00:00:01:05", "b=address:c4:b0:00:00:01:01",
      "c=ibeacon:\(Self.uuid):1:2,address=c4:b0:00:00:01:02", "d=address:c4:b0:00:00:01:03")
    #expect(told.contains("the nearest one heard is c4:b0:00:00:01:04."), "\(told)")
    let scene = try SiteScene()
    let senders = (1...3).map { number in
      """
      {"name": "u\(number)", "kind": "eddystone-url", "url": "https://mus.ex/r\(number)", "interval_ms": 1000,
       "address": "c4:00:00:00:00:0\(number)", "at": [\(2 * number), 1]}
      """
    }
    try scene.scratch.synthesize(
      "urls",
      """
      {"name": "urls", "start": "2026-11-17T09:00:00Z", "duration_s": 60, "observer": [[0, 0, 0]],
       "beacons": [\(senders.joined(separator: ",\n"))]}
      """)
    func hints(_ regions: String...) throws -> String {
      try Tool.run(
        ["analyze", "--all"] + regions.flatMap { ["--region", $0] } + ["urls.btsnoop"],
        in: scene.scratch.folder
      ).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let rooms = ["1", "2"].map { "room \($0)=url:https://mus.ex/r\($0)" }
    let beside = try hints("any=url:https://mus.ex/*", "room 3=url:https://muz.ex/r3")
    #expect(beside.contains("the nearest one heard is https://mus.ex/r3."), "\(beside)")
    let typo = try hints(rooms[0], rooms[1], "room 3=url:https://muz.ex/r3")
    #expect(
      typo.contains("this URL was not heard; the nearest one heard is https://mus.ex/r3."),
      "\(typo)")
    let listed = try hints("room 9=url:https://mus.ex/r9,address=c4:00:00:00:00:02")
    #expect(
      listed.contains("its address c4:00:00:00:00:02 was heard, and sends https://mus.ex/r2."),
      "\(listed)")
    let elsewhere = try hints("room 2=url:https://mus.ex/r2,address=c4:00:00:00:00:09")
    #expect(elsewhere.contains("this URL was heard, from other addresses alone."), "\(elsewhere)")
  }

  @Test("a handful is told, and all with --all") func handful() throws {
    let few = try Self.told(
      "a=ibeacon:\(Self.uuid):2", "b=ibeacon:\(Self.uuid):3", "c=ibeacon:\(Self.uuid):4",
      "d=ibeacon:\(Self.uuid):5", "e=ibeacon:\(Self.uuid):6", all: false)
    #expect(few.contains("! …2 more like that (--all)."), "\(few)")
    #expect(!few.contains("Region e was"))
    let all = try Self.told(
      "a=ibeacon:\(Self.uuid):2", "b=ibeacon:\(Self.uuid):3", "c=ibeacon:\(Self.uuid):4",
      "d=ibeacon:\(Self.uuid):5", "e=ibeacon:\(Self.uuid):6")
    #expect(all.contains("Region e was") && !all.contains("more like that"), "\(all)")
  }

  @Test("namespaces, instances, URLs and id1 have their nearest, too")
  func otherKinds() throws {
    let run = try Tool.run(
      "analyze", "-q", "--all", "--region", "n=eddystone:8b0ca750e54c6e4d1a20",
      "--region", "i=eddystone:8b0ca750e54c6e4d1a2f:ffffffffffff",
      "--region", "u=url:https://museum.example/x*",
      "--region", "a=altbeacon:b9407f30f5f8466eaff925556b57fe60", Captures.walk)
    let told = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for sentence in [
      "Region n was never matched: no Eddystone-UID with this namespace was heard; the nearest one heard "
        + "is 8b0ca750e54c6e4d1a2f.",
      "Region i was never matched: this namespace was heard, with the instance",
      "Region u was never matched: no URL that begins like this was heard; the nearest one heard is "
        + "https://museum.example/.",
      "Region a was never matched: no AltBeacon with this id1 was heard; the nearest one heard is "
        + "b9407f30-f5f8-466e-aff9-25556b57fe6d.",
    ] { #expect(told.contains(sentence), "\(sentence) | \(told)") }
  }
}
