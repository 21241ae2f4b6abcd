import CaptureWriter
import Synth
import Testing

/// The truth of a capture is what the reader finds in it: the same lines, byte for byte.
struct TruthTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let container: String
    let link: String
    let order: ByteOrder
    var testDescription: String { "\(container) \(link) \(order.rawValue)" }
    var form: RecordingForm {
      get throws { try RecordingForm(container: container, link: link, order: order) }
    }
    var isAir: Bool { ["251", "256", "272", "192"].contains(link.prefix(3)) }
    var steps: Bool { container != "btsnooz" && container != "btsnooz-v1" }
  }

  static let forms = RecordingForm.containers.flatMap { container, links in
    links.flatMap { link in
      ByteOrder.allCases.map { Form(container: container, link: link, order: $0) }
    }
  }

  /// Every kind of beacon, extended advertising, several reports in an event, a clock that is set.
  static func scenario(_ form: Form) throws -> Scenario {
    try form.steps
      ? .bundled("workshop", "[30, 33]", by: "[4, 6]", seconds: 12)
      : .bundled(
        "workshop", "\"at_s\": 45, \"step_s\": -2.5", by: "\"at_s\": 45, \"step_s\": 1",
        seconds: 12)
  }

  @Test(arguments: forms)
  func readersFindWhatTheTruthSays(_ form: Form) throws {
    let seed = UInt64(form.link.count + form.container.count)
    let site = try Site(try Self.scenario(form), try form.form, seed: seed)
    #expect(site.sightings.count > 150)
    #expect(try site.difference() == nil, "seed \(seed)")
  }

  @Test(arguments: forms)
  func readersFindWhatDamageLeft(_ form: Form) throws {
    var kinds = ["malformed:2", "cut:2"]
    if !["packetlogger", "btsnooz-v1"].contains(form.container) { kinds.append("snap:2") }
    if !form.container.hasPrefix("btsnooz") { kinds += ["length:2", "junk:2", "tail"] }
    let seed = UInt64(form.link.count * 3 + form.container.count)
    var scenario = try Self.scenario(form)
    scenario.damage = try Strike.list(
      kinds.joined(separator: ","), over: scenario.duration, countsRecords: false, seed: seed)
    let site = try Site(scenario, try form.form, seed: seed)
    let notes = site.lines("damage")
    #expect(notes.count == scenario.damage.count)
    let lost = notes.compactMap { $0["lost_sightings"] as? Int }.reduce(0, +)
    #expect(lost > 0)
    #expect(try site.difference() == nil, "seed \(seed)")
  }

  /// Damage that comes thick and fast.
  @Test(arguments: UInt64(1)...12)
  func manyStrikes(_ seed: UInt64) throws {
    var scenario = try Scenario.bundled("workshop", seconds: 20)
    let form = try RecordingForm(
      container: seed % 2 == 0 ? "pcapng" : "pcap", link: seed % 3 == 0 ? "254" : "272")
    scenario.damage = try Strike.list(
      "malformed:9,cut:9,snap:9,length:9,junk:9,tail", over: scenario.duration,
      countsRecords: false, seed: seed)
    #expect(try Site(scenario, form, seed: seed).difference() == nil)
  }

  @Test(arguments: [".gz", ".zst"])
  func packedCaptures(_ packing: String) throws {
    let scenario = try Scenario.bundled("workshop", seconds: 12)
    let form = try RecordingForm(container: "pcapng", link: "256")
    let plain = try Site(scenario, form)
    let packed = try Site(scenario, form, packing: packing)
    #expect(packed.bytes.count < plain.bytes.count)
    #expect(try packed.difference() == nil)
    #expect(packed.sightings.count == plain.sightings.count)
  }

  @Test func captureStoppedAfterSoManyFrames() throws {
    let site = try Site(
      try .bundled("corridor", seconds: 60), try RecordingForm(container: "pcap", link: "256"),
      frames: 700)
    #expect(site.sightings.count == 700)
    #expect(try site.difference() == nil)
  }

  @Test func captureThatWouldNeverEnd() throws {
    var scenario = try Scenario.bundled("crowd")
    scenario.radio.loss = 1
    let form = try RecordingForm(container: "btsnoop")
    do {
      _ = try Site(scenario, form, frames: 100)
      Issue.record("it ended")
    } catch let problem as SettingsProblem {
      #expect(problem.text.hasPrefix("nothing more is heard at this site after 6 records"))
    }
  }

  /// As many identities as asked for, each heard before any is heard again.
  @Test func crowd() throws {
    var scenario = try Scenario.bundled("crowd")
    scenario.crowd = Scenario.Crowd(identities: 1500)
    scenario.radio.loss = 0
    let site = try Site(scenario, try RecordingForm(container: "btsnoop"), frames: 1600)
    #expect(try site.difference() == nil)
    let ids = site.sightings.map { $0.split(separator: "\"kind\"").last ?? "" }
    #expect(Set(ids.prefix(1400)).count == min(1400, ids.count))
    #expect(Set(ids).count > 1400)
    let addresses = site.sightings.prefix(1400).map {
      $0.split(separator: "\"address\"").last?.prefix(20) ?? ""
    }
    #expect(Set(addresses).count == 1400)
  }

  @Test func sameSeedGivesTheSameBytes() throws {
    let form = try RecordingForm(container: "pcapng", link: "272")
    let scenario = try Scenario.bundled("workshop", seconds: 10)
    let first = try Site(scenario, form, seed: 7)
    let second = try Site(scenario, form, seed: 7)
    #expect(first.bytes == second.bytes)
    #expect(first.truth == second.truth)
    #expect(try Site(scenario, form, seed: 8).bytes != first.bytes)
  }
}
