package import CaptureReader
import FrameDecoder

/// What is wrong with an input as a whole, and what to do about it.
extension CaptureProblem {
  /// The input is a capture, of something else.
  static func nothingBluetooth(_ facts: CaptureFacts) -> CaptureProblem {
    guard !facts.links.isEmpty else {
      return CaptureProblem(
        .nothingBluetooth, capture: facts.name,
        detail: "describes no interface and holds no packets: nothing Bluetooth to read here")
    }
    let kinds = facts.links.map { link in
      let name = LinkTypes.name(link.link).map { "\($0) around something else" }
      return "\(link.link.number ?? 0)"
        + ((name ?? LinkNames.other(link.link)).map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
    // btsnoop's own numbers stand for some of these.
    let numbers = Set(LinkTypes.all.compactMap(\.link.number)).filter { $0 < 1000 }
    let readable = numbers.sorted().map { "\($0)" }.joined(separator: " ")
    let extent =
      switch facts.accounting.records {
      case 0: "and no records"
      case 1: "in its only record"
      case let records: "in all \(records) records"
      }
    return CaptureProblem(
      .nothingBluetooth, capture: facts.name,
      detail: "link type \(kinds) \(extent): nothing Bluetooth to read here",
      remedy: "Link types that can be read: \(readable). "
        + "Was this recorded on the wrong interface?")
  }

  /// Captures that overlap are open together, and the system allows so many only.
  var advised: CaptureProblem {
    guard code == .cannotOpen, remedy == nil, detail.contains("too many open files") else {
      return self
    }
    return CaptureProblem(
      code, capture: capture, offset: offset, detail: detail,
      remedy: "Name fewer captures at once, or allow more open files (ulimit -n).")
  }
}

extension ProblemCode {
  /// The input is a capture, of something else.
  package static let nothingBluetooth = ProblemCode(rawValue: "nothing_bluetooth")
}
