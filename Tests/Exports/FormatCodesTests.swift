import Beacons
import CaptureReader
import Foundation
import FrameDecoder
import Testing

/// FORMATS.md names every code that programs meet.
@Suite struct FormatCodesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Swift files below a folder, at its top, whose names match.
  private static func sources(_ folder: String, _ part: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path)
    return names.filter { $0.contains(part) }.sorted().map { "\(folder)/\($0)" }
  }

  private static func missing(_ codes: some Sequence<String>) throws -> [String] {
    let formats = try text("Sources/Keep/Exports/FORMATS.md")
    return Set(codes).filter { !formats.contains("`\($0)`") }.sorted()
  }

  @Test func labelsAreNamed() throws {
    let names = AdvertiserLabels.names.map { "\($0)" }
    #expect(names.count > 30)
    #expect(try Self.missing(names).isEmpty)
  }

  @Test func reasonsAndWarningsAreNamed() throws {
    let frames = FrameReason.names.dropFirst() + FrameWarnings.names
    let codes = (BeaconReason.names + BeaconWarnings.names + frames).map { "\($0)" }
    #expect(codes.count > 60)
    #expect(try Self.missing(codes).isEmpty)
  }

  /// They stand first in what makes a remark or a hint: `"damage_skipped", capture: …`.
  @Test func remarksAndHintsAreNamed() throws {
    let files =
      try Self.sources("Sources/Keep/Exports", "Remarks")
      + Self.sources("Sources/Keep/Exports", "RotatedLogs")
      + Self.sources("Sources/Keep/Exports/Compare", "Remarks")
      + Self.sources("Sources/Follow/Analysis/Following", "Hints")
    let codes = try files.flatMap { file in
      try Self.text(file).matches(
        of: /(?:^|\()\s*"([a-z]+(?:_[a-z]+)+)",/.anchorsMatchLineEndings()
      )
      .map { String($0.output.1) }
    }
    #expect(codes.count > 40)
    #expect(try Self.missing(codes).isEmpty)
  }

  @Test func problemsAreNamed() throws {
    let files = [
      "Sources/Capture/CaptureReader/ProblemCode.swift",
      "Sources/Follow/Analysis/InputProblems.swift",
    ]
    let codes = try files.flatMap { file in
      try Self.text(file).matches(of: /rawValue: "([a-z_]+)"\)/).map { String($0.output.1) }
    }
    #expect(codes.count > 30)
    #expect(try Self.missing(codes).isEmpty)
  }
}
