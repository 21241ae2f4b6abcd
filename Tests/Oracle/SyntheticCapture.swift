import CaptureWriter
import Synth

/// A capture made by `synth`.
enum SyntheticCapture {
  static func write(
    _ scenario: String, container: String, link: String, seconds: Int64? = nil,
    seed: UInt64 = 1, to path: String
  ) throws {
    var site = try Scenario(json: Array((Scenarios.named(scenario) ?? "").utf8))
    // Damage is not for tshark.
    site.damage = []
    if let seconds { site.duration = seconds * 1_000_000_000 }
    var settings = Synthesis.Settings()
    settings.seed = seed
    var synthesis = try Synthesis(
      site, RecordingForm(container: container, link: link), settings)
    try synthesis.run(into: OutputFile.create(path), truth: nil)
  }
}
