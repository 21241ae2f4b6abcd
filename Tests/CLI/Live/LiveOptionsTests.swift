import Foundation
import Glibc
import Testing

/// Wrong words, and machines without Bluetooth: what is said, and what to do.
@Suite("Live commands", .timeLimit(.minutes(60))) struct LiveOptionsTests {
  struct Wrong: Sendable, CustomTestStringConvertible {
    let words: String
    let status: Int32
    let says: String
    var testDescription: String { words }
  }

  private static func wrong(_ words: String, _ status: Int32, _ says: String) -> Wrong {
    Wrong(words: words, status: status, says: says)
  }

  static let wrongs = [
    wrong("live", 64, "Error: Missing expected argument '--interface <interface>'"),
    wrong("replay", 64, "Error: Missing expected argument '<capture> ...'"),
    wrong(
      "replay -", 64,
      "Error: What is replayed is read twice: write standard input (-) to a file first."),
    wrong(
      "replay nowhere", 66, "beacontrace: nowhere: cannot be opened: no such file or directory."),
    wrong("replay notes.txt", 66, "beacontrace: notes.txt: is text"),
    wrong("replay --speed 0 x", 64, "Error: The value '0' is invalid for '--speed <times>'"),
    wrong(
      "replay --keep 3 -w x.pcapng x", 64,
      "Error: --keep needs --rotate-size or --rotate-time: one file is not rotated."),
    wrong(
      "replay --keep 0 --rotate-time 1h -w x.pcapng x", 64,
      "Error: --keep 0: at least one file has to stay."),
    wrong(
      "replay --rotate-size 1M x", 64,
      "Error: --rotate-size, --rotate-time, --keep and --overwrite need --write FILE."),
    wrong(
      "replay --rotate-size many -w x.pcapng x", 64,
      "Error: The value 'many' is invalid for '--rotate-size <size>'"),
    wrong(
      "live -i bluetooth0 --controller hci0", 64,
      "Error: --controller, --power-up and --take-over are for --scan passive or --scan active."),
    wrong(
      "live -i bluetooth0 --scan passive -i bluetooth1", 64,
      "Error: --interface is given twice, and takes one value. bluetooth-monitor hears all"),
    wrong(
      "replay --plugin good.lua --alerts x --alerts=y good", 64,
      "Error: --alerts is given twice, and takes one value. Leave one of them out."),
    wrong(
      "replay -w x.pcapng --write y.pcapng good", 64, "Error: --write is given twice, and takes one"
    ),
    wrong("replay --state x --state x good", 64, "Error: --state is given twice, and takes one"),
    wrong(
      "replay --speed max --status notes.txt good", 64,
      "beacontrace: notes.txt: this is no status of a run, and is left as it is. Name another file, or move"
    ),
    wrong(
      "replay --speed max --status . good", 64,
      "beacontrace: .: it is no file, but a folder, a pipe or a device. Name another file."),
    wrong(
      "replay --speed max --plugin good.lua --alerts other good", 64,
      "beacontrace: other: it holds something else than JSON lines, and is left as it is."),
    wrong(
      "replay --speed max --plugin good.lua --alerts x --undelivered notes.txt good", 64,
      "beacontrace: notes.txt: it holds something else than JSON lines, and is left as it is."),
    wrong("live -i bluetooth0 --buffer 2G", 64, "Error: --buffer: at most 1G."),
    wrong(
      "live -i eth0", 69,
      "beacontrace: there is no interface eth0 to capture Bluetooth on; there is "),
    wrong(
      "replay -w x.pcap good", 74,
      "beacontrace: x.pcap: pcap files cannot say what was lost, or when nothing was captured. "
        + "Name the file .pcapng."),
    wrong("replay -w x.cap good", 74, "beacontrace: x.cap: "),
    wrong("replay -w there.pcapng good", 74, "beacontrace: there.pcapng: "),
    wrong("replay -w no/x.pcapng good", 74, "beacontrace: no/x.pcapng: no such file or directory."),
    wrong(
      "replay --plugin good.lua --write-on-alert x.btsnoop good", 74,
      "beacontrace: x.btsnoop: packets around alerts are written as pcapng, not as .btsnoop."),
    wrong(
      "replay --plugin good.lua --exec nowhere-at-all good", 64,
      "beacontrace: there is no program nowhere-at-all"),
    wrong(
      "replay --plugin good.lua --alerts no/x good", 74,
      "beacontrace: no/x cannot be opened for writing: no such file or directory. Choose a file"),
    wrong(
      "replay --exec true good", 64,
      "Error: --exec, --alerts and --write-on-alert are for alerts, which only rules give: name a"),
    wrong("replay -w good --overwrite good", 64, "Error: --write good: that is a capture, too"),
    wrong(
      "replay --alerts x --plugin good.lua --state x good", 64,
      "Error: --state x: that is what --alerts writes, too"),
    wrong("replay --state no/x good", 74, "beacontrace: no/x: "),
    // A service that were begun again would find the same file.
    wrong("replay --state notes.txt good", 64, "beacontrace: notes.txt: "),
    wrong(
      "replay --plugin good.lua --alerts - good", 64,
      "Error: --alerts and --undelivered need a file: standard output has the events"),
    wrong(
      "replay --alerts-from warning --plugin good.lua good", 64,
      "Error: --alerts-from needs --alerts FILE."),
    wrong(
      "replay --exec-from critical --plugin good.lua good", 64,
      "Error: --exec-from and --exec-at-once need --exec COMMAND."),
    wrong(
      "replay --exec true --exec-at-once 0 --plugin good.lua good", 64,
      "Error: --exec-at-once 0: from 1 to 64."),
    wrong(
      "replay --write-on-alert-from info --plugin good.lua good", 64,
      "Error: --before, --after and --write-on-alert-from need --write-on-alert FILE."),
    wrong(
      "live -i bluetooth0 --observer hall=good", 64,
      "Error: --observer and --observers put captures together; what live hears is called otherwise with --name"
    ),
    wrong(
      "replay --name hall --observer hall=good good", 64,
      "Error: --name and --observer both name the observer: give one of them."),
    wrong("replay --name hall good other", 64, "beacontrace: --name: in a replay of several"),
    wrong("replay -w x.pcapng --plugin bad.lua good", 64, "beacontrace: bad.lua:2: "),
  ]

  @Test("say what is wrong before anything is written", arguments: wrongs)
  func refusals(_ wrong: Wrong) throws {
    let scratch = try Scratch()
    let files = [
      "good": try Captures.read(Captures.h4), "other": try Captures.read(Captures.walk),
      "notes.txt": Array("some notes\n".utf8),
      "there.pcapng": [], "bad.lua": Array("plugin(\n".utf8),
      "good.lua": Array("plugin {}\non(\"enter\", function() end)\n".utf8),
    ]
    for (name, bytes) in files { try scratch.write(name, bytes) }
    let run = try Tool.run(
      wrong.words.split(separator: " ").map(String.init), in: scratch.folder)
    #expect(run.status == wrong.status)
    #expect(run.output.isEmpty)
    #expect(run.complaints.first?.hasPrefix(wrong.says) == true, "\(run.errors)")
    // What was there is as it was, and no recording was begun.
    for (name, bytes) in files {
      #expect(try [UInt8](Data(contentsOf: scratch.folder.appending(path: name))) == bytes)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(!left.contains { $0.hasPrefix("x.") })
  }

  /// As any family of sockets that the kernel does not know.
  static let hasBluetooth: Bool = {
    let descriptor = socket(31, Int32(SOCK_RAW.rawValue), 1)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0 || errno != EAFNOSUPPORT
  }()

  @Test(
    "say that the kernel has no Bluetooth, and what to do",
    .enabled(if: !hasBluetooth, "the kernel of this machine has Bluetooth"),
    arguments: ["bluetooth-monitor", "bluetooth0"])
  func noBluetooth(_ interface: String) throws {
    let run = try Tool.run("live", "-i", interface)
    #expect(run.status == 69)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        beacontrace: cannot open \(interface): the kernel has no Bluetooth (address family not \
        supported by protocol).
        Where it is a module:   sudo modprobe bluetooth
        Containers and WSL have no Bluetooth of their own: capture on the machine itself, and \
        analyze the file here.

        """)
  }

  @Test("list interfaces with one standing in both forms") func interfaces() throws {
    let text = try Tool.run("interfaces")
    let json = try Tool.run("interfaces", "--format", "json")
    #expect(text.status == json.status)
    #expect(text.errors.isEmpty && json.errors.isEmpty)
    let all = try #require(try JSON(json.bytes)["interfaces"]?.list)
    let canOpen = all.filter { $0["can_open"] == .bool(true) }
    #expect(text.status == (canOpen.isEmpty ? 69 : 0))
    for interface in all {
      let name = try #require(interface["name"]?.text)
      #expect(
        Set(interface.members?.keys.map { $0 } ?? []) == [
          "name", "description", "link_type", "can_open", "problem", "remedy",
        ])
      #expect([254, 201].contains(interface["link_type"]?.int))
      #expect((interface["problem"] == .null) == (interface["can_open"] == .bool(true)))
      #expect(text.lines.contains { $0.hasPrefix(name) })
    }
    if all.isEmpty { #expect(text.lines.last == "See   beacontrace doctor") }
  }

  @Test("tell with doctor what is missing, in both forms alike") func doctor() throws {
    let text = try Tool.run("doctor", "--listen", "100ms")
    let json = try Tool.run("doctor", "--listen", "100ms", "--format", "json")
    #expect([0, 69, 77].contains(text.status))
    #expect(text.status == json.status)
    #expect(text.errors.isEmpty && json.errors.isEmpty)
    let report = try JSON(json.bytes)
    let outcome = try #require(report["live_capture"]?.text)
    let statuses: [String: Int32] = [
      "ready": 0, "possible": 0, "impossible": 69, "not_permitted": 77,
    ]
    #expect(statuses[outcome] == json.status, "\(outcome)")
    let checks = try #require(report["checks"]?.list)
    #expect(checks.count == 9)
    for check in checks {
      let verdict = try #require(check["verdict"]?.text)
      #expect(["yes", "no", "unknown"].contains(verdict))
      // Each no comes with what mends it.
      if verdict == "no" { #expect(check["remedies"]?.list?.isEmpty == false) }
    }
    #expect(
      text.lines.count { $0.hasPrefix("  no  ") }
        == checks.count { $0["verdict"] == .text("no") })
  }

  /// On any machine, with a radio or without one.
  @Test("a start is tried out without a radio") func tryOut() throws {
    let scratch = try Scratch()
    try scratch.write("door.lua", Array("on('enter', 'door', function() end)\n".utf8))
    try scratch.write("worse.lua", Array("on('enter', 'door', function(\n".utf8))
    try scratch.write(
      "site.txt", Array("door=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:2\n".utf8))
    try scratch.write("bad.txt", Array("door=ibeacon:f7826da6\n".utf8))
    let files = [
      "--state", "s.json", "--status", "t.json", "--alerts", "a.ndjson", "-w", "r.pcapng",
    ]
    func check(_ words: [String]) throws -> Run {
      try Tool.run(
        ["live", "-i", "bluetooth0", "--check"] + files + words, in: scratch.folder)
    }
    let good = try check(["--regions", "site.txt", "--plugin", "door.lua"])
    #expect(good.status == 0, "\(good.errors)")
    #expect(good.output.hasPrefix("Nothing is wrong: 1 region, 1 plugin."), "\(good.output)")
    let regions = try check(["--regions", "bad.txt", "--plugin", "door.lua"])
    #expect(regions.status == 64 && regions.errors.contains("bad.txt"), "\(regions.errors)")
    let rules = try check(["--regions", "site.txt", "--plugin", "worse.lua"])
    #expect(rules.status == 64 && rules.errors.contains("worse.lua"), "\(rules.errors)")
    let here = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(Set(here) == ["door.lua", "worse.lua", "site.txt", "bad.txt"])
  }
}
