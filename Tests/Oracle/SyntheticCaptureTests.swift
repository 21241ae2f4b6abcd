import Foundation
import Synth
import Testing

/// Captures of `synth`, as tshark sees them.
@Suite struct SyntheticCaptureTests {
  /// Every form that tshark reads; it takes off no whitening and knows no bug reports.
  static let forms = RecordingForm.containers.flatMap { container, links in
    links.filter { !$0.contains("whitened") && !container.hasPrefix("btsnooz") }
      .map { [container, $0] }
  }

  private static func make(_ form: [String], _ scenario: String) throws -> String {
    let stem = "\(scenario)-\(form[0])-\(form[1])"
    let capture = Surroundings.scratch.appending(path: stem).path
    try SyntheticCapture.write(scenario, container: form[0], link: form[1], to: capture)
    return capture
  }

  @Test(.needs(.tshark), arguments: forms, ["corridor", "workshop"])
  func tsharkComplainsOfNothing(_ form: [String], _ scenario: String) throws {
    let path = try Self.make(form, scenario)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let tshark = try #require(Surroundings.program("tshark"))
    let printed = try Surroundings.run(
      tshark, ["-n", "-r", path, "-Y", "_ws.malformed || _ws.expert.severity == error"])
    #expect(printed.isEmpty)
  }

  @Test(.needs(.oracle, .python3, .tshark), arguments: forms, [UInt64(1), 2])
  func sightingsAreThoseOfTheOracle(_ form: [String], seed: UInt64) throws {
    let path = Surroundings.scratch.appending(path: "oracle-\(form[0])-\(form[1])-\(seed)").path
    try SyntheticCapture.write(
      "museum", container: form[0], link: form[1], seconds: 60, seed: seed, to: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let oracle = Surroundings.shared.appending(path: "tools/oracle.py").path
    let python = try #require(Surroundings.program("python3"))
    let printed = try Surroundings.run(python, [oracle, path])
    var found = try SightingLines.read(path)
    #expect(found.count > 200)
    // tshark shows the signal of PPI's BTLE field in no field of its own.
    if form[1] == "192" {
      found = found.map { $0.replacing(/"rssi":-?\d+/, with: "\"rssi\":null") }
    }
    #expect(differences(found, from: SightingLines.normalised(printed)) == [])
  }
}
