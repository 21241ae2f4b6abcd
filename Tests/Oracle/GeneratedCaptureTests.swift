import Foundation
import Testing

/// Captures of the independent generator, against what it says it wrote: in every container, with
/// every link type, whole and with damaged frames.
@Suite struct GeneratedCaptureTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let container: String
    let link: Int
    var testDescription: String { "\(container) \(link)" }
  }

  static let forms =
    [1001, 1002, 2001].map { Form(container: "btsnoop", link: $0) }
    + ["pcap", "pcapng"].flatMap { container in
      [187, 201, 254, 251, 256, 272].map { Form(container: container, link: $0) }
    }

  /// Reports that are whole although their frame is damaged (`salvage`) have to be found, too; what
  /// is open to opinion (`ambiguous`) may be.
  @Test(.needs(.generator, .cc), arguments: forms, [1, 2, 3])
  func sightingsAreThoseOfTheTruth(_ form: Form, seed: Int) throws {
    for malformed in ["0", "0.05"] {
      let truth = try Generator.write(form, seed: seed, malformed: malformed)
      defer { truth.remove() }
      let lines = SightingLines.normalised(try String(contentsOf: truth.lines, encoding: .utf8))
      let optional = Set(
        lines.filter { $0.contains(Self.ambiguous) }.map { $0.replacing(Self.ambiguous, with: "") })
      let expected = lines.filter { !$0.contains(Self.ambiguous) }
        .map { $0.replacing(",\"salvage\":true", with: "") }
      let found = try SightingLines.read(truth.capture.path).filter { !optional.contains($0) }
      #expect(expected.count > 1000)
      #expect(differences(found, from: expected) == [], "malformed \(malformed)")
    }
  }

  private static let ambiguous = ",\"ambiguous\":true"
}

/// A capture and the lines that tell what is in it.
private struct Generated {
  let capture: URL
  let lines: URL

  func remove() {
    try? FileManager.default.removeItem(at: capture)
    try? FileManager.default.removeItem(at: lines)
  }
}

private enum Generator {
  /// Built once; the error is the compiler's.
  private static let program = Result {
    let place = Surroundings.scratch.appending(path: "gencap")
    let source = Surroundings.shared.appending(path: "tools/gencap.c").path
    let compiler = try #require(Surroundings.program("cc"))
    try Surroundings.run(compiler, ["-O1", "-o", place.path, source, "-lm"])
    return place
  }

  /// The seeds differ in byte order and resolution, too.
  static func write(_ form: GeneratedCaptureTests.Form, seed: Int, malformed: String) throws
    -> Generated
  {
    let stem = "\(form.container)-\(form.link)-\(seed)-\(malformed)"
    let result = Generated(
      capture: Surroundings.scratch.appending(path: stem + ".cap"),
      lines: Surroundings.scratch.appending(path: stem + ".lines"))
    var arguments = [
      "--out", result.capture.path, "--sightings", result.lines.path, "--frames", "3000",
      "--seed", "\(seed)", "--container", form.container, "--link", "\(form.link)",
      "--malformed", malformed, "--endian", seed == 2 ? "be" : "le",
    ]
    if seed == 3 { arguments.append("--nano") }
    try Surroundings.run(program.get(), arguments)
    return result
  }
}
