import CaptureReader

/// Several tracks as one: the parts of a long walk.
package struct MergedTracks: Sendable {
  /// In the order of time; no two of the same moment. Their places name the file by its index among
  /// the tracks.
  package let fixes: [Fix]
  /// Fixes left out because an earlier track has one of the same moment.
  package let repeated: Int

  /// - Parameter isWanted: of a track's index.
  package init(_ tracks: [Track], where isWanted: (Int) -> Bool = { _ in true }) {
    let all = tracks.indices.filter(isWanted).flatMap { file in
      tracks[file].fixes.map { $0.numbered(file) }
    }
    // `sort` keeps the order of equals, but does not promise it.
    let order = all.indices.sorted {
      (all[$0].time.nanoseconds, $0) < (all[$1].time.nanoseconds, $1)
    }
    var fixes: [Fix] = []
    fixes.reserveCapacity(all.count)
    for index in order where fixes.last?.time != all[index].time { fixes.append(all[index]) }
    self.fixes = fixes
    repeated = all.count - fixes.count
  }
}

extension Fix {
  fileprivate func numbered(_ file: Int) -> Fix {
    Fix(
      time: time, latitude: latitude, longitude: longitude, altitude: altitude, speed: speed,
      course: course, accuracy: accuracy, place: .line(place.number, file: file))
  }
}
