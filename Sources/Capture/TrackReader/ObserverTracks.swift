/// Which tracks say where an observer was: those that name it, or else those that are of all.
package struct ObserverTracks: Sendable {
  private let tracks: [Track]
  /// Most observers have no track of their own, and share these.
  private let common: [Fix]

  package init(_ tracks: [Track]) {
    self.tracks = tracks
    common = MergedTracks(tracks) { tracks[$0].observer == nil }.fixes
  }

  /// Whether any track is of it.
  package func has(_ observer: String) -> Bool { !files(of: observer).isEmpty }

  /// In the order of time; no two of the same moment. Their places name the file by its index among
  /// all tracks.
  package func fixes(of observer: String) -> [Fix] {
    guard tracks.contains(where: { $0.isOwn(of: observer) }) else { return common }
    return MergedTracks(tracks) { tracks[$0].isOwn(of: observer) }.fixes
  }

  /// Indices of those tracks.
  package func files(of observer: String) -> [Int] {
    let own = tracks.indices.filter { tracks[$0].isOwn(of: observer) }
    return own.isEmpty ? tracks.indices.filter { tracks[$0].observer == nil } : own
  }
}

extension Track {
  /// Whether it names an observer: `walker` is all radios of that receiver, `walker/hci0` one of them.
  package func isOwn(of observer: String) -> Bool {
    guard let name = self.observer else { return false }
    return observer == name || observer.hasPrefix(name + "/")
  }
}
