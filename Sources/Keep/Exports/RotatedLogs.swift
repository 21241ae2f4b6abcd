import Analysis
import CaptureReader
import FrameDecoder

/// Captures whose names and times say that one recorder wrote them one after the other, and that are
/// followed as if each were of a radio of its own.
struct RotatedLogs {
  /// In the order of their times, two or more.
  let captures: [CaptureFacts]
  /// Where they lie, if nothing else of the run lies there or below.
  let folder: String?
  var hasFolder: Bool { folder != nil }
  /// What the option calls their radio: another name for each.
  private(set) var name = ""
  /// One begins with the end of the one before: what was kept over a restart.
  let repeatsEnds: Bool

  private init(_ captures: [CaptureFacts], among all: [CaptureFacts]) {
    self.captures = captures
    folder = Self.folder(of: captures, among: all)
    repeatsEnds = captures.dropFirst().contains { $0.sharing != nil }
  }

  /// A recorder begins the next file at once; a phone that is restarted takes a while.
  private static let longestPause: Int64 = 300_000_000_000
  /// Over night, and a day more, where so many follow one another.
  private static let longestGap: Int64 = 36 * 3600 * 1_000_000_000
  private static let sure = 3
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
    let found = groups.values.flatMap { chains($0) }.map { RotatedLogs($0, among: captures) }
    return named(found.sorted { starts($0.captures[0], before: $1.captures[0]) }, captures)
  }

  /// Of those pauses that are longer than a recorder takes for its next file: how many, and the longest.
  fileprivate var gaps: (count: Int, longest: Int64) {
    zip(captures, captures.dropFirst()).reduce(into: (0, 0)) { gaps, pair in
      let pause = pair.1.span.earliest.nanoseconds - pair.0.span.latest.nanoseconds
      guard pause > Self.longestPause else { return }
      gaps = (gaps.0 + 1, max(gaps.1, pause))
    }
  }

  /// Two who are both followed by what is told here must not become one, nor one with somebody else.
  private static func named(_ found: [RotatedLogs], _ captures: [CaptureFacts]) -> [RotatedLogs] {
    let inChains = Set(found.flatMap { $0.captures.map(\.name) })
    let others = captures.filter { !inChains.contains($0.name) }.flatMap(\.observers).map(\.name)
    let names = ObserverNames.stems(of: found.map(\.place), taken: Set(others))
    return zip(found, names).map { logs, name in
      var logs = logs
      logs.name = name
      return logs
    }
  }

  /// A path that ends with what their radio may be called: their folder, or what their names have in common.
  private var place: String {
    let parts = captures[0].name.split(separator: "/", omittingEmptySubsequences: false)
    if let last = folder?.split(separator: "/").last, last != ".", last != ".." {
      return ObserverNames.folder(of: captures[0].name).replacing("=", with: "-")
    }
    let stems = captures.map { ObserverNames.stem(of: $0.name) }
    var common = stems[0][...]
    for stem in stems { common = common[..<common.endOfCommonPrefix(with: stem)] }
    while let last = common.last, last.isNumber || "._- (".contains(last) { common.removeLast() }
    let file = common.isEmpty ? "radio" : String(common)
    // The name ends at the first equals sign.
    return (parts.dropLast().map(String.init) + [file]).joined(separator: "/")
      .replacing("=", with: "-")
  }

  private static func starts(_ one: CaptureFacts, before other: CaptureFacts) -> Bool {
    (one.span.earliest.nanoseconds, one.name) < (other.span.earliest.nanoseconds, other.name)
  }

  /// Those that follow one another without much between them. Who does so for a while and then goes on, is one
  /// recorder of which a file is missing, or which stood still.
  private static func chains(_ captures: [CaptureFacts]) -> [[CaptureFacts]] {
    var chains: [[CaptureFacts]] = []
    for facts in captures.sorted(by: starts) {
      if let last = chains.last?.last, follows(facts, last, within: longestPause) {
        chains[chains.count - 1].append(facts)
      } else {
        chains.append([facts])
      }
    }
    var joined: [[CaptureFacts]] = []
    for chain in chains {
      if let before = joined.last, max(before.count, chain.count) >= sure,
        follows(chain[0], before[before.count - 1], within: longestGap)
      {
        joined[joined.count - 1] += chain
      } else {
        joined.append(chain)
      }
    }
    return joined.filter { $0.count > 1 }
  }

  /// All of a chain lie in one folder: that is a part of their stem.
  private static func folder(
    of chain: [CaptureFacts], among captures: [CaptureFacts]
  ) -> String? {
    guard let slash = chain[0].name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let start = chain[0].name[...slash]
    // One in which nobody was heard is whoever's.
    let below = captures.count {
      $0.name.hasPrefix(start) && $0.observers.contains { $0.reports > 0 }
    }
    return below == chain.count && start != "/" ? String(start.dropLast()) : nil
  }

  private static func follows(
    _ next: CaptureFacts, _ last: CaptureFacts, within longest: Int64
  ) -> Bool {
    let pause = next.span.earliest.nanoseconds.subtractingReportingOverflow(
      last.span.latest.nanoseconds)
    let names = Set(last.observers.map(\.name))
    guard !pause.overflow, pause.partialValue <= longest,
      next.observers.allSatisfy({ !names.contains($0.name) }),
      next.repeating?.name != last.name
    else { return false }
    return next.sharing.map { $0.name == last.name && beginsWithEnd(next, of: last) }
      ?? (pause.partialValue >= -mostCommon)
  }

  /// A recorder that is started again may write once more what it still had. What two hold for more than a
  /// third of their time are copies or parts.
  private static func beginsWithEnd(_ next: CaptureFacts, of last: CaptureFacts) -> Bool {
    func length(_ from: Timestamp, _ to: Timestamp) -> Int64 {
      let length = to.nanoseconds.subtractingReportingOverflow(from.nanoseconds)
      return length.overflow ? .max : length.partialValue
    }
    let common = length(next.span.earliest, last.span.latest)
    let lengths = [last, next].map { length($0.span.earliest, $0.span.latest) }
    return next.span.latest.nanoseconds > last.span.latest.nanoseconds
      && common <= (lengths.min() ?? 0) / 3
  }

  /// What the names of one recorder's files have in common: without numbers, packing, and the words that
  /// rotation and copying add (`btsnoop_hci.log.last`, `site.pcapng.2`, `site_00003_20260519.pcapng`,
  /// `hci (2).log`).
  /// - Returns: nil without a name: standard input.
  private static func stem(of name: String) -> String? {
    guard name != "-" else { return nil }
    let path = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let file = path.last else { return nil }
    let words: Set<Substring> = ["last", "old", "bak", "prev", "gz", "zst"]
    let parts = file.lowercased().split(separator: ".").filter { !words.contains($0) }
    let letters = parts.joined(separator: ".").filter { !$0.isNumber && !"_- ()".contains($0) }
    let stem = letters.split(separator: ".").joined(separator: ".")
    return path.dropLast().joined(separator: "/") + "/" + stem
  }

  /// The option that has them followed as one, to copy. What has commas stands alone.
  var option: String {
    let names = folder.map { [$0] } ?? captures.map(\.name)
    let words = names.contains { $0.contains(",") } ? names : [names.joined(separator: ",")]
    return words.map { "--observer " + ShellWord.quoted("\(name)=\($0)") }
      .joined(separator: " ")
  }
}

