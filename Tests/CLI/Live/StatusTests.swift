import Foundation
import Glibc
import Testing

/// What a run says of itself to those who watch over it.
@Suite("A run that is watched over", .timeLimit(.minutes(60))) struct StatusTests {
  private static let failing = Array(
    """
    plugin { version = "1.0", about = "Fails now and then" }
    local n = 0
    every(10, function() n = n + 1; if n % 2 == 0 then error("slip") end end)

    """.utf8)

  private func walk() throws -> Scratch {
    let scratch = try WalkScene().scratch
    try scratch.write("failing.lua", Self.failing)
    return scratch
  }

  private func text(_ file: String, _ scratch: Scratch) throws -> String {
    try String(contentsOf: scratch.folder.appending(path: file), encoding: .utf8)
  }

  @Test("says in a file how it went, whole, for everybody, and beside its lock alone")
  func statusFile() throws {
    let scratch = try walk()
    let before = Set(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path))
    let run = try Tool.shell(
      """
      umask 022; "$TOOL" replay --speed max --quiet --no-summary --plugin failing.lua \
        --status status.json --alerts alerts walk.btsnoop
      """, in: scratch.folder)
    #expect(run.status == 70, "\(run.errors)")
    let text = try text("status.json", scratch)
    #expect(text.hasPrefix(#"{"format":"beacontrace-live-status","version":1,"time":""#))
    #expect(Text.lines(text).count == 1 && text.hasSuffix("}\n"))
    let status = try JSON(Data(text.utf8))
    #expect(status["running"] == .bool(false))
    #expect(status["ok"] == .bool(false))
    #expect(status["problems"]?.list == [.text("rule_failed")])
    #expect(status["interface"] == .text("walk.btsnoop"))
    #expect(status["capturing"] == .bool(true))
    #expect((status["reports"]?.int ?? 0) > 100)
    #expect((status["beacons"]?.int ?? 0) > 0)
    #expect(status["lost"]?["kernel"]?.int == 0)
    let rule = try #require(status["rules"]?.list?.first)
    #expect(rule["name"] == .text("failing") && rule["on"] == .bool(true))
    #expect((rule["errors"]?.int ?? 0) == 10)
    #expect(status["receivers"]?.list?.first?["name"] == .text("file alerts"))
    #expect(status["recording"] == .null && status["state"] == .null)
    let after = Set(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path))
    #expect(after.subtracting(before) == ["status.json", "status.json.lock", "alerts"])
    let file = scratch.folder.appending(path: "status.json").path
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o644)
  }

  @Test("says in the end what became of alerts that were delivered behind the last packet")
  func deliveredAtTheEnd() throws {
    let scratch = try walk()
    try scratch.write("ten.lua", AlertDeliveryTests.rule)
    // Each is taken at its second try, a second later: the last ones' is behind the end.
    try scratch.write(
      "take",
      Array("#!/bin/sh\nmkdir seen$(cksum | cut -d' ' -f1) 2>/dev/null && exit 7\nexit 0\n".utf8))
    let run = try Tool.shell(
      "chmod +x take; \"$TOOL\" replay --speed 100 --quiet --no-summary --plugin ten.lua "
        + "--exec ./take --status status.json walk.btsnoop", in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let status = try JSON(Data(try text("status.json", scratch).utf8))
    #expect(status["running"] == .bool(false) && status["ok"] == .bool(true), "\(status)")
    #expect(status["problems"]?.list?.isEmpty == true)
    let receiver = try #require(status["receivers"]?.list?.first)
    #expect(receiver["delivered"]?.int == 20 && receiver["problem"] == .null)
    #expect(
      run.complaints.last
        == "beacontrace: exec ./take: alerts are delivered again; none is missing.",
      "\(run.errors)")
  }

  @Test("counts beacons as analyze does: telemetry belongs to the beacons of its address")
  func beacons() throws {
    let scratch = try walk()
    _ = try Tool.shell(
      "$TOOL replay --speed max -q --no-summary --status status.json walk.btsnoop > replayed.txt",
      in: scratch.folder)
    let status = try JSON(Data(try text("status.json", scratch).utf8))
    let analyzed = try JSON(
      try Tool.run("analyze", "-q", "--format", "json", "walk.btsnoop", in: scratch.folder).bytes)
    #expect(status["beacons"]?.int == analyzed["beacons"]?.list?.count)
  }

  @Test("refuses a status file that another run writes, or that is something else of it")
  func refused() throws {
    let scratch = try walk()
    let run = try Tool.run(
      ["replay", "--status", "s", "--alerts", "s", "--plugin", "failing.lua", "walk.btsnoop"],
      in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints.first?.hasPrefix("Error: --status s: that is what --alerts writes") == true)
    let held = try Tool.shell(
      "exec 9>s.lock; flock 9; \"$TOOL\" replay --status s walk.btsnoop", in: scratch.folder)
    #expect(held.status == 74)
    #expect(
      held.complaints.first
        == "beacontrace: s: another run keeps its status here. End that run, or name another file.",
      "\(held.errors)")
  }

  @Test("tells its service manager that it is ready, that it lives, and that it ends")
  func service() throws {
    let folder = try serviceFolder(walk())
    let manager = try ManagerSocket(folder.folder.appending(path: "manager").path)
    // A beat in half a second: the socket holds all of them until they are looked at.
    let run = try Tool.shell(
      """
      NOTIFY_SOCKET=$PWD/manager WATCHDOG_USEC=2000000 "$TOOL" replay --speed 100 --quiet --no-summary \
        --plugin ask.lua --exec "sh -c 'cat >/dev/null; env >> environment'" walk.btsnoop
      """, in: folder.folder)
    #expect(run.status == 0, "\(run.errors)")
    let told = manager.told
    #expect(told.first == "READY=1" && told.last == "STOPPING=1", "\(told)")
    #expect(told.count { $0 == "READY=1" } == 1)
    #expect(told.count { $0 == "WATCHDOG=1" } >= 2, "\(told)")
    #expect(told.contains { $0.hasPrefix("STATUS=walk.btsnoop") })
    // That is between the two of them: programs that it starts have another life.
    let environment = try text("environment", folder)
    #expect(environment.contains("PATH=") && !environment.contains("NOTIFY_SOCKET"))
    #expect(!environment.contains("WATCHDOG"))
  }

  private func serviceFolder(_ scratch: Scratch) throws -> Scratch {
    try scratch.write(
      "ask.lua",
      Array(
        """
        plugin { version = "1.0", about = "Tells now and then" }
        every(60, function() alert { title = "a minute" } end)

        """.utf8))
    return scratch
  }

  @Test(
    "gives alerts of its own where that is asked for: a rule that fails, a receiver that does not take"
  )
  func selfAlerts() throws {
    let scratch = try walk()
    let run = try Tool.run(
      [
        "replay", "--speed", "100", "--quiet", "--no-summary", "--format", "ndjson", "--plugin",
        "failing.lua", "--self-alerts", "--alerts", "alerts", "--exec", "false", "walk.btsnoop",
      ], in: scratch.folder)
    #expect([70, 74].contains(run.status), "\(run.errors)")
    // They are of the run, not of what it hears: its events are those of a file.
    #expect(!run.output.contains(#""type":"alert""#))
    let alerts = try Text.lines(text("alerts", scratch)).map { try JSON(Data($0.utf8)) }
    let rule = try #require(alerts.first)
    #expect(rule["event_type"] == .text("alert"))
    #expect(rule["alert"]?["category"] == .text("beacontrace"))
    #expect(rule["alert"]?["severity"]?.int == 2)
    #expect(rule["alert"]?["signature"]?.text?.hasPrefix("Rule 'failing' fails: ") == true)
    let event = try #require(rule["beacontrace"])
    #expect(event["type"] == .text("alert") && event["plugin"] == .text("beacontrace"))
    #expect(event["observer"] == .text("walk"))
    #expect(event["title"] == rule["alert"]?["signature"])
    #expect(event["text"]?.text?.contains("slip") == true)
    #expect(event["evidence"]?.list == [])
    // Who does not take alerts is told of to the others.
    #expect(
      alerts.contains {
        $0["alert"]?["signature"]?.text?.hasPrefix("exec false: an alert was not delivered") == true
      }, "\(alerts)")
  }

  @Test(
    "says that a rule was not replaced by the text that is in its file now, and when it is again")
  func notReplaced() throws {
    let scratch = try serviceFolder(walk())
    let run = try Tool.shell(
      """
      (sleep 1.5; cp ask.lua kept; echo 'syntax error' > ask.lua; sleep 3; cp kept ask.lua) &
      (sleep 4; cp status.json between.json) &
      "$TOOL" replay --speed 25 --quiet --no-summary --plugin ask.lua --self-alerts --alerts alerts \
        --status status.json walk.btsnoop; wait
      """, in: scratch.folder)
    #expect(run.errors.contains("ask: not replaced, the text before goes on"), "\(run.errors)")
    let between = try JSON(Data(try text("between.json", scratch).utf8))
    #expect(between["problems"]?.list == [.text("rule_not_replaced")], "\(between)")
    let rule = try #require(between["rules"]?.list?.first)
    #expect(rule["on"] == .bool(true) && rule["not_replaced"]?.text?.contains("syntax") == true)
    let after = try JSON(Data(try text("status.json", scratch).utf8))
    #expect(after["problems"]?.list == [] && after["rules"]?.list?.first?["not_replaced"] == .null)
    let alerts = try Text.lines(text("alerts", scratch)).map { try JSON(Data($0.utf8)) }
      .filter { $0["alert"]?["category"] == .text("beacontrace") }
    #expect(
      alerts.map { $0["alert"]?["signature"] } == [
        .text("Rule 'ask' is not replaced: the text before goes on"),
        .text("Rule 'ask' is the text of its file again"),
      ])
    #expect(alerts.first?["beacontrace"]?["text"]?.text?.contains("syntax") == true)
  }

  @Test("needs no rule for its own alerts, and somebody who gets them")
  func selfAlertsAlone() throws {
    let scratch = try walk()
    let well = try Tool.run(
      [
        "replay", "--speed", "max", "--quiet", "--no-summary", "--self-alerts", "--alerts", "a",
        "walk.btsnoop",
      ], in: scratch.folder)
    #expect(well.status == 0 && well.errors.isEmpty, "\(well.errors)")
    let nobody = try Tool.run(["replay", "--self-alerts", "walk.btsnoop"], in: scratch.folder)
    #expect(nobody.status == 64)
    #expect(
      nobody.complaints.first?.hasPrefix("Error: --self-alerts needs somebody to get them") == true)
  }
}

/// A service manager's ear.
private final class ManagerSocket {
  private let descriptor = socket(
    AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)

  init(_ path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let result = unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  /// What came so far, message by message.
  var told: [String] {
    var told: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
      guard count >= 0 else { return told }
      told.append(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}
