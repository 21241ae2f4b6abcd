/// What receivers are called that have a folder each: by the folder, and where two are called alike by as much of
/// their paths as tells them apart.
package enum FolderNames {
  /// By place of the capture. A folder that is called by a date is not a receiver's (`door/2026-05-19`,
  /// `2026-05-19/door`), nor are those that a bug report brings along. What lies loose where all the receivers'
  /// folders are, or in none, is left out: nothing says whose it is.
  package static func names(of captures: [String]) -> [Int: String] {
    let folders = captures.map { folder(of: $0) }
    let known = Set(folders.filter { !$0.isEmpty })
    let own = known.filter { folder in
      known.count == 1 || !known.allSatisfy { $0.starts(with: folder) }
    }.sorted { $0.lexicographicallyPrecedes($1) }
    let stems = ObserverNames.stems(of: own.map { $0.joined(separator: "/") })
    let names = Dictionary(uniqueKeysWithValues: zip(own, stems))
    var found: [Int: String] = [:]
    for (place, folder) in folders.enumerated() { found[place] = names[folder] }
    return found
  }

  /// Of folders that hold no capture those that would be a receiver's: they lie where one that has captures does, in
  /// the same folder, dates left out (`2026-05-19/hall` beside `2026-05-19/door`, or where only `2026-05-12/hall` has
  /// some). A day's folder in a receiver's is none, nor is what lies among a receiver's captures.
  package static func withoutCaptures(_ folders: [String], beside captures: [String]) -> [String] {
    let known = names(of: captures).keys.map { folder(of: captures[$0]) }
    let (own, parents) = (Set(known), Set(known.map { $0.dropLast() }))
    return folders.filter { path in
      let parts = CapturePath(path + "/capture").folders
      guard let last = parts.last, !DatedName.isDate(String(last)) else { return false }
      let folder = parts.map(String.init).filter { !DatedName.isDate($0) }
      // Where a receiver's captures lie beside the folders of others, its own folders are none of theirs.
      return own.contains(folder)
        || parents.contains(folder.dropLast()) && !own.contains(Array(folder.dropLast()))
    }
  }

  /// By place of the capture: its folders below the one that all captures share, dates and all, outermost first;
  /// nil where they share none but the root.
  package static func below(_ captures: [String]) -> [[String]]? {
    let paths = captures.map { capture in
      capture == "-" ? [] : CapturePath(capture).withoutAndroids.folders.map(String.init)
    }
    guard let first = paths.first else { return [] }
    let common = paths.reduce(first.count) { count, path in
      zip(first.prefix(count), path).prefix { $0 == $1 }.count
    }
    if common < 2, paths.contains(where: { $0.first == "" }) { return nil }
    return paths.map { Array($0.dropFirst(common)) }
  }

  /// The same of both sides of a comparison. Folders of either side alone that differ by a date alone
  /// (`door-2026-05-12`, `door-2026-05-19`) are one receiver's, called by the rest, where each side has one of it.
  package static func names(before: [String], now: [String]) -> (
    before: [Int: String], now: [Int: String]
  ) {
    var (olds, news) = (names(of: before), names(of: now))
    let (old, new) = (Set(olds.values), Set(news.values))
    let (ofOld, ofNew) = (rests(old.subtracting(new)), rests(new.subtracting(old)))
    for (rest, one) in ofOld where !old.contains(rest) && !new.contains(rest) {
      guard let other = ofNew[rest], one.count == 1, other.count == 1 else { continue }
      olds = olds.mapValues { $0 == one[0] ? rest : $0 }
      news = news.mapValues { $0 == other[0] ? rest : $0 }
    }
    return (olds, news)
  }

  /// By what is left of them without their dates.
  private static func rests(_ names: Set<String>) -> [String: [String]] {
    var rests: [String: [String]] = [:]
    for name in names {
      if let rest = DatedName.rest(of: name) { rests[rest, default: []].append(name) }
    }
    return rests
  }

  private static func folder(of capture: String) -> [String] {
    guard capture != "-" else { return [] }
    return CapturePath(capture).withoutAndroids.folders.map(String.init)
      .filter { !DatedName.isDate($0) }
  }
}
