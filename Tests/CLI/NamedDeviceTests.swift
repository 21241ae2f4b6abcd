import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// `--device`: whatever an address advertises is followed, beacon or not.
@Suite("devices by their addresses", .timeLimit(.minutes(60))) struct NamedDeviceTests {
  /// 10:00 UTC.
  private static let start: Int64 = 1_779_184_800
  private static let headset = Address(0x0011_2233_4455, isRandom: false)
  private static let phone = Address(0x4A11_1111_1111, isRandom: true)
  private static let phoneLater = Address(0x5B22_2222_2222, isRandom: true)
  private static let beacon = Address(0xC235_3330_2550, isRandom: true)
  let scratch: Scratch

  /// The headset is there from 10:01 to 10:03, the phone all the time under two addresses; a beacon proves that
  /// the radio listens.
  init() throws {
    scratch = try Scratch()
    var records: [Record] = []
    func heard(_ address: Address, _ data: [UInt8], at second: Int64, rssi: Int8) {
      let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: rssi))
      records.append(
        Record((Self.start + second) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags))
    }
    let uuid = [UInt8](0..<16)
    for second in 0..<600 as Range<Int64> {
      heard(
        Self.beacon, Payload.iBeacon(uuid: uuid, major: 1, minor: 1, power: -59), at: second,
        rssi: -70)
      if (60..<180).contains(second), second % 2 == 0 {
        heard(Self.headset, Payload.flags() + Payload.name("JBL"), at: second, rssi: -60)
      }
      if second % 3 == 0 {
        heard(
          second < 300 ? Self.phone : Self.phoneLater,
          Payload.appleNearbyInfo([0x1B, UInt8(second & 0xFF)]), at: second, rssi: -80)
      }
    }
    try scratch.write("site.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
  }

  private static let options = [
    "--device", "headset=00:11:22:33:44:55", "--device",
    "phone=4a:11:11:11:11:11,5b:22:22:22:22:22",
  ]

  private func run(_ words: String...) throws -> Run {
    try Tool.run(words + Self.options + ["site.btsnoop"], in: scratch.folder)
  }

  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  @Test func whatIsNoBeaconHasARowARegionAndVisits() throws {
    let run = try run("analyze")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.output.contains("\ndevice\n  "))
    #expect(run.output.contains("    00:11:22:33:44:55  10:01:00–10:02:58\n"))
    #expect(run.output.contains("2 addresses  10:00:00–10:09:57\n"))
    #expect(
      run.output.contains("10:01:00  headset    entered         → left 10:03:28, gone"),
      "\(run.output)")
    #expect(
      run.output.contains("10:00:00  phone      already inside  → still inside"), "\(run.output)")
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    // Without it nobody is followed who sends no beacon.
    let without = try Tool.run("analyze", "site.btsnoop", in: scratch.folder)
    #expect(!without.output.contains("headset") && without.output.contains("1 visit"))
  }

  @Test func anEventOfADeviceIsExplainedByWhatWasSaid() throws {
    let events = try run(
      "events", "--format", "ndjson", "--where", "region == 'phone' or region == 'headset'")
    let told = try events.lines.map { try JSON($0) }
    let exit = try #require(told.first { $0["type"]?.text == "exit" })
    #expect(exit["region"]?.text == "headset" && exit["grade"]?.text == "gone")
    #expect(exit["transmitter"]?["kind"]?.text == "device")
    let why = try Tool.run(
      ["explain", exit["id"]?.text ?? ""] + Self.options + ["site.btsnoop"], in: scratch.folder)
    #expect(
      Self.words(why.output).contains("an address of headset, as --device says"), "\(why.output)")
    #expect(!why.output.contains("IRK") && !why.output.contains("prand"))
    // Nor is a private address one that a key has proved.
    let state = try #require(told.first { $0["region"]?.text == "phone" })
    let first = try Tool.run(
      ["explain", state["id"]?.text ?? ""] + Self.options + ["site.btsnoop"], in: scratch.folder)
    #expect(
      Self.words(first.output).contains("an address of phone, as --device says"), "\(first.output)")
    #expect(!first.output.contains("IRK") && !first.output.contains("prand"))
  }

  @Test func expressionsRulesAndSightingsKnowTheName() throws {
    let found = try run("sightings", "--format", "csv", "--where", "device == 'headset'")
    #expect(found.lines.count == 61, "\(found.errors)")
    #expect(found.lines.dropFirst().allSatisfy { $0.contains(",device,headset,") })
    try scratch.write(
      "rule.lua",
      Array(
        """
        region "mine" { address = "headset" }
        on("enter", "mine", function(e) alert { title = "in: " .. e.transmitter.device } end)

        """.utf8))
    let alerts = try run("events", "--plugin", "rule.lua", "--where", "type == 'alert'")
    #expect(alerts.output.contains("in: headset"), "\(alerts.output)\(alerts.errors)")
  }

  @Test func aCaseKeepsWhatWasSaidAndVerifies() throws {
    let made = try run("analyze", "--case", "c.sqlite", "--report", "c.html")
    #expect(made.status == 0, "\(made.errors)")
    let verified = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let info = try Tool.run("case", "info", "c.sqlite", in: scratch.folder)
    #expect(info.output.contains("headset=00:11:22:33:44:55"), "\(info.output)")
    let visits = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT region, grade FROM visits WHERE region = 'headset'", in: scratch.folder)
    #expect(visits.lines.dropFirst().first?.hasPrefix("headset,gone") == true)
    let page = try String(contentsOf: scratch.folder.appending(path: "c.html"), encoding: .utf8)
    #expect(page.contains("headset"))
  }

  @Test func otherCommandsTakeIt() throws {
    let replayed = try run("replay", "--speed", "max")
    #expect(replayed.output.contains("headset"), "\(replayed.errors)")
    let compared = try Tool.run(
      ["compare", "--all"] + Self.options + ["site.btsnoop", "site.btsnoop"], in: scratch.folder)
    #expect(compared.output.contains("3 beacons before, 3 now"), "\(compared.output)")
    let beacons = try run("analyze", "--no-regions", "--format", "json")
    let kinds = try JSON(beacons.output)["beacons"]?.list?.compactMap { $0["kind"]?.text } ?? []
    #expect(kinds.filter { $0 == "device" }.count == 2)
  }

  @Test func whoWasNotHeardIsTold() throws {
    for command in [["analyze"], ["sightings"], ["events"]] {
      let run = try Tool.run(
        command + ["--device", "tv=00:11:22:33:44:56", "site.btsnoop"], in: scratch.folder)
      #expect(
        Self.words(run.output + run.errors).contains(
          "--device: of 'tv' (00:11:22:33:44:56) nothing was heard."), "\(run.errors)")
    }
  }

  @Test(arguments: [
    (["--device", "tv"], "--device: 'tv' is no device; write NAME=ADDRESS"),
    (["--device", "tv=1"], "--device: device 'tv': address '1' is malformed"),
    (
      ["--device", "a=00:11:22:33:44:55", "--device", "b=00:11:22:33:44:55"],
      "'a' and 'b' have one address"
    ),
    (
      ["--device", "headset=00:11:22:33:44:55", "--region", "x=address:headst"],
      "there is no device 'headst' (did you mean 'headset'?)"
    ),
    (["--region", "x=address:headset"], "write --device headset=ADDRESS"),
  ])
  func mistakesAreTold(_ words: [String], _ told: String) throws {
    for command in ["analyze", "events"] {
      let run = try Tool.run([command] + words + ["site.btsnoop"], in: scratch.folder)
      #expect(run.status == 64 && Self.words(run.errors).contains(told), "\(run.errors)")
    }
  }

  /// Who asks for beacons of an address that sends none is told what does what was meant.
  @Test func aRegionOfAnAddressWithoutBeaconsNamesTheOption() throws {
    let run = try Tool.run(
      "analyze", "--region", "headset=address:00:11:22:33:44:55", "site.btsnoop", in: scratch.folder
    )
    #expect(
      Self.words(run.output).contains(
        "what sends none is followed with --device headset=00:11:22:33:44:55"), "\(run.output)")
  }
}
