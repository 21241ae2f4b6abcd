package import CaptureReader
import TrackReader

/// Where observers were: by fixes of their own, or, who has none, by those that are for all of them.
package struct ObserverPaths: Sendable {
  private var own: [Int64: PositionPath] = [:]
  private var common = PositionPath()

  package init() {}

  /// In the order of time.
  /// - Parameter observer: nil: the fix is for all of them.
  package mutating func append(
    latitude: Double, longitude: Double, at time: Timestamp, of observer: Int64?
  ) {
    let fix = Fix(time: time, latitude: latitude, longitude: longitude)
    if let observer {
      own[observer, default: PositionPath()].append(fix)
    } else {
      common.append(fix)
    }
  }

  /// Nil where it is not known.
  /// - Parameter observer: nil where it is not known who it was: fixes of one are not those of another.
  package func position(of observer: Int64?, at time: Timestamp) -> Position? {
    if let observer, let path = own[observer] { return path.position(at: time) }
    return common.position(at: time)
  }
}
