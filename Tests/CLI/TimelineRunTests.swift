import Foundation
import Testing

/// What a timeline must not depend on: the run, the processors, the order of the captures, and where
/// they are cut.
@Suite(.timeLimit(.minutes(60)))
struct TimelineRunTests {
  static let hasTaskset =
    (try? Tool.shell("taskset -pc $$"))?.status == 0

  static let outputs = [
    "analyze --all", "analyze --all --format json", "events --ranging",
    "events --ranging --format ndjson", "events --ranging --format csv",
  ]

  /// Under one processor nothing is read ahead, and nothing followed on a queue of its own.
  @Test(
    .enabled(if: hasTaskset, "needs taskset(1) to run on one processor"), arguments: outputs)
  func oneProcessorOrTwoGiveTheSameBytes(_ command: String) throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      "$TOOL" synth --duration 300 --out museum.pcapng.gz &&
      "$TOOL" synth --scenario corridor --duration 300 --out corridor.btsnoop || exit
      told() { "$@" "$TOOL" \(command) --profile site,core-location,abl-legacy \
        museum.pcapng.gz corridor.btsnoop; }
      told > first; told > second; told taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" > one
      cmp first second && cmp first one && wc -l < first
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(Int(run.output.filter(\.isNumber)) ?? 0 > 20)
  }

  @Test("without changes of proximity the other events are the same, ids and all")
  func noProximity() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      "$TOOL" synth --duration 200 --out museum.pcapng || exit
      told() { "$TOOL" events --profile site,core-location,abl-legacy --format ndjson "$@" museum.pcapng; }
      told | grep -v '"type":"proximity"' > others; told | wc -l
      told --no-proximity | cmp - others && wc -l < others
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let counts = run.lines.compactMap { Int($0.filter(\.isNumber)) }
    #expect(counts.count == 2 && counts[0] > counts[1] && counts[1] > 10, "\(counts)")
  }

  @Test func capturesInAnyOrderGiveTheSameEvents() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      later() { sed 's/"duration_s": 900/"start": "2026-05-19T10:0'$1':00Z", "duration_s": 200/'; }
      "$TOOL" synth --print-scenario corridor | later 1 > one.json
      "$TOOL" synth --print-scenario corridor | later 2 > two.json
      "$TOOL" synth --duration 200 --out museum.pcapng
      for name in one two; do "$TOOL" synth --scenario $name.json --out $name.btsnoop; done
      told() { "$TOOL" events --ranging --format ndjson "$@"; }
      told museum.pcapng one.btsnoop two.btsnoop > first
      told two.btsnoop one.btsnoop museum.pcapng | cmp - first &&
      told one.btsnoop two.btsnoop museum.pcapng | cmp - first && wc -l < first
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(Int(run.output.filter(\.isNumber)) ?? 0 > 100)
  }

  /// A capture and the same cut in three: the events, and their ids, once names and numbers of captures are
  /// left out of them.
  @Test(arguments: [
    "--profile site --plugin beacon-silent",
    "--profile site --ranging --plugin beacon-silent --set beacon-silent.after_s=20",
    "--profile abl-legacy --set scan_window=4 --set scan_interval=7",
  ])
  func anObserverGoesOnInTheNextFile(_ words: String) throws {
    let scratch = try Scratch()
    let settings = words.split(separator: " ").map(String.init)
    let made = try Tool.run(
      ["synth", "--scenario", "corridor", "--out", "whole.btsnoop"], in: scratch.folder)
    #expect(made.status == 0)
    let whole = try [UInt8](Data(contentsOf: scratch.folder.appending(path: "whole.btsnoop")))
    let pieces = ["first.log", "second.log", "third.log"]
    for (name, piece) in zip(pieces, Self.cut(whole, in: pieces.count)) {
      try scratch.write(name, piece)
    }
    let events = ["events", "--format", "ndjson"] + settings
    let one = try Tool.run(
      events + ["--observer", "phone=whole.btsnoop", "whole.btsnoop"], in: scratch.folder)
    let several = try Tool.run(
      events + ["--observer", "phone=\(pieces.joined(separator: ","))"] + pieces,
      in: scratch.folder)
    #expect(one.status == 0 && several.status == 0, "\(one.errors)\(several.errors)")
    #expect(one.lines.count { $0.contains(#""type":"exit""#) } > 3)
    #expect(words.contains("--plugin") == one.lines.contains { $0.contains(#""type":"alert""#) })
    #expect(several.lines.map(Self.withoutPlaces) == one.lines.map(Self.withoutPlaces))
    let apart = try Tool.run(events + pieces, in: scratch.folder)
    #expect(apart.lines.count != one.lines.count)
  }

  private static func withoutPlaces(_ line: String) -> String {
    line.replacing(/"evidence":.*/, with: "")
      .replacing(/,"capture":"[^"]*","frame":[0-9]+/, with: "")
  }

  /// Cuts a btsnoop file between records.
  private static func cut(_ file: [UInt8], in count: Int) -> [[UInt8]] {
    var pieces = [[UInt8]](repeating: Array(file[..<16]), count: count)
    var place = 16
    while place + 24 <= file.count {
      let length = file[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 24 + length
      pieces[(place - 16) * count / (file.count - 16)] += file[place..<end]
      place = end
    }
    return pieces
  }

  /// Ranging, too, hears nothing outside the windows, whether they are the profile's or one region's.
  @Test func aRegionsOwnDutyCycleIsThatOfAProfile() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      region=all=ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d
      told() { "$TOOL" events --ranging --format csv "$@" "\(Captures.folder.appending(path: Captures.walk).path)" | cut -d, -f2-; }
      told --region $region,scan_window=2,scan_interval=9 > own
      told --region $region --set scan_window=2 --set scan_interval=9 | cmp - own &&
      told --region $region > always
      wc -l < own; wc -l < always
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let lines = run.lines.compactMap { Int($0.filter(\.isNumber)) }
    #expect(lines.count == 2 && lines[0] > 50 && lines[0] != lines[1], "\(run.output)")
  }

  @Test func aPipeGivesTheEventsOfTheFile() throws {
    let file = try Tool.shell("\"$TOOL\" events --ranging --format ndjson \(Captures.walk)")
    let pipe = try Tool.shell(
      "zcat \(Captures.walk) | \"$TOOL\" events --ranging --format ndjson -")
    #expect(file.status == 0 && pipe.status == 0, "\(file.errors)\(pipe.errors)")
    #expect(file.lines.count > 100)
    func general(_ line: String, _ capture: String, _ observer: String) -> String {
      line.replacing(/"id":"[0-9a-f]{16}",/, with: "")
        .replacing("\"observer\":\"\(observer)", with: "\"observer\":\"x")
        .replacing("\"capture\":\"\(capture)\"", with: "\"capture\":\"x\"")
    }
    #expect(
      pipe.lines.map { general($0, "-", "stdin") }
        == file.lines.map { general($0, Captures.walk, "museum-walk") })
  }
}
