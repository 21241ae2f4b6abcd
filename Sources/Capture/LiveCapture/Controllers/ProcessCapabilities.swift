/// A set of Linux capabilities.
package struct Capabilities: Equatable, Sendable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  /// Raw HCI commands and the monitor.
  package var hasNetRaw: Bool { bits & 1 << 13 != 0 }
  /// Controllers up and down; receive buffers beyond the system's limit.
  package var hasNetAdmin: Bool { bits & 1 << 12 != 0 }
}

/// What this process may do, and what its program's file would give it.
package struct ProcessRights: Equatable, Sendable {
  package var effective: Capabilities
  package var isRoot: Bool
  /// Capabilities of files are not granted (`no_new_privs`).
  package var takesNoNewRights: Bool
  /// The program's file.
  package var program: String
  /// The capabilities of that file; nil without any.
  package var ofProgram: Capabilities?

  package init(
    effective: Capabilities, isRoot: Bool = false, takesNoNewRights: Bool = false, program: String,
    ofProgram: Capabilities? = nil
  ) {
    self.effective = effective
    self.isRoot = isRoot
    self.takesNoNewRights = takesNoNewRights
    self.program = program
    self.ofProgram = ofProgram
  }

  /// What cannot be read counts as not there.
  package static func read(_ tree: SystemTree) -> ProcessRights {
    let status = tree.text("proc/self/status") ?? ""
    func value(_ name: String) -> Substring? {
      status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
        .split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first
    }
    // Real, effective, saved, of the file system.
    let users = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }?.split(separator: "\t")
    let program = tree.target(ofLink: "proc/self/exe") ?? "beacontrace"
    let attribute = try? HCISocket.capabilities(ofProgram: program)
    return ProcessRights(
      effective: Capabilities(bits: value("CapEff").flatMap { UInt64($0, radix: 16) } ?? 0),
      isRoot: users?.dropFirst(2).first == "0", takesNoNewRights: value("NoNewPrivs") == "1",
      program: program, ofProgram: attribute.flatMap { Capabilities(attribute: $0) })
  }
}

extension Capabilities {
  /// The permitted set of a file's `security.capability`; nil where it does not take effect by
  /// itself, or the bytes are of no revision known.
  package init?(attribute bytes: [UInt8]) {
    guard let head = bytes.long(at: 0), head & Self.effectiveFlag != 0 else { return nil }
    switch head >> 24 {
    case 1:
      guard let low = bytes.long(at: 4) else { return nil }
      bits = UInt64(low)
    case 2, 3:
      guard let low = bytes.long(at: 4), let high = bytes.long(at: 12) else { return nil }
      bits = UInt64(low) | UInt64(high) << 32
    default: return nil
    }
  }

  private static let effectiveFlag: UInt32 = 1
}
