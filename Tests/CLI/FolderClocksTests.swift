import Foundation
import Testing

/// `clocks` of a site with a folder for each receiver: recordings in several files have one clock.
@Suite("clocks of receivers with folders", .timeLimit(.minutes(60)))
final class FolderClocksTests {
  private let scratch: Scratch

  /// `hall` and `door` hear the same, the door by a clock that is five minutes behind; `attic` and `cellar`
  /// hear others.
  init() throws {
    scratch = try Scratch()
    try make("hall", seed: 1, start: "2026-05-19T10:00:00Z", address: "c4:a1:00:00:01")
    try make("door", seed: 2, start: "2026-05-19T09:55:00Z", address: "c4:a1:00:00:01")
    try make("attic", seed: 3, start: "2026-05-19T10:00:00Z", address: "c4:a1:00:00:02")
    try make("cellar", seed: 4, start: "2026-05-19T10:00:07Z", address: "c4:a1:00:00:02")
  }

  /// - Parameter drifts: its clock is fast by a third of a thousandth: a millisecond (`synth` knows none that
  ///   is shorter) in three seconds.
  private func make(
    _ name: String, seed: Int, start: String, address: String, drifts: Bool = false,
    into: String = "site"
  ) throws {
    let moments = drifts ? Array(stride(from: 1, to: 420, by: 3)) : []
    let steps = moments.map { #"{"at_s": \#($0), "step_s": 0.001}"# }.joined(separator: ", ")
    let scenario = """
      {"name": "\(name)", "start": "\(start)", "duration_s": 420, "clock_steps": [\(steps)],
        "radio": {"loss": 0.3, "seed": \(seed)}, "observer": [[0, 1, 0]],
        "beacons": [
          {"name": "a", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
            "minor": 1, "address": "\(address):01", "at": [3, 4], "interval_ms": 300},
          {"name": "b", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
            "minor": 2, "address": "\(address):02", "at": [5, 2], "interval_ms": 500}]}
      """
    let whole = "\(into)-\(name)"
    try scratch.write("\(whole).json", Array(scenario.utf8))
    let made = try Tool.shell(
      "mkdir -p \(into)/\(name); $TOOL synth --scenario \(whole).json -o \(whole).btsnoop && "
        + "$TOOL replay --speed max -q --no-summary --write \(into)/\(name)/cap.pcapng --rotate-time 2min "
        + "\(whole).btsnoop > replay.txt && rm \(into)/\(name)/*.lock",
      in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private static func flat(_ text: String) -> String {
    text.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// Values of the `--clock` options that it proposes.
  private static func proposals(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("    --clock ") }
      .map { $0.dropFirst(12).trimmingCharacters(in: ["'"]) }
  }

  private static let pair = ["site/door", "site/hall"]

  @Test("compares receiver with receiver, and proposes an option for all of a folder")
  func together() throws {
    let command = ["clocks", "--observers", "folder", "--against", "hall"]
    let told = try run(command + Self.pair)
    #expect(told.status == 0, "\(told.errors)")
    #expect(told.lines.allSatisfy { $0.count <= 80 })
    #expect(Self.flat(told.output).contains("against hall (4 captures)"), "\(told.output)")
    #expect(Self.flat(told.output).contains("door 5 min 00.000 s behind"), "\(told.output)")
    #expect(Self.proposals(told.output) == ["site/door=+300.000s"])
    #expect(!told.output.contains("WARNING"))
    let after = try run(command + ["--clock", "site/door=+300.000s"] + Self.pair)
    #expect(after.output.contains("Their clocks agree within 50 ms."), "\(after.output)")
    #expect(Self.proposals(after.output).isEmpty)
  }

  @Test("the same with each folder named by itself", arguments: ["text", "json"])
  func named(_ format: String) throws {
    let command = ["clocks", "--format", format]
    let short = try run(command + ["--observers", "folder"] + Self.pair)
    let long = try run(
      command + ["--observer", "door=site/door", "--observer", "hall=site/hall"] + Self.pair)
    #expect(short.status == 0 && !short.bytes.isEmpty, "\(short.errors)")
    #expect(short.bytes == long.bytes)
    #expect(short.errors == long.errors)
    #expect(try run(command + Self.pair).bytes != short.bytes)
  }

  @Test("JSON says which captures are of whom") func json() throws {
    let run = try run(["clocks", "--observers", "folder", "--format", "json"] + Self.pair)
    let json = try JSON(run.bytes)
    let observers = json["captures"]?.list?.map { $0["observer"]?.text } ?? []
    #expect(observers.count == 8)
    #expect(Set(observers) == ["door", "hall"])
    #expect(json["groups"]?.list?.count == 1)
    let captures = json["groups"]?.list?.first?["captures"]?.list ?? []
    #expect(captures.count == 1)
  }

  @Test("a drift has an option for each file, with which the clocks agree") func drifting() throws {
    try make(
      "door", seed: 2, start: "2026-05-19T09:55:00Z", address: "c4:a1:00:00:01", drifts: true,
      into: "drifting")
    let words = ["--observers", "folder", "--against", "hall", "drifting/door", "site/hall"]
    let told = try run(["clocks"] + words)
    let proposals = Self.proposals(told.output)
    #expect(proposals.count == 4, "\(told.output)")
    #expect(proposals.allSatisfy { $0.hasPrefix("drifting/door/cap") && $0.contains(",drift=") })
    let after = try run(["clocks"] + proposals.flatMap { ["--clock", $0] } + words)
    #expect(after.output.contains("Their clocks agree within 50 ms."), "\(after.output)")
  }

  @Test("warns where groups of receivers have nothing in common") func groups() throws {
    let run = try run(["clocks", "--observers", "folder", "site"])
    let text = Self.flat(run.output)
    #expect(run.status == 0, "\(run.errors)")
    #expect(text.contains("WARNING: no packets are known that these 2 groups ("), "\(run.output)")
    #expect(text.contains("To read its group by its clock:"))
    let moved = Self.proposals(run.output).map { String($0.prefix { $0 != "=" }) }
    #expect(moved.count == 2)
    #expect(moved.filter { ["site/door", "site/hall"].contains($0) }.count == 1)
    #expect(moved.filter { ["site/attic", "site/cellar"].contains($0) }.count == 1)
  }

  @Test("without it proposes it, and of one receiver alone there is nothing to compare")
  func alone() throws {
    let each = try run(["clocks"] + Self.pair)
    #expect(
      Self.flat(each.output).contains("If one radio wrote each folder: --observers folder"),
      "\(each.output)")
    let one = try run(["clocks", "--observers", "folder", "site/door"])
    #expect(one.status == 64)
    #expect(one.errors.contains("all captures are of door"), "\(one.errors)")
  }
}
