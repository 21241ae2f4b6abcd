import Foundation
import TestSupport
import Testing

/// From a visit to its proof.
@Suite("The ids of a visit's entry and exit") struct VisitEventTests {
  private static let museum = Captures.folder.appending(path: Captures.walk).path

  /// Type, profile, observer and region by id of what was told of somebody who came or went.
  private static func told(_ options: [String], in folder: URL) throws -> [String: String] {
    let run = try Tool.run(["events", "--format", "ndjson"] + options, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    var ids: [String: String] = [:]
    for event in try run.lines.map({ try JSON($0) }) {
      let type = event["type"]?.text ?? ""
      let isEntry = type == "enter" || type == "state" && event["state"]?.text == "inside"
      guard isEntry || type == "exit", let id = event["id"]?.text else { continue }
      ids[id] = Self.about(event, type)
    }
    return ids
  }

  private static func about(_ item: JSON, _ type: String) -> String {
    ([type] + ["profile", "observer", "region"].map { item[$0]?.text ?? "-" })
      .joined(separator: " ")
  }

  private static func stays(_ options: [String], in folder: URL) throws -> [JSON] {
    let run = try Tool.run(["analyze", "--format", "json"] + options, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    return try JSON(run.output)["timeline"]?["stays"]?.list ?? []
  }

  @Test(
    "are those of the events that were told, each once, whatever the settings",
    arguments: [
      [museum],
      ["--regions-per", "beacon", "--profile", "site,core-location,abl-legacy", museum],
      ["--profile", "abl-legacy", "--set", "exit_after=3", museum],
      ["--region", WalkScene.beacon, "--set", "exit_after=1", "walk.btsnoop"],
      ["--region", WalkScene.circle, "--track", "walk.gpx", "walk.btsnoop"],
      [
        "--region", WalkScene.beacon + ",notify_entry_state_on_display=yes", "--region",
        WalkScene.circle + ",notify_entry_state_on_display=yes", "--track", "walk.gpx", "--markers",
        "markers.csv", "walk.btsnoop",
      ],
      [
        "--region", WalkScene.beacon + ",notify_on_entry=no", "--region",
        WalkScene.circle + ",notify_on_exit=no", "--track", "walk.gpx", "walk.btsnoop",
      ],
    ])
  func events(_ options: [String]) throws {
    let scene = try WalkScene()
    let folder = scene.scratch.folder
    var told = try Self.told(options, in: folder)
    #expect(!told.isEmpty)
    for stay in try Self.stays(options, in: folder) {
      if let entry = stay["entry_event"]?.text {
        let type = stay["already_inside"] == .bool(true) ? "state" : "enter"
        #expect(told.removeValue(forKey: entry) == Self.about(stay, type), "\(stay)")
      }
      if let exit = stay["exit_event"]?.text {
        #expect(told.removeValue(forKey: exit) == Self.about(stay, "exit"), "\(stay)")
      }
    }
    #expect(told.isEmpty, "\(told)")
    withExtendedLifetime(scene) {}
  }

  @Test("are none where nothing was told, and of who is inside still") func silenced() throws {
    let scene = try WalkScene()
    let folder = scene.scratch.folder
    let stays = try Self.stays(
      [
        "--region", WalkScene.beacon + ",notify_on_entry=no", "--set",
        "enter_on_first_sight=yes", "walk.btsnoop",
      ], in: folder)
    #expect(stays.map { $0["entry_event"] } == [.null, .null])
    #expect(stays.allSatisfy { $0["exit_event"]?.text?.count == 16 })
    let open = try Self.stays([Self.museum], in: folder).filter { $0["until"] == .null }
    #expect(open.count == 2 && open.allSatisfy { $0["exit_event"] == .null })
    withExtendedLifetime(scene) {}
  }

  @Test("stand below it in the text, in the case and in what is made of it") func sinks() throws {
    let scratch = try Scratch()
    func run(_ words: String...) throws -> Run {
      let run = try Tool.run(words, in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
      return run
    }
    let stays = try Self.stays([Self.museum], in: scratch.folder)
    let lines = stays.map { stay in
      let exit = stay["exit_event"]?.text.map { "  exit \($0)" } ?? ""
      return "          entry \(stay["entry_event"]?.text ?? "")\(exit)"
    }
    let text = try run("analyze", "--case", "a.sqlite", Self.museum).lines
    #expect(text.filter { $0.hasPrefix("          entry ") } == lines)
    let rows = try run(
      "case", "query", "--format", "csv", "a.sqlite", "SELECT entry_event, exit_event FROM visits"
    ).lines
    #expect(
      rows.dropFirst().map { $0.replacing("\r", with: "") }
        == stays.map {
          "\($0["entry_event"]?.text ?? ""),\($0["exit_event"]?.text ?? "")"
        })
    let exits = stays.compactMap { $0["exit_event"]?.text }
    let exit = try #require(exits.first)
    let why = try run("explain", exit, "a.sqlite").output
    #expect(why.hasPrefix("exit of b940…fe6d at 2026-05-19 10:07:11"), "\(why)")
    #expect(try run("explain", exit, Self.museum).output == why)
  }

  /// Explain would not find them: it reads each of several captures from its own beginning on.
  @Test("are left out of the text where the run has ids of its own", arguments: [1, 2])
  func ownIDs(_ captures: Int) throws {
    let scratch = try Scratch()
    let capture = try Data(contentsOf: Captures.folder.appending(path: Captures.walk))
    let names = (0..<captures).map { "\($0).btsnoop.gz" }
    // An empty part behind it, with a byte of its own, makes another file of it: one that is the same would be left out.
    for (place, name) in names.enumerated() {
      let part: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, UInt8(place), 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ]
      try scratch.write(name, Array(capture) + part)
    }
    let run = try Tool.run(["replay", "--speed", "max"] + names, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let text = run.output + run.errors
    #expect(text.contains("ids of this run may be others") == (captures > 1), "\(text)")
    #expect(text.contains("          entry ") == (captures == 1), "\(text)")
  }
}
