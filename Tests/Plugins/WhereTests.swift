import Analysis
import CaptureReader
import Plugins
import Regions
import Testing

/// `--where`: what an expression may name, and what it takes.
@Suite("An expression over fields")
struct WhereTests {
  @Test(
    "that names no field is refused before anything is read",
    arguments: [
      ("rsi > -60", WhereFields.sightings, "no field 'rsi' in a sighting; did you mean 'rssi'?"),
      ("grad == 'gone'", .events, "no field 'grad' in an event; did you mean 'grade'?"),
      ("rssi > -60", .events, nil), ("major == 1 and math.abs(rssi) < 3", .sightings, nil),
      ("(function(x) return x end)(minor)", .sightings, nil),
      ("severity == 'warning' and fields.n > 3", .events, nil), ("dofile", .sightings, "dofile"),
    ] as [(String, WhereFields, String?)])
  func names(_ text: String, _ fields: WhereFields, _ said: String?) {
    do throws(PluginProblem) {
      _ = try WhereExpression(text, over: fields)
      #expect(said == nil)
    } catch {
      #expect(error.description.contains(said ?? "(it is right)"), "\(error.description)")
    }
  }

  @Test(
    "says what can never be, as a check of rules does",
    arguments: [
      ("kind == 'iBeacon'", .sightings, ["kind is never 'iBeacon'; did you mean 'ibeacon'?"]),
      (
        "address == 'C4:A1:00:00:04:01' or major == '4'", .sightings,
        [
          "address has small letters: this is never true; write 'c4:a1:00:00:04:01'",
          "major is a whole number, and '4' is none: this is never true",
        ]
      ),
      (
        "uuid == '000102030405060708090a0b0c0d0e0F' or id1 == '00010203-0405060708090a0b0c0d0e0f'",
        .sightings,
        ["uuid", "id1"].map {
          "\($0) is written with hyphens here: this is never true; write '00010203-0405-0607-0809-0a0b0c0d0e0f'"
        }
      ),
      (
        "uuid == '00'", .sightings,
        [
          "uuid is 32 hexadecimal digits with hyphens, as in f7826da6-4fa2-4e98-8024-bc5b71e0893e, and '00' is not: "
            + "this is never true"
        ]
      ),
      ("uuid == '00010203-0405-0607-0809-0a0b0c0d0e0f'", .sightings, []),
      (
        "kind == 'ibeacon' and kind == 'device'", .sightings,
        ["kind == 'ibeacon' and kind == 'device': this is never true"]
      ),
      (
        "rssi and rssi < -200", .sightings, ["rssi is in dBm, from -128 to 126: this is never true"]
      ),
      ("state == 'in'", .events, ["state is never 'in'; it is one of inside, outside, unknown"]),
      ("severity == 'Warning'", .events, ["severity is never 'Warning'; did you mean 'warning'?"]),
      (
        "transmitter and transmitter.kind == 'iBeacon'", .events,
        ["kind is never 'iBeacon'; did you mean 'ibeacon'?"]
      ),
      ("type == 'alert' or type == 'observer' or type == 'message_found'", .events, []),
      ("kind == 'ibeacon' and major == 4 and rssi and rssi > -60", .sightings, []),
      ("title == 'x' or fields.n == '4' or what == 'scan_on' or region == 'a'", .events, []),
    ] as [(String, WhereFields, [String])])
  func neverTrue(_ text: String, _ fields: WhereFields, _ said: [String]) {
    #expect(fields.mistakes(in: text) == said)
  }

  @Test("sees fields of other events as nil, and those of alerts")
  func events() throws {
    let plugin = """
      on('exit', function(e)
        alert { severity = 'notice', title = 'left', fields = { n = 2 } }
      end)
      """
    let region = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,exit_after=2"
    let run = try HostedRun(
      [plugin], [[HostedRun.Heard(at: 0), HostedRun.Heard(at: 9000)]], regions: [region])
    func types(_ text: String) throws -> [String] {
      let expression = try WhereExpression(text, over: .events)
      let taken = run.timeline.events.filter {
        expression.takes($0, run.timeline.alerts, run.view, profile: run.view.profile)
      }
      #expect(expression.tally.failures == 0, "\(expression.tally.firstFailure)")
      return taken.map(\.type.rawValue)
    }
    #expect(try types("grade ~= nil") == ["exit"])
    #expect(try types("severity == 'notice' and fields.n == 2 and #events == 1") == ["alert"])
    #expect(try types("title == nil") == ["state", "exit", "enter"])
  }
}
