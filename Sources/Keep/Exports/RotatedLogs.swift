import Analysis
import CaptureReader
import FrameDecoder

/// Captures whose names and times say that one recorder wrote them one after the other, and that are
/// followed as if each were of a radio of its own.
struct RotatedLogs {
  /// In the order of their times, two or more.
  let captures: [CaptureFacts]
  /// Where they lie, if nothing else of the run lies there or below.
  private let folder: String?

  /// A recorder begins the next file at once; a phone that is restarted takes a while.
  private static let longestPause: Int64 = 300_000_000_000
  /// Clocks are corrected.
  private static let mostCommon: Int64 = 1_000_000_000

  /// In the order of their first captures.
  static func found(in captures: [CaptureFacts]) -> [RotatedLogs] {
    var groups: [String: [CaptureFacts]] = [:]
    for facts in captures {
      let radios = facts.observers.filter { $0.reports > 0 }
      if radios.count == 1, let stem = stem(of: facts.name), facts.span.earliest.isKnown {
        groups[stem, default: []].append(facts)
      }
    }
    let found = groups.values.flatMap { chains($0) }.map { chain in
      RotatedLogs(captures: chain, folder: folder(of: chain, among: captures))
    }
    return found.sorted { starts($0.captures[0], before: $1.captures[0]) }
  }

  private static func starts(_ one: CaptureFacts, before other: CaptureFacts) -> Bool {
    (one.span.earliest.nanoseconds, one.name) < (other.span.earliest.nanoseconds, other.name)
  }

  /// Those that follow one another without much between them.
  private static func chains(_ captures: [CaptureFacts]) -> [[CaptureFacts]] {
    var chains: [[CaptureFacts]] = []
    for facts in captures.sorted(by: starts) {
      if let last = chains.last?.last, follows(facts, last) {
        chains[chains.count - 1].append(facts)
      } else {
        chains.append([facts])
      }
    }
    return chains.filter { $0.count > 1 }
  }

  /// All of a chain lie in one folder: that is a part of their stem.
  private static func folder(
    of chain: [CaptureFacts], among captures: [CaptureFacts]
  ) -> String? {
    guard let slash = chain[0].name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let start = chain[0].name[...slash]
    let below = captures.count { $0.name.hasPrefix(start) }
    return below == chain.count && start != "/" ? String(start.dropLast()) : nil
  }

  private static func follows(_ next: CaptureFacts, _ last: CaptureFacts) -> Bool {
    let pause = next.span.earliest.nanoseconds.subtractingReportingOverflow(
      last.span.latest.nanoseconds)
    let names = Set(last.observers.map(\.name))
    return !pause.overflow && pause.partialValue <= longestPause
      && pause.partialValue >= -mostCommon && next.sharing == nil
      && next.observers.allSatisfy { !names.contains($0.name) }
  }

  /// What the names of one recorder's files have in common: without numbers, packing, and the words that
  /// rotation adds (`btsnoop_hci.log.last`, `site.pcapng.2`, `site_00003_20260519.pcapng`).
  /// - Returns: nil without a name: standard input.
  private static func stem(of name: String) -> String? {
    guard name != "-" else { return nil }
    let path = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let file = path.last else { return nil }
    let words: Set<Substring> = ["last", "old", "bak", "prev", "gz", "zst"]
    let parts = file.lowercased().split(separator: ".").filter { !words.contains($0) }
    let letters = parts.joined(separator: ".").filter { !$0.isNumber && $0 != "_" && $0 != "-" }
    let stem = letters.split(separator: ".").joined(separator: ".")
    return path.dropLast().joined(separator: "/") + "/" + stem
  }

  /// The option that has them followed as one, to copy; nil where it cannot name them.
  var option: String? {
    let names = folder.map { [$0] } ?? captures.map(\.name)
    guard names.allSatisfy({ !$0.contains(",") && !$0.contains("=") }) else { return nil }
    return "--observer " + ShellWord.quoted("NAME=" + names.joined(separator: ","))
  }
}

extension Remarks {
  static func rotated(_ captures: [CaptureFacts]) -> [Remark] {
    RotatedLogs.found(in: captures).map { logs in
      let count = logs.captures.count
      let first = logs.captures[0].name
      let last = logs.captures[count - 1].name
      return Remark(
        "rotated_logs", capture: first,
        "\(first) to \(last): \(count) captures that follow one another, each taken for a radio of its own."
          + (logs.option.map { " If one wrote them all: \($0)" } ?? ""))
    }
  }

  /// Times before there were beacons.
  static func wrongClock(_ facts: CaptureFacts) -> [Remark] {
    // Bluetooth 4.0, which brought low energy, is of June 2010.
    let lowEnergy: Int64 = 1_277_856_000_000_000_000
    // Earlier ones are told by `clock`.
    guard facts.span.earliest.nanoseconds >= Timestamp.year2000,
      facts.span.earliest.nanoseconds < lowEnergy,
      facts.observers.contains(where: { $0.reports > 0 })
    else { return [] }
    return [
      Remark(
        "clock_not_set", capture: facts.name,
        "\(facts.name) says it is of \(TextColumns.date(facts.span.earliest)), before there was Bluetooth "
          + "Low Energy: its clock was not set. Times in it can be compared with each other only.")
    ]
  }
}
