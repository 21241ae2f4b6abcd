package import Analysis
package import Beacons
import CaptureReader

/// Remembers in which frames sightings lie, of each capture of a run. A class: it is asked while the run still
/// has it.
package final class CutFrames: FindingSink {
  /// By the capture's place: frame numbers, ascending, each once.
  private(set) var frames: [Int: [Int]] = [:]
  package private(set) var sightings = 0

  package init() {}

  package func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    self.sightings += sightings.count
    // In the order of the capture: a frame may hold several.
    var own = frames.removeValue(forKey: capture.place) ?? []
    for place in sightings.indices where sightings[place].frame != own.last {
      own.append(sightings[place].frame)
    }
    frames[capture.place] = own
  }

  package func pause() {}

  package var count: Int { frames.values.reduce(0) { $0 + $1.count } }
  package var captures: Int { frames.values.count { !$0.isEmpty } }
}
