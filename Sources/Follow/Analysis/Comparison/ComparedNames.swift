/// What the observers of two recordings are called: where both sides have a capture of one radio, alike.
///
/// Those are captures of one file name, where each side has one of that name; where a side has several,
/// those whose folders are the same as far as they tell the captures of a side apart. Where names differ by a
/// date alone (`west-2026-05-12`, `west-2026-05-19`), they are called by the rest, if each side has one of it.
package struct ComparedNames: Sendable {
  /// Several captures of one file name of which no folder says which is which.
  package struct Doubt: Sendable {
    package let before: [String]
    package let now: [String]
  }

  /// What the names of a capture's observers begin with, by the capture's name.
  package private(set) var before: [String: String] = [:]
  package private(set) var now: [String: String] = [:]
  package private(set) var doubts: [Doubt] = []

  /// A capture on either side that is called by one path, or two of one radio.
  private struct Unit {
    let path: [String]
    let before: String?
    let now: String?
  }

  /// - Parameters: captures of either side.
  package init(before: [String], now: [String]) {
    let stems = Set(before + now).map { ObserverNames.stem(of: $0) }
    let olds = Dictionary(grouping: before) { ObserverNames.stem(of: $0) }
    let news = Dictionary(grouping: now) { ObserverNames.stem(of: $0) }
    var units: [Unit] = []
    var doubtful: [(before: [String], now: [String])] = []
    let dated = Self.dated(olds, news)
    for (stem, old, new) in dated { units.append(Unit(path: [stem], before: old, now: new)) }
    let isDone = Set(dated.flatMap { [$0.before, $0.now] })
    for stem in Set(stems).sorted() {
      // Each of these is alone with its name.
      if let only = (olds[stem] ?? news[stem])?.first, isDone.contains(only) { continue }
      var group = ComparedGroup(olds[stem] ?? [], news[stem] ?? [])
      group.match()
      let rest = (
        before: group.before.filter { !$0.isPaired }, now: group.now.filter { !$0.isPaired }
      )
      units += group.pairs.map { old, new in
        let path = old.own.count < new.own.count ? new.own : old.own
        return Unit(path: path, before: old.name, now: new.name)
      }
      units += rest.before.map { Unit(path: $0.own, before: $0.name, now: nil) }
      units += rest.now.map { Unit(path: $0.own, before: nil, now: $0.name) }
      if group.pairs.isEmpty, !rest.before.isEmpty, !rest.now.isEmpty {
        doubtful.append((rest.before.map(\.name), rest.now.map(\.name)))
      }
    }
    let names = ObserverNames.stems(of: units.map { $0.path.joined(separator: "/") })
    for (unit, name) in zip(units, names) {
      if let capture = unit.before { self.before[capture] = name }
      if let capture = unit.now { self.now[capture] = name }
    }
    doubts = doubtful.map { old, new in
      Doubt(
        before: old.compactMap { self.before[$0] }.sorted(),
        now: new.compactMap { self.now[$0] }.sorted())
    }
  }
}

extension ComparedNames {
  /// Captures of one side each whose names are the same but for a date, and of which each side has one.
  private static func dated(
    _ olds: [String: [String]], _ news: [String: [String]]
  ) -> [(stem: String, before: String, now: String)] {
    func rests(
      _ own: [String: [String]], _ other: [String: [String]]
    ) -> [String: [String]] {
      var rests: [String: [String]] = [:]
      for (stem, captures) in own where other[stem] == nil {
        if let rest = DatedName.rest(of: stem) { rests[rest, default: []] += captures }
      }
      return rests
    }
    let (before, now) = (rests(olds, news), rests(news, olds))
    return before.keys.sorted().compactMap { rest in
      guard olds[rest] == nil, news[rest] == nil, let old = before[rest], let new = now[rest],
        old.count == 1, new.count == 1
      else { return nil }
      return (rest, old[0], new[0])
    }
  }
}

/// Captures of one file name on both sides.
private struct ComparedGroup {
  struct Capture {
    let name: String
    /// Its folders and file.
    let path: [String]
    /// The same behind the folders that all of its side have.
    var own: [String]
    var isPaired = false
  }

  private(set) var before: [Capture]
  private(set) var now: [Capture]
  private(set) var pairs: [(Capture, Capture)] = []

  init(_ before: [String], _ now: [String]) {
    self.before = Self.captures(before)
    self.now = Self.captures(now)
  }

  private static func captures(_ names: [String]) -> [Capture] {
    let captures = names.sorted().map { name in
      let path = CapturePath(name)
      let parts = path.folders.map(String.init) + [path.file]
      return Capture(name: name, path: parts, own: parts)
    }
    let shortest = captures.map { $0.path.count - 1 }.min() ?? 0
    let common = (0..<shortest).first { place in
      captures.contains { $0.path[place] != captures[0].path[place] }
    }
    return captures.map { capture in
      var capture = capture
      capture.own.removeFirst(common ?? shortest)
      return capture
    }
  }

  /// By paths as they are, then without the endings of files, then whatever the case of their letters.
  mutating func match() {
    if before.count == 1, now.count == 1 { return pair(0, 0) }
    func bare(_ path: [String]) -> [String] {
      path.dropLast() + [ObserverNames.stem(of: path[path.count - 1])]
    }
    match { $0 }
    match { bare($0) }
    match { bare($0).map { $0.lowercased() } }
  }

  /// Pairs those that match one another alone. What one side leaves out, all of its captures being in that
  /// folder, is in their paths.
  private mutating func match(by shape: ([String]) -> [String]) {
    func places(_ captures: [Capture]) -> [[String]: [Int]] {
      let left = captures.indices.filter { !captures[$0].isPaired }
      return Dictionary(grouping: left) { shape(captures[$0].own) }
    }
    let (olds, news) = (places(before), places(now))
    var ofOld: [Int: [Int]] = [:]
    var ofNew: [Int: [Int]] = [:]
    func meet(_ old: Int, _ new: Int) {
      ofOld[old, default: []].append(new)
      ofNew[new, default: []].append(old)
    }
    let lengths = (Set(olds.keys.map(\.count)), Set(news.keys.map(\.count)))
    for new in news.values.joined() {
      let path = shape(now[new].path)
      for length in lengths.0 where length >= now[new].own.count {
        for old in olds[Array(path.suffix(length))] ?? [] { meet(old, new) }
      }
    }
    for old in olds.values.joined() {
      let path = shape(before[old].path)
      for length in lengths.1 where length > before[old].own.count {
        for new in news[Array(path.suffix(length))] ?? [] { meet(old, new) }
      }
    }
    for (old, found) in ofOld.sorted(by: { $0.key < $1.key }) {
      if found.count == 1, ofNew[found[0]]?.count == 1 { pair(old, found[0]) }
    }
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    before[old].isPaired = true
    now[new].isPaired = true
    pairs.append((before[old], now[new]))
  }
}