extension Remarks {
  static func rotated(_ captures: [CaptureFacts]) -> [Remark] {
    let found = RotatedLogs.found(in: captures)
    let folders = found.filter(\.hasFolder)
    // Where files repeat one another, each folder's own remark says so.
    guard folders.count > 1, !folders.contains(where: \.repeatsEnds) else {
      return found.map { rotated($0) }
    }
    return [rotated(folders: folders)] + found.filter { !$0.hasFolder }.map { rotated($0) }
  }

  private static func rotated(_ logs: RotatedLogs) -> Remark {
    let count = logs.captures.count
    let first = logs.captures[0].name
    let last = logs.captures[count - 1].name
    let (gaps, longest) = logs.gaps
    let between =
      gaps == 0
      ? ""
      : " but for \(TextColumns.counted(gaps, "pause")) (\(gaps == 1 ? "" : "up to ")\(TextColumns.duration(longest)))"
    return Remark(
      "rotated_logs", capture: first, of: .several,
      "\(first) to \(last): \(count) captures that follow one another\(between), each taken for a radio of its own. "
        + "If one wrote them all: \(logs.option)"
        + (logs.repeatsEnds
          ? " (one begins with the end of another: what both hold counts twice, then, too)" : ""))
  }

  private static let mostFolders = 4

  /// A folder for each radio.
  private static func rotated(folders: [RotatedLogs]) -> Remark {
    let named = folders.prefix(mostFolders).map { "\($0.folder ?? "") (\($0.captures.count))" }
    let more = folders.count - named.count
    return Remark(
      "rotated_logs", capture: folders[0].captures[0].name, of: .several,
      "\(folders.count) folders hold captures that follow one another, each taken for a radio of its own: "
        + named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        + ". If one radio wrote each folder: --observers folder")
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
          + "Low Energy: its clock was not set. Times in it can be compared with each other only; --clock moves "
          + "them.")
    ]
  }
}

extension Substring {
  fileprivate func endOfCommonPrefix(with other: String) -> Index {
    var (place, otherPlace) = (startIndex, other.startIndex)
    while place < endIndex, otherPlace < other.endIndex, self[place] == other[otherPlace] {
      place = index(after: place)
      otherPlace = other.index(after: otherPlace)
    }
    return place
  }
}
