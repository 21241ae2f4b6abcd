import CaptureWriter
import Foundation
import Synth
import TestSupport

/// The walk through the museum, for demonstrations: what `synth` makes without any option.
enum Walk {
  static func exhibit() throws -> Exhibit {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID())")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let capture = scratch.appending(path: "walk.btsnoop").path(percentEncoded: false)
    let truth = scratch.appending(path: "walk.ndjson").path(percentEncoded: false)

    let scenario = try Scenario(json: Array((Scenarios.named("museum") ?? "").utf8))
    let form = try RecordingForm(container: "btsnoop")
    var synthesis = try Synthesis(scenario, form, Synthesis.Settings())
    try synthesis.run(
      into: OutputFile.create(capture),
      truth: Truth(
        OutputFile.create(truth), capture: "walk.btsnoop", form: form, version: "test"))
    let file = try [UInt8](Data(contentsOf: URL(filePath: capture)))
    return Exhibit(
      file: "museum-walk.btsnoop.gz", container: "btsnoop", compression: "gzip",
      linkTypes: "1002", bytes: Packing.gzip(file, blocks: Deflate.compress(file)),
      expected: try expectation(String(contentsOfFile: truth, encoding: .utf8)))
  }

  /// What the truth says that readers must find.
  private static func expectation(_ truth: String) throws -> Expectation {
    var expected = Expectation()
    // From -198.5 ms to 900 051.5 ms, but for 402 001.5 ms to 472 000 ms: the answers' times.
    expected.listening = 830_252
    for line in truth.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object else { continue }
      switch object["truth"] as? String {
      case nil: expected.add(sighting: object)
      case "others":
        for (label, count) in object where label != "unlabelled" && label != "sent" {
          if let count = count as? Int { expected.labels[label] = count }
        }
      case "damage":
        // The controller's event without reports; the packet that lacks its end.
        if object["kind"] as? String == "zero-reports" { expected.codes["num_reports_zero"] = 1 }
        if object["kind"] as? String == "cut" {
          expected.codes["report_truncated"] = 1
          expected.codes["event_truncated"] = 1
        }
      case "end":
        expected.records = object["records"] as? Int ?? 0
        expected.reports = object["reports"] as? Int ?? 0
      default: break
      }
    }
    return expected
  }
}

extension Expectation {
  fileprivate mutating func add(sighting: [String: Any]) {
    let kind = sighting["kind"] as? String ?? "?"
    sightings[kind, default: 0] += 1
    if kind != "eddystone-tlm", kind != "eddystone-etlm", let id = sighting["id"] as? String {
      identities.insert("\(kind) \(id)")
    }
    for code in sighting["warnings"] as? [String] ?? [] { codes[code, default: 0] += 1 }
    let address = (sighting["address"] as? String ?? "").filter { $0 != ":" }
    seen.append(
      Seen(
        milliseconds: Self.milliseconds(sighting["time"] as? String ?? ""), kind: kind,
        address: UInt64(address, radix: 16) ?? 0,
        isRandom: sighting["address_type"] as? String != "public",
        rssi: (sighting["rssi"] as? Int).map { Int8($0) }))
  }

  /// Of `2026-05-19T10:00:00.123456789Z`, the day being known.
  private static func milliseconds(_ time: String) -> Int64? {
    let digits = time.dropFirst(11).split { ":.Z".contains($0) }.compactMap { Int64($0) }
    guard time.hasPrefix("2026-05-19T"), digits.count == 4 else { return nil }
    let midnight = Scene.start / Scene.millisecond - 10 * 3_600_000
    return midnight + ((digits[0] * 60 + digits[1]) * 60 + digits[2]) * 1000
      + digits[3] / 1_000_000
  }
}
