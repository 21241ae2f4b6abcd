import CaptureReader
package import FrameDecoder

/// Names of observers: the capture's file name without its endings, and behind a slash the
/// controller (`hci0`) or the interface where the capture names one. Captures of a run that would have
/// one name are called by what tells them apart, whatever the order in which they are named: by the file
/// name with its endings (`site.pcap`, `site.pcapng`), or else by as many of the folders in which they differ
/// as that takes (`anna/btsnoop_hci`, `bert/btsnoop_hci`, also where both lie in `FS/data/misc/bluetooth/logs`
/// of a bug report). `#2` is for what has one path.
package enum ObserverNames {
  /// The packing first; of the others the longest, as the containers' order must not decide.
  private static let endings: [String] =
    CaptureFormats.packings.map { ".\($0)" }
    + CaptureFormats.endings.enumerated().filter(\.element.isLeftOutOfNames)
    .sorted { ($1.element.text.utf8.count, $0.offset) < ($0.element.text.utf8.count, $1.offset) }
    .map { ".\($0.element.text)" }

  /// What the names of a capture's observers begin with, if no other one is called so.
  package static func stem(of capture: String) -> String {
    var name = capture == "-" ? "stdin" : lastComponent(capture)
    for ending in endings where name.count > ending.count && name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    return name
  }

  /// The folders of a capture, those of the phone that made it, where they are of a bug report:
  /// `anna` of `anna/FS/data/misc/bluetooth/logs/btsnoop_hci.log`.
  package static func folder(of capture: String) -> String {
    CapturePath(capture).withoutAndroids.folders.joined(separator: "/")
  }

  private static func lastComponent(_ path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.last.map(String.init) ?? path
  }

  /// What the names of observers begin with, by place of the capture: another one for each.
  /// - Parameters:
  ///   - given: of captures that have theirs already, by the capture's name.
  ///   - taken: what nobody else may be called.
  package static func stems(
    of captures: [String], given: [String: String] = [:], taken: Set<String> = []
  ) -> [String] {
    var used = taken.union(given.values)
    var stems = captures.map { given[$0] ?? "" }
    let groups = Dictionary(grouping: captures.indices) { stem(of: captures[$0]) }
    // Those who are alone keep the short name.
    let order = groups.sorted { one, other in
      let alone = (one.value.count == 1, other.value.count == 1)
      return alone.0 == alone.1 ? one.key < other.key : alone.0
    }
    for (_, group) in order {
      let new = group.filter { given[captures[$0]] == nil }
      let way = way(
        of: Set(group.map { CapturePath(captures[$0]) }),
        Set(new.map { CapturePath(captures[$0]) }),
        used)
      for place in new { stems[place] = numbered(way(CapturePath(captures[place])), &used) }
    }
    return stems
  }

  /// Names as they were counted before they were told apart by folders: `site`, `site#2`, in the order of
  /// the captures. Cases of older forms have them.
  package static func counted(_ captures: [String]) -> [String] {
    var used: Set<String> = []
    return captures.map { numbered(stem(of: $0), &used) }
  }

  private static func numbered(_ name: String, _ used: inout Set<String>) -> String {
    var numbered = name
    var count = 1
    while !used.insert(numbered).inserted {
      count += 1
      numbered = "\(name)#\(count)"
    }
    return numbered
  }

  /// The first way to call captures that gives each path another name, and the new ones none that is used.
  private static func way(
    of paths: Set<CapturePath>, _ new: Set<CapturePath>, _ used: Set<String>
  ) -> (CapturePath) -> String {
    let most = paths.map(\.folders.count).max() ?? 0
    // Equal paths are counted, behind the short name where there is no other path.
    var ways: [(CapturePath) -> String] = paths.count == 1 ? [{ $0.stem }] : []
    ways.append { $0.file }
    for bare in [{ $0.withoutAndroids }, { $0 }] as [(CapturePath) -> CapturePath] {
      let differing = differing(paths.map(bare))
      for last in differing.indices {
        ways.append { bare($0).name($0.stem, folders: differing[...last]) }
      }
    }
    for count in 0..<most { ways.append { $0.name($0.stem, folders: count + 1) } }
    for count in 0..<most { ways.append { $0.name($0.file, folders: count + 1) } }
    let found = ways.first { way in
      Set(paths.map(way)).count == paths.count && used.isDisjoint(with: new.map(way))
    }
    return found ?? ways[ways.count - 1]
  }

  /// Where the folders of paths are not all the same, counted from the file; not where one begins at the
  /// root, which nothing but its whole path tells.
  private static func differing(_ paths: [CapturePath]) -> [Int] {
    let most = paths.map(\.folders.count).max() ?? 0
    return (0..<most).filter { place in
      let folders = Set(paths.map { $0.folder(place) })
      return folders.count > 1 && !folders.contains("")
    }
  }

  /// Where an interface of a replay of several captures comes from.
  package struct Origin: Sendable {
    /// Place of the capture, and what it is called.
    let capture: Int
    let stem: String
    /// Names of its capture's interfaces, and which of them it is.
    let interfaceNames: [String?]
    let place: Int
    /// Somebody said what the capture's observer is called: what its interfaces are does not count.
    let isNamed: Bool

    package init(
      capture: Int, stem: String, interfaceNames: [String?], place: Int, isNamed: Bool = false
    ) {
      self.capture = capture
      self.stem = stem
      self.interfaceNames = interfaceNames
      self.place = place
      self.isNamed = isNamed
    }
  }

  /// The name that an observer has in its own capture.
  /// - Parameter number: which of its capture's observers it is, as they come.
  package static func name(_ observer: Observer, _ origin: Origin, number: Int) -> String {
    if origin.isNamed, observer.adapter == Observer.noAdapter { return common(origin.stem, number) }
    return name(
      interface: origin.place, adapter: observer.adapter, stem: origin.stem,
      interfaceNames: origin.interfaceNames)
  }

  /// Name of an observer of a capture whose observer somebody named.
  /// - Parameter number: which of the capture's it is.
  static func common(_ name: String, _ number: Int) -> String {
    number == 0 ? name : "\(name)/\(number + 1)"
  }

  /// Name of one observer of a capture, as it stands in the file: output makes it harmless.
  package static func name(_ observer: Observer, stem: String, interfaceNames: [String?]) -> String
  {
    name(
      interface: Int(observer.interface), adapter: observer.adapter, stem: stem,
      interfaceNames: interfaceNames)
  }

  private static func name(
    interface: Int, adapter: UInt16, stem: String, interfaceNames: [String?]
  ) -> String {
    switch adapter {
    case Observer.noAdapter:
      if interface < interfaceNames.count, let name = interfaceNames[interface], !name.isEmpty {
        // `bluetooth0`, live.
        return name == stem ? stem : "\(stem)/\(name)"
      }
      return interfaceNames.count > 1 ? "\(stem)/\(interface)" : stem
    case Observer.systemAdapter: return "\(stem)/system"
    default: return "\(stem)/hci\(adapter)"
    }
  }
}

