import CaptureReader
import Testing

@testable import Exports

@Suite("How a live run goes, as JSON") struct LiveHealthTests {
  private static var well: LiveHealth {
    var health = LiveHealth()
    health.status.name = "bluetooth0"
    health.status.rate = 40
    health.status.beacons = 2
    health.status.inside = ["hall \"1\""]
    health.time = 1_779_184_805_000_000_000
    health.since = 1_779_184_800_000_000_000
    health.reached = Timestamp(nanoseconds: 1_779_184_804_900_000_000)
    health.lastHeard = 1_779_184_804_000_000_000
    health.process = 12
    health.scans = true
    health.packets = 200
    health.reports = 190
    health.reportsPerSecond = 38
    return health
  }

  private static func text(_ health: LiveHealth) throws -> String {
    String(decoding: try health.json(), as: UTF8.self)
  }

  @Test("says what is well, on one line")
  func whole() throws {
    var health = Self.well
    health.receivers = [
      LiveHealth.Receiver("file a", delivered: 3, waiting: 1, undelivered: 0, problem: nil)
    ]
    health.rules = [LiveHealth.Rule("door", isOn: true, errors: 0)]
    health.recording = LiveHealth.Kept("site.pcapng", problem: nil)
    #expect(
      try Self.text(health) == #"""
        {"format":"beacontrace-live-status","version":1,"time":"2026-05-19T10:00:05.000000000Z",\#
        "since":"2026-05-19T10:00:00.000000000Z","pid":12,"running":true,"ok":true,"problems":[],\#
        "interface":"bluetooth0","capturing":true,"scanning":true,\#
        "run_time":"2026-05-19T10:00:04.900000000Z","last_report":"2026-05-19T10:00:04.000000000Z",\#
        "packets":200,"packets_per_second":40,"reports":190,"reports_per_second":38,"beacons":2,\#
        "inside":["hall \"1\""],"lost":{"kernel":0,"program":0},"behind_s":null,"clock_set_back":null,"alerts":0,\#
        "receivers":[{"name":"file a","delivered":3,"waiting":1,"waiting_s":0.0,"undelivered":0,"problem":null}],\#
        "not_reopened":[],"rules":[{"name":"door","on":true,"errors":0,"not_replaced":null}],"stdout":null,\#
        "recording":{"file":"site.pcapng","problem":null,"not_removed":null},"alert_recording":null,"state":null,\#
        "undelivered":null}

        """#)
  }

  @Test("says what was never heard, and what no record tells, as null")
  func unknown() throws {
    var health = Self.well
    health.scans = nil
    health.lastHeard = nil
    health.reached = .none
    let text = try Self.text(health)
    #expect(text.contains(#""scanning":null,"run_time":null,"last_report":null,"#))
    #expect(health.problems.isEmpty)
  }

  @Test("names each thing that is wrong")
  func problems() throws {
    func problems(_ change: (inout LiveHealth) -> Void) -> [String] {
      var health = Self.well
      change(&health)
      return health.problems
    }
    #expect(problems { $0.status.isOff = true } == ["not_capturing"])
    #expect(problems { ($0.status.isOff, $0.status.isDown) = (true, true) } == ["controller_down"])
    #expect(problems { $0.scans = false } == ["not_scanning"])
    #expect(problems { ($0.status.isDown, $0.scans) = (true, false) } == ["controller_down"])
    #expect(problems { $0.isSilent = true } == ["silent"])
    #expect(problems { ($0.isRunning, $0.scans, $0.isSilent) = (false, false, true) } == [])
    #expect(
      problems { $0.rules = [LiveHealth.Rule("a", isOn: false, errors: 20)] } == ["rule_off"])
    #expect(
      problems { $0.rules = [LiveHealth.Rule("a", isOn: true, errors: 1)] } == ["rule_failed"])
    #expect(
      problems {
        $0.rules = [LiveHealth.Rule("a", isOn: true, errors: 0, notReplaced: "no such file")]
      } == ["rule_not_replaced"])
    let full = LiveHealth.Kept("x", problem: "no space left")
    #expect(problems { $0.recording = full } == ["not_recorded"])
    #expect(problems { $0.notRemoved = "x cannot be removed" } == ["recordings_not_removed"])
    #expect(problems { $0.notReopened = ["x cannot be opened again"] } == ["not_reopened"])
    #expect(problems { $0.alertRecording = full } == ["alerts_not_recorded"])
    #expect(problems { $0.state = full } == ["state_not_kept"])
    #expect(problems { $0.undelivered = full } == ["undelivered_not_kept"])
    #expect(problems { $0.outputProblem = "is not read" } == ["stdout_not_read"])
    #expect(problems { $0.behind = 12_000_000_000 } == ["behind"])
    #expect(
      problems {
        $0.receivers = [
          LiveHealth.Receiver("x", delivered: 0, waiting: 0, undelivered: 1, problem: "failed")
        ]
      } == ["not_delivered"])
    #expect(
      problems {
        $0.receivers = [
          LiveHealth.Receiver(
            "x", delivered: 0, waiting: 2, isLate: true, longestWait: 75, undelivered: 0,
            problem: nil)
        ]
      } == ["delivery_late"])
    var down = Self.well
    down.status.isDown = true
    let text = try Self.text(down)
    #expect(text.contains(#""ok":false,"problems":["controller_down"],"#))
    #expect(text.contains(#""capturing":false,"#))
  }
}
