import FoundationEssentials
import TrackReader

/// What `--track` takes: a file, or a receiver's name and a file.
struct TrackWord {
  let observer: String?
  let path: String

  /// - Parameter word: `walk.gpx`, `walker=walk.gpx`. What names a file as it stands is one: there may be an
  ///   equals sign in its name.
  /// - Parameter places: where files are that are not where they were named.
  init(_ word: String, _ places: SidePlaces = SidePlaces()) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      !FileManager.default.fileExists(atPath: word), places[.track, word] == nil
    else {
      (observer, path) = (nil, word)
      return
    }
    (observer, path) = (String(parts[0]), String(parts[1]))
  }

  func read(_ places: SidePlaces = SidePlaces()) throws(TextProblem) -> Track {
    var track = try TrackReader.read(TextFile.read(places.path(path, .track)), name: path)
    track.observer = observer
    return track
  }
}

extension FollowOptions {
  var trackFiles: [String] { tracks.map { TrackWord($0).path } }
}
