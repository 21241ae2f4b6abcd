import Analysis
import CaptureReader
import CaptureWriter
import Exports
import Foundation
import Synth

/// A capture made by `synth`, with its truth.
struct Site {
  let bytes: [UInt8]
  /// Lines of the truth.
  let truth: [String]
  let name: String

  /// The lines that `sightings --format ndjson` has to print.
  var sightings: [String] { truth.filter { $0.hasPrefix("{\"capture\"") } }

  /// The other lines, of one kind.
  func lines(_ kind: String) -> [[String: Any]] {
    truth.filter { $0.hasPrefix("{\"truth\":\"\(kind)\"") }.compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
  }

  init(
    _ scenario: Scenario, _ form: RecordingForm, seed: UInt64 = 1, frames: Int? = nil,
    packing: String = ""
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "synth-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    name = "site.pcap\(packing)"
    let capture = folder.appending(path: name)
    let told = folder.appending(path: "truth")
    var settings = Synthesis.Settings()
    settings.seed = seed
    settings.frames = frames
    var synthesis = try Synthesis(scenario, form, settings)
    try synthesis.run(
      into: OutputFile.create(capture.path(percentEncoded: false)),
      truth: Truth(
        OutputFile.create(told.path(percentEncoded: false)), capture: name, form: form,
        version: "test"))
    bytes = try [UInt8](Data(contentsOf: capture))
    truth = try String(contentsOf: told, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// What the reader finds, as lines.
  func found() throws -> [String] {
    let output = Collected()
    var sink = SightingsNDJSON(output)
    var analysis = Analysis([.bytes(bytes, name: name)])
    let result = try analysis.run(into: &sink)
    try sink.pause()
    if let problem = result.problems.first { throw problem }
    return String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The first place where the reader and the truth differ; nil where they do not.
  func difference() throws -> String? {
    let found = try found()
    if found == sightings { return nil }
    let place =
      zip(found, sightings).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(found.count, sightings.count)
    return "\(found.count) found, \(sightings.count) expected; line \(place + 1): "
      + "\(place < found.count ? found[place] : "none") instead of "
      + "\(place < sightings.count ? sightings[place] : "none")"
  }
}

private final class Collected: TextOutput {
  var bytes: [UInt8] = []
  func write(_ more: [UInt8]) { bytes += more }
}

extension Scenario {
  /// A bundled scenario, with a part of its text replaced, and shortened.
  static func bundled(
    _ name: String, _ text: String = "", by other: String = "", seconds: Int64? = nil
  ) throws -> Scenario {
    var json = Scenarios.named(name) ?? ""
    if !text.isEmpty { json = json.replacing(text, with: other) }
    var scenario = try Scenario(json: Array(json.utf8))
    if let seconds { scenario.duration = seconds * 1_000_000_000 }
    return scenario
  }
}
