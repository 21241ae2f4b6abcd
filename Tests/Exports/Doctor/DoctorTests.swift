@testable import Exports
import Foundation
import LiveCapture
import Testing

/// What `doctor` says of machines of all kinds. `UPDATE_GOLDEN=1` writes it again.
@Suite("doctor") struct DoctorTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Expected")

  private static func check(_ text: String, _ name: String) throws {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test("says in text what is missing, and what mends it", arguments: DoctorCase.allCases)
  func text(_ machine: DoctorCase) throws {
    let lines = DoctorText.lines(machine.report)
    try Self.check(lines.joined(separator: "\n") + "\n", "\(machine.rawValue).txt")
    // Commands are never broken.
    #expect(lines.allSatisfy { $0.count <= 80 || $0.contains(": sudo ") })
  }

  @Test(
    "says the same in JSON",
    arguments: [DoctorCase.noKernelSupport, .softBlocked, .noPermission, .filtered, .well])
  func json(_ machine: DoctorCase) throws {
    let output = Collected()
    try DoctorJSON.write(machine.report, to: output)
    try Self.check(String(decoding: output.bytes, as: UTF8.self), "\(machine.rawValue).json")
    _ = try JSONSerialization.jsonObject(with: Data(output.bytes))
  }

  @Test(
    "comes to one of four ends",
    arguments: [
      (.noKernelSupport, .impossible), (.notLoaded, .impossible), (.container, .impossible),
      (.noController, .impossible), (.anotherAsked, .impossible), (.softBlocked, .impossible),
      (.hardBlocked, .impossible), (.down, .impossible), (.classicOnly, .impossible),
      (.noPermission, .notPermitted), (.notGranted, .notPermitted), (.switchedOff, .possible),
      (.silent, .possible), (.filtered, .possible), (.unknownParameters, .possible),
      (.well, .ready),
    ] as [(DoctorCase, DoctorReport.Outcome)])
  func outcome(_ machine: DoctorCase, _ outcome: DoctorReport.Outcome) {
    #expect(machine.report.outcome == outcome)
  }

  @Test("checks everything, in one order, and mends what it can", arguments: DoctorCase.allCases)
  func whole(_ machine: DoctorCase) {
    let checks = machine.report.checks
    #expect(checks.map(\.name) == DoctorReport.Check.Name.allCases)
    // The first no is the one to begin with.
    let first = checks.first { $0.verdict == .no }
    #expect(first.map { !$0.remedies.isEmpty } ?? true)
    #expect(checks.allSatisfy { $0.verdict != .yes || $0.remedies.isEmpty })
  }
}

private final class Collected: TextOutput {
  private(set) var bytes: [UInt8] = []
  func write(_ new: [UInt8]) { bytes += new }
}