/// A capture's name, taken apart.
struct CapturePath: Hashable {
  /// Without those that say nothing (`.`); the first of a path from the root is empty.
  private(set) var folders: [Substring]
  let file: String
  let stem: String

  /// Where Android keeps its logs, which bug reports have as folders: they say nothing about the phone.
  private static let androids: [[Substring]] = [
    "FS/data/misc/bluetooth/logs", "data/misc/bluetooth/logs", "FS/data/log/bt", "data/log/bt",
  ].map { $0.split(separator: "/") }

  init(_ capture: String) {
    var parts = capture.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
    if capture.hasPrefix("/") { parts.insert("", at: 0) }
    stem = ObserverNames.stem(of: capture)
    file = capture == "-" ? stem : parts.last.map(String.init) ?? capture
    folders = Array(parts.dropLast())
  }

  /// Without Android's own folders, where something stands before them.
  var withoutAndroids: CapturePath {
    let own = Self.androids.first { Array(folders.suffix($0.count)) == $0 }
    var path = self
    if let own, folders.count > own.count, folders[folders.count - own.count - 1] != "" {
      path.folders.removeLast(own.count)
    }
    return path
  }

  /// Counted from the file; nil where it has no more of them.
  func folder(_ place: Int) -> Substring? {
    place < folders.count ? folders[folders.count - 1 - place] : nil
  }

  /// Behind its folders at these places, counted from the file, as far as it has them.
  func name(_ last: String, folders places: ArraySlice<Int>) -> String {
    (places.reversed().compactMap { folder($0).map(String.init) } + [last]).joined(separator: "/")
  }

  /// Behind so many of its folders, or as many as it has.
  func name(_ last: String, folders count: Int) -> String {
    (folders.suffix(count).map(String.init) + [last]).joined(separator: "/")
  }
}
