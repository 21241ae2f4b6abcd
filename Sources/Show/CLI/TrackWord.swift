import FoundationEssentials
import TrackReader

/// What `--track` takes: a file, or a receiver's name and a file.
struct TrackWord {
  let observer: String?
  let path: String

  /// - Parameter word: `walk.gpx`, `walker=walk.gpx`. What names a file as it stands is one: there may be an
  ///   equals sign in its name.
  init(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      !FileManager.default.fileExists(atPath: word)
    else {
      (observer, path) = (nil, word)
      return
    }
    (observer, path) = (String(parts[0]), String(parts[1]))
  }

  func read() throws(TextProblem) -> Track {
    var track = try TrackReader.read(path)
    track.observer = observer
    return track
  }
}

extension FollowOptions {
  var trackFiles: [String] { tracks.map { TrackWord($0).path } }
}
