import Foundation
import Testing

/// Devices whose addresses change, from the option on to what is told of them.
@Suite(.timeLimit(.minutes(60)))
struct DeviceKeyTests {
  private static let phone = "ec0234a357c8ad05341010a60a397d9b"
  private static let backwards = "9b7d390aa610103405adc857a33402ec"
  private static let tag = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

  /// The capture `v.pcapng` with its truth, and `keys` as the generator writes them.
  private static func site() throws -> Scratch {
    let scratch = try Scratch()
    let made = try Tool.run(
      "synth", "--scenario", "visitors", "--out", "v.pcapng", "--truth", "truth", "--keys", "keys",
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    return scratch
  }

  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  private static func bytes(_ file: String, in scratch: Scratch) throws -> Data {
    try Data(contentsOf: scratch.folder.appending(path: file))
  }

  /// No output has a key, in whatever order or case.
  private static func expectNoKey(_ output: Data) {
    let text = String(decoding: output, as: UTF8.self).lowercased()
    for key in [phone, backwards, tag] {
      #expect(!text.contains(key.prefix(12)) && !text.contains(key.suffix(12)))
    }
    let raw = stride(from: 0, to: 32, by: 2).map { start in
      UInt8(phone.dropFirst(start).prefix(2), radix: 16) ?? 0
    }
    #expect(output.range(of: Data(raw)) == nil && output.range(of: Data(raw.reversed())) == nil)
  }

  /// What the generator says each device sent from, and what is made of it.
  @Test func sightingsHaveTheAddressesOfTheTruth() throws {
    let scratch = try Self.site()
    var sent: [String: Set<String>] = [:]
    for line in try Tool.shell("grep '\"truth\":\"beacon\"' truth", in: scratch.folder).lines {
      let beacon = try JSON(line)
      guard let device = beacon["device"]?.text else { continue }
      sent[device] = Set(beacon["addresses"]?.list?.compactMap { $0["address"]?.text } ?? [])
    }
    #expect(sent.mapValues(\.count) == ["phone": 3, "tag": 3])
    let run = try Tool.run(
      "sightings", "--format", "ndjson", "--keys", "keys", "v.pcapng", in: scratch.folder)
    #expect(run.status == 0 && run.errors == "")
    var others: [String] = []
    for line in run.lines {
      let sighting = try JSON(line)
      guard let device = sighting["device"]?.text else {
        others.append(line)
        continue
      }
      let address = try #require(sighting["address"]?.text)
      #expect(sent[device]?.contains(address) == true)
      if sighting["kind"]?.text == "device" {
        #expect(sighting["id"]?.text == device)
      } else {
        // What the truth has, with the name beside.
        others.append(line.replacingOccurrences(of: ",\"device\":\"\(device)\"", with: ""))
      }
    }
    let truth = try Tool.shell("grep '^{\"capture\"' truth", in: scratch.folder)
    #expect(others == truth.lines)
  }

  @Test func aDeviceHasARowAndARegionOfItsOwn() throws {
    let scratch = try Self.site()
    let without = try Tool.run("analyze", "v.pcapng", in: scratch.folder)
    #expect(without.output.contains("2:7 comes from 2 addresses one after the other"))
    let run = try Tool.run("analyze", "--keys", "keys", "v.pcapng", in: scratch.folder)
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains("\ndevice\n  tag "))
    #expect(
      run.output.contains(
        "    3 addresses  10:04:19–10:39:59\n    72:10:6a:23:f4:b0 (389), 49:bf:98:7d:12:8c (364), "
      ))
    #expect(run.output.contains("    2 addresses  of tag  10:00:00–10:25:02\n    63:5a:"))
    #expect(run.lines.contains { $0.hasPrefix("phone      2 visits, 26 min 49 s") })
    #expect(run.output.contains("10:34:22  phone      entered         → still inside"))
    // One device that changes its address is nothing to remark; who is of no key stays so.
    #expect(!run.output.contains("2:7 comes from"))
    #expect(run.output.contains("2:8 comes from 3 addresses"))
    #expect(!run.output.contains("sends 2 identities") && !run.output.contains("--keys"))
    for line in run.lines { #expect(line.count <= 80) }
    let json = try Tool.run(
      "analyze", "--format", "json", "--keys", "keys", "v.pcapng", in: scratch.folder)
    let beacons = try JSON(json.output)["beacons"]?.list ?? []
    let phone = try #require(
      beacons.first { $0["kind"]?.text == "device" && $0["id"]?.text == "phone" })
    #expect(phone["device"]?.text == "phone")
    #expect(phone["other_identities_of_its_addresses"]?.int == 0)
    let tagged = beacons.filter {
      $0["transmitters"]?.list?.allSatisfy { $0["device"]?.text == "tag" } == true
    }
    #expect(Set(tagged.compactMap { $0["kind"]?.text }) == ["device", "ibeacon"])
  }

  @Test func regionsGoByTheNamesOfKeys() throws {
    let scratch = try Self.site()
    let options = [
      "--keys", "keys", "--region", "owner=address:phone", "--region",
      "badge=ibeacon:74278bda-b644-4520-8f0c-720eaf059935,address=tag", "--region",
      "door=ibeacon:74278bda-b644-4520-8f0c-720eaf059935,address=phone",
    ]
    let run = try Tool.run(
      ["events", "--format", "ndjson", "--where", "type ~= 'proximity'"] + options + ["v.pcapng"],
      in: scratch.folder)
    let events = try run.lines.map { try JSON($0) }
    func told(_ region: String) -> [String?] {
      events.filter { $0["region"]?.text == region }.map { $0["type"]?.text }
    }
    #expect(told("owner") == ["state", "enter", "exit", "enter"])
    #expect(told("badge") == ["state", "exit"])
    // The phone sends no iBeacon.
    #expect(told("door") == ["state"])
    let badge = events.first { $0["region"]?.text == "badge" }?["transmitter"]
    #expect(badge?["kind"]?.text == "ibeacon" && badge?["device"]?.text == "tag")
    for region in ["owner", "badge"] {
      let exit = events.first { $0["region"]?.text == region && $0["type"]?.text == "exit" }
      let id = try #require(exit?["id"]?.text)
      let why = try Tool.run(["explain"] + options + [id, "v.pcapng"], in: scratch.folder)
      let (device, prand, hash) =
        region == "owner" ? ("phone", "49bf98", "7d128c") : ("tag", "61d80b", "edcbeb")
      #expect(
        Self.words(why.output).contains(
          "an address of \(device): ah(IRK of \(device), prand \(prand)) = hash \(hash); a key that is not "
            + "its own fits one address in 16 777 216"), "\(why.output)")
      #expect(why.output.contains("address──────────\n"))
      #expect(why.output.contains("hash──── prand───\n"))
      Self.expectNoKey(Data((why.output + why.errors).utf8))
    }
  }

  @Test(arguments: [
    (
      "x=address:phne",
      "there is no device 'phne' (did you mean 'phone'?); there are: phone, tag"
    ),
    ("x=ibeacon:74278bda-b644-4520-8f0c-720eaf059935,address=tga", "(did you mean 'tag'?)"),
    ("x=address:cart", "the key 'cart' is an Eddystone-EID's (eid:cart), and makes no addresses"),
    ("x=eid:crat", "there is no key 'crat' (did you mean 'cart'?)"),
  ])
  func regionsOfKeysThatAreNotThereAreRefused(_ region: String, _ text: String) throws {
    let scratch = try Self.site()
    try scratch.write("more", Array("cart=eid:0102030405060708090a111213141516\n".utf8))
    let run = try Tool.run(
      "analyze", "--keys", "keys", "--keys", "more", "--region", region, "v.pcapng",
      in: scratch.folder)
    #expect(run.status == 64 && run.errors.contains(text), "\(run.errors)")
    let none = try Tool.run(
      "analyze", "--region", "x=address:phone", "v.pcapng", in: scratch.folder)
    #expect(none.status == 64 && none.errors.contains("with --keys"))
  }

  @Test func keysThatWereForNothingOrStandTheOtherWayRoundAreTold() throws {
    let scratch = try Self.site()
    try scratch.write(
      "keys",
      Array("phone=irk:\(Self.backwards)\nbed=irk:ff\(Self.tag.dropFirst(2))\n".utf8))
    let reversed =
      "--keys: of 'phone' no address was heard, but 3 are of its key with the bytes in the other order: write "
      + "phone=irk:KEY,reversed, or leave ',reversed' out where it stands."
    for command in [["analyze"], ["sightings"], ["replay", "--speed", "max"]] {
      let run = try Tool.run(command + ["--keys", "keys", "v.pcapng"], in: scratch.folder)
      let told = Self.words(run.output + run.errors)
      #expect(told.contains("--keys: of 'bed' no address was heard; "), "\(command)")
      #expect(told.contains(Self.words(reversed)), "\(command)")
      Self.expectNoKey(Data((run.output + run.errors).utf8))
    }
    try scratch.write("keys", Array("phone=irk:\(Self.backwards),reversed\n".utf8))
    let right = try Tool.run("analyze", "--keys", "keys", "v.pcapng", in: scratch.folder)
    #expect(right.output.contains("\ndevice\n  phone") && !right.output.contains("--keys"))
  }

  @Test func rulesAndExpressionsKnowDevices() throws {
    let scratch = try Self.site()
    try scratch.write(
      "seen.lua",
      Array(
        """
        local seen = {}
        on("sighting", { device = "tag", kind = "ibeacon" }, function(s) seen[s.device .. s.kind] = s end)
        on("enter", "phone", function(e) alert { title = "in: " .. e.transmitter.device } end)
        on("exit", "phone", function(e)
          alert { title = "seen: " .. next(seen) }
        end)

        """.utf8))
    let run = try Tool.run(
      "events", "--keys", "keys", "--plugin", "seen.lua", "--where", "type == 'alert'", "v.pcapng",
      in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("in: phone") && run.output.contains("seen: tagibeacon"), "\(run.output)")
    let found = try Tool.run(
      "sightings", "--keys", "keys", "--where", "device == 'tag' and kind ~= 'device'", "v.pcapng",
      in: scratch.folder)
    #expect(found.lines.count == 1323)
    #expect(found.lines.dropFirst().allSatisfy { $0.hasSuffix(":2:7 of tag") })
    try scratch.write(
      "region.lua", Array("region \"me\" { address = \"phone\" }\n".utf8))
    let region = try Tool.run(
      "events", "--keys", "keys", "--plugin", "region.lua", "v.pcapng", in: scratch.folder)
    #expect(region.output.contains("enter      me"), "\(region.output)")
  }

  @Test func aCaseKnowsItsKeysFileAndNoKey() throws {
    let scratch = try Self.site()
    let made = try Tool.run(
      "analyze", "--keys", "keys", "--case", "c.sqlite", "--report", "c.html", "--keep-sightings",
      "v.pcapng", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let beacons = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT id_text, count(*) FROM (SELECT b.identity AS id_text FROM beacons b JOIN transmitters t "
        + "ON t.beacon_id = b.id WHERE b.kind = 'device') GROUP BY 1 ORDER BY 1", in: scratch.folder
    )
    #expect(beacons.output.contains("phone,3") && beacons.output.contains("tag,2"), "\(beacons)")
    let verified = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let exit = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT event FROM events WHERE type = 'exit' AND title LIKE '%phone%'", in: scratch.folder)
    let id = exit.lines[1].trimmingCharacters(in: .whitespacesAndNewlines)
    let why = try Tool.run("explain", id, "c.sqlite", in: scratch.folder)
    #expect(Self.words(why.output).contains("ah(IRK of phone, prand 49bf98) = hash 7d128c"))
    #expect(why.output.contains("hash──── prand───\n"))
    for file in ["c.sqlite", "c.html"] { Self.expectNoKey(try Self.bytes(file, in: scratch)) }
    let json = try Tool.run(
      "analyze", "--format", "json", "--keys", "keys", "v.pcapng", in: scratch.folder)
    Self.expectNoKey(Data(json.output.utf8))
    // Another key, another story.
    try scratch.write("keys", Array("phone=irk:\(Self.tag)\n".utf8))
    let changed = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(changed.status == 65)
    Self.expectNoKey(Data((changed.output + changed.errors).utf8))
  }

  @Test func mistakesInTheFileAreToldWithTheirLineAndWithoutTheKey() throws {
    let scratch = try Self.site()
    for (line, text) in [
      (
        "phone=irk:\(Self.phone)0", "keys: line 2: key 'phone': the key is malformed: 33 characters"
      ),
      (
        "phone=irk:\(String(repeating: "0", count: 32))",
        "line 2: key 'phone': the key is all zeros"
      ),
      ("phone=irk:\(Self.phone),\(Self.tag)", "line 2: key 'phone': unknown option '…'"),
    ] {
      try scratch.write("keys", Array("# keys\n\(line)\n".utf8))
      let run = try Tool.run("analyze", "--keys", "keys", "v.pcapng", in: scratch.folder)
      #expect(run.status == 64 && run.errors.contains(text), "\(run.errors)")
      Self.expectNoKey(Data(run.errors.utf8))
    }
  }

  /// Its addresses are others each time, and it is the same.
  @Test func sidesAreComparedByTheNameOfTheKey() throws {
    let scratch = try Self.site()
    let made = try Tool.run(
      "synth", "--scenario", "visitors", "--seed", "2", "--out", "later.pcapng", in: scratch.folder)
    #expect(made.status == 0)
    let run = try Tool.run(
      "compare", "--all", "--keys", "keys", "v.pcapng", "later.pcapng", in: scratch.folder)
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains("5 beacons before, 5 now: 0 missing, 0 new"), "\(run.output)")
    #expect(!run.output.contains("2:7") && !run.output.contains("phone"), "\(run.output)")
  }
}
