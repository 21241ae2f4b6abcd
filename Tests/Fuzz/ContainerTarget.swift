import Checks
import TestSupport

/// The bytes are a file. Every fourth is wrapped as well, so that what is inside a compressed file or
/// a bug report changes, and not its checksums: wrapped it must read as it is.
enum ContainerTarget {
  static let target = FuzzTarget(name: "container") { bytes in
    Soundness.faults(Reading(bytes), bytes)
  }
}
