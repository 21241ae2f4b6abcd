import CaptureReader
import CaptureWriter
import Checks
import TestSupport

/// The bytes are a file. Some are wrapped as well, so that the inside of a compressed file or of a bug
/// report changes, and not only its checksums.
enum ContainerTarget {
  static let target = FuzzTarget(name: "container", seeds: { Seeds.files() }) { bytes in
    let reading = Reading(bytes)
    var faults = Soundness.faults(reading, bytes)
    faults += TwinComparison.differences(reading) + TwinComparison.differences(reading, bytes)
    switch bytes.count % 4 {
    case 0: faults += wrapped(Packing.gzip(bytes), reading)
    case 1: faults += wrapped(Packing.zstd(bytes), reading)
    case 2:
      let report = BtsnoozWriter.section(version: bytes.first ?? 0, log: Array(bytes.dropFirst()))
      let inside = Reading(report)
      faults += Soundness.faults(inside, report) + TwinComparison.differences(inside)
    default: break
    }
    return faults
  }

  /// Wrapped it must read as it does by itself.
  private static func wrapped(_ bytes: [UInt8], _ plain: Reading) -> [String] {
    // One layer only, and no bug report, is looked for inside: those read otherwise.
    // Behind damage the pieces that the bytes come in may tell: a record that took in others can be
    // taken back only while it has not been handed on.
    guard plain.compression == nil, plain.format != "btsnooz", plain.problem == nil,
      plain.log.gaps.isEmpty
    else {
      return []
    }
    let inside = Reading(bytes)
    return inside.records == plain.records ? [] : ["other records when wrapped"]
  }
}
