import Foundation
import Testing

/// What a terminal gets; `script` lends one, of 80 columns and 24 rows where nothing says how large it is.
@Suite(
  "The screen of a run", .enabled(if: Shells.has("script"), "script is not installed"),
  .timeLimit(.minutes(10)))
struct ScreenTests {
  private static let entered = "\u{1B}[?1049h"
  private static let left = "\u{1B}[?1049l"

  /// - Parameters:
  ///   - keys: commands of a shell that write to the terminal.
  ///   - command: with the tool as $TOOL.
  private func terminal(
    _ keys: String, _ command: String, files: [String: [UInt8]] = [:]
  ) throws -> Run {
    let scratch = try Scratch()
    for (name, bytes) in files { try scratch.write(name, bytes) }
    try scratch.write(
      "run.sh",
      Array(
        """
        stty rows 24 cols 80
        \(command)
        echo status $?
        stty -a | grep -o '[-]*icanon' | sed 's/^/keys /'
        """.utf8))
    let walk = "\(Captures.folder.path(percentEncoded: false))/\(Captures.walk)"
    return try Tool.shell(
      """
      export WALK="\(walk)" TERM=xterm TOOL
      (\(keys)) | script -qec 'sh run.sh' /dev/null
      """, in: scratch.folder)
  }

  /// Waits for `file`, which the command in the terminal makes.
  private static func wait(_ condition: String) -> String {
    "for try in $(seq 1200); do \(condition) && break; sleep 0.05; done"
  }

  @Test("is drawn, and q ends the run: the terminal is as it was, and the summary follows")
  func quit() throws {
    let run = try terminal(
      "\(Self.wait("[ $(cat kept.pcapng 2> /dev/null | wc -c) -gt 60000 ]")); printf s; sleep 1; printf q; sleep 1",
      "\"$TOOL\" replay --screen --speed 60 --write kept.pcapng \"$WALK\"")
    let text = run.output
    let start = try #require(text.range(of: Self.entered))
    let end = try #require(text.range(of: Self.left))
    #expect(start.upperBound < end.lowerBound)
    let page = text[start.upperBound..<end.lowerBound]
    #expect(page.contains("BEACONS") && page.contains("iBeacon b940…fe6d:1:1"))
    #expect(page.contains("strongest first"))
    // Behind a line as wide as the terminal its last character would be cleared.
    #expect(page.contains(";1H\u{1B}[K") && page.firstMatch(of: /[^H]\u{1B}\[K/) == nil)
    #expect(page.contains("inside for"))
    let after = text[end.upperBound...]
    #expect(after.contains("VISITS") && after.contains("Recorded "))
    #expect(after.contains("status 0") && after.contains("keys icanon"))
    #expect(!after.contains("keys -icanon"))
  }

  @Test(
    "gives the terminal back whatever ends the program",
    arguments: [("TERM", 0), ("INT", 0), ("QUIT", 131), ("SEGV", 139)])
  func killed(_ name: String, _ status: Int) throws {
    let run = try terminal(
      "sleep 30 & \(Self.wait("[ -e done ]")); kill -9 $!",
      """
      ulimit -c 0
      "$TOOL" replay --screen --speed 5 --no-summary --write kept.pcapng "$WALK" & tool=$!
      for try in $(seq 1200); do [ -s kept.pcapng ] && break; sleep 0.05; done
      sleep 0.5
      kill -\(name) $tool
      wait $tool; status=$?; touch done; (exit $status)
      """)
    let end = try #require(run.output.range(of: Self.left), "\(run.output.suffix(200))")
    let after = run.output[end.upperBound...]
    #expect(after.contains("status \(status)") && after.contains("keys icanon"), "\(after)")
  }

  @Test("says below itself, when it ends, what rules and receivers of alerts said")
  func told() throws {
    let run = try terminal(
      "sleep 30 & \(Self.wait("[ -e done ]")); kill -9 $!",
      """
      printf '%s\\n' 'plugin { version = "1.0", about = "Says things" }' \
        'on("enter", function(e) print("a rule speaks") alert { title = "Came" } end)' > rule.lua
      "$TOOL" replay --screen --speed max --no-summary --plugin rule.lua --exec 'echo a bell rings' "$WALK"
      touch done
      """)
    let end = try #require(run.output.range(of: Self.left), "\(run.output.suffix(200))")
    let after = run.output[end.upperBound...]
    #expect(after.contains("rule: a rule speaks"), "\(after)")
    #expect(after.contains("a bell rings"), "\(after)")
  }

  @Test("knows who is inside by the state of an earlier run")
  func restored() throws {
    let scene = try WalkScene()
    let whole = try [UInt8](Data(contentsOf: scene.scratch.folder.appending(path: "walk.btsnoop")))
    let records = 24
    let first = Array(whole[..<ReplayRunTests.end(of: records, in: whole)])
    let rest = ReplayRunTests.rest(of: whole, behind: records)
    let regions =
      "--region 'door=ibeacon:\(WalkScene.uuid):1:1' \(ReplayRunTests.other.joined(separator: " "))"
    let run = try terminal(
      "sleep 30 & \(Self.wait("[ -e done ]")); kill -9 $!",
      """
      "$TOOL" replay -q --speed max --no-summary --state kept \(regions) first/walk.btsnoop > /dev/null
      "$TOOL" replay --screen --speed 1 --no-summary --state kept \(regions) rest/walk.btsnoop & tool=$!
      sleep 1.5
      kill -TERM $tool
      wait $tool; touch done
      """, files: ["first/walk.btsnoop": first, "rest/walk.btsnoop": rest])
    let page = run.output
    #expect(
      page.contains("  door  inside") && page.contains("  yard  inside"), "\(page.suffix(900))")
  }

  @Test(
    "is refused where it cannot stand",
    arguments: [
      ("", 69, "--screen needs a terminal that can move its cursor"),
      ("--format ndjson", 64, "leave --format, --sightings and --quiet out, or --screen."),
      ("--sightings", 64, "leave --format, --sightings and --quiet out, or --screen."),
      ("--quiet", 64, "leave --format, --sightings and --quiet out, or --screen."),
    ])
  func refused(_ options: String, _ status: Int32, _ sentence: String) throws {
    let run = try Tool.shell("\"$TOOL\" replay --screen \(options) \(Captures.walk)")
    #expect(run.status == status)
    #expect(run.errors.replacing(/\s+/, with: " ").contains(sentence), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
