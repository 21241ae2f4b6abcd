import Analysis
import CaptureReader
import Plugins
import Regions
import Testing

@testable import StateFile

@Suite("The text of a run's state")
struct RunStateTextTests {
  private static let savedByPlugins = """
    {"format":"beacontrace-state","version":1,"sha256":"%","plugins":[
    {"name":"p","state":{"pairs":[["n",1]]}}]}

    """

  private static func plugins() throws -> SavedStates {
    let values = #"[\#n{"name":"p","state":{"pairs":[["n",1]]}}]"#
    let text = savedByPlugins.replacing("%", with: Digest.sha256(Array(values.utf8)))
    return try SavedStates(reading: Array(text.utf8), name: "p")
  }

  private static func text() throws -> RunStateText {
    RunStateText(run: Scratch.run, plugins: try plugins())
  }

  @Test("is read as it was written, and written the same each time")
  func roundTrip() throws {
    let text = try Self.text()
    let bytes = try text.bytes()
    #expect(try RunStateText(reading: bytes) == text)
    #expect(try text.bytes() == bytes)
    let empty = RunStateText(run: nil)
    #expect(try RunStateText(reading: try empty.bytes()) == empty)
  }

  @Test("is JSON that other programs can read")
  func form() throws {
    let lines = String(decoding: try Self.text().bytes(), as: UTF8.self).split(separator: "\n")
    #expect(
      lines[0].hasPrefix(#"{"format":"beacontrace-run-state","version":1,"sha256":""#)
        && lines[0].hasSuffix(#"","run":"#))
    #expect(lines[1].contains(#""since":1779184800123456789"#))
    #expect(lines[1].contains(#""since":null"#))
    #expect(lines[1].hasSuffix(#","plugins":"#))
    #expect(lines.last == #"{"name":"p","state":{"pairs":[["n",1]]}}]}}"#)
  }

  @Test("is never taken with a byte changed, or cut")
  func everyByte() throws {
    let bytes = try Self.text().bytes()
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x04
      #expect(throws: RunStateText.Damage.self, "byte \(place)") {
        try RunStateText(reading: changed)
      }
      #expect(throws: RunStateText.Damage.self, "\(place) bytes") {
        try RunStateText(reading: Array(bytes[..<place]))
      }
    }
    #expect(throws: RunStateText.Damage.self) { try RunStateText(reading: bytes + [0x0A]) }
  }

  @Test("of versions without the regularity is read")
  func older() throws {
    var run = Scratch.run
    for place in run.profiles[0].observers[0].regions.indices {
      run.profiles[0].observers[0].regions[place].regularity = nil
    }
    let bytes = try RunStateText(run: run).bytes()
    #expect(!String(decoding: bytes, as: UTF8.self).contains("regularity"))
    #expect(try RunStateText(reading: bytes).run == run)
    run.profiles[0].observers[0].regions[0].regularity = EarlierRegularity(
      probability: 0.0123, interval: 1_022_500_000, loss: 0.1, transmitters: 2)
    #expect(try RunStateText(reading: try RunStateText(run: run).bytes()).run == run)
  }

  private static func problem(_ bytes: [UInt8]) -> RunStateText.Damage? {
    do throws(RunStateText.Damage) {
      _ = try RunStateText(reading: bytes)
      return nil
    } catch { return error }
  }

  /// With the digest that belongs to it.
  private static func signed(_ body: String) -> [UInt8] {
    let digest = Digest.sha256(Array(body.utf8))
    return Array(
      (#"{"format":"beacontrace-run-state","version":1,"sha256":"\#(digest)","run":"# + "\n" + body)
        .utf8)
  }

  @Test("is known for a state whatever byte of its first line is changed")
  func changedHead() throws {
    let bytes = try Self.text().bytes()
    for place in 0...(bytes.firstIndex(of: 0x0A) ?? 0) {
      for changed in [bytes[place] ^ 1, bytes[place] ^ 0x80, 0] as [UInt8] {
        var damaged = bytes
        damaged[place] = changed
        switch Self.problem(damaged) {
        case .damaged, .otherVersion: break
        default: Issue.record("byte \(place + 1)")
        }
      }
    }
  }

  @Test("says what is wrong, and where")
  func sentences() throws {
    let bytes = try Self.text().bytes()
    var changed = bytes
    changed[200] ^= 1
    #expect(
      Self.problem(changed)
        == .damaged(
          "byte 130 and what follows: cut or changed, for it has another SHA-256 than the file says"
        ))
    #expect(
      Self.problem(Array(bytes[..<100]))
        == .damaged("byte 57: its first line is cut or changed"))
    #expect(Self.problem(Array("{}".utf8)) == .foreign("this is no saved state of a run"))
    #expect(
      Self.problem(Array(#"{"format":"beacontrace-run-state","version":2,"#.utf8))
        == .otherVersion(2))
    var first = bytes
    first[0] = 0x7A
    #expect(Self.problem(first) == .damaged("byte 1: its first line is cut or changed"))
    let plugins = #","plugins":"# + "\n"
    #expect(
      Self.problem(Self.signed(#"{"taken":1,"profiles":[{"profile":"a"}]}"# + plugins + "{}}\n"))
        == .damaged("byte 130: `run` has no 'profiles.Index 0.observers'"))
    #expect(
      Self.problem(Self.signed(#"{"taken":"x","profiles":[]}"# + plugins + "{}}\n"))
        == .damaged("byte 130: `run` cannot be read at 'taken'"))
    #expect(
      Self.problem(Self.signed("null" + plugins + "{}}\n"))
        == .damaged(
          "byte 146: `plugins`: this is no saved state of plugins; nothing is restored from it. Remove "
            + "it to begin anew"))
    #expect(Self.problem(Self.signed("null}\n")) == .damaged("byte 130: `plugins` is missing"))
  }
}
