package import CaptureReader
import Glibc

/// The fixes of one file, and what was odd about it.
package struct Track: Sendable {
  /// As the user named it.
  package let name: String
  /// The receiver that it is of, as the user named it; nil where it is of all.
  package var observer: String?
  /// In the order of time; no two of the same moment.
  package let fixes: [Fix]
  package private(set) var log: TrackLog
  /// Where the file ended to be readable: what came before stands.
  package let damage: TextProblem?

  /// - Parameter fixes: in the order of the file; those that cannot be used are already left out.
  init(name: String, fixes: [Fix], log: TrackLog, damage: TextProblem? = nil) {
    self.name = name
    self.log = log
    self.damage = damage
    self.fixes = Self.ordered(fixes, &self.log)
    noteJumps()
  }

  package var first: Timestamp { fixes.first?.time ?? .none }
  package var last: Timestamp { fixes.last?.time ?? .none }

  /// Sorts by time. Of several fixes of one moment the first counts, and takes from those of the
  /// same place what it does not say (RMC and GGA share their moments).
  private static func ordered(_ fixes: [Fix], _ log: inout TrackLog) -> [Fix] {
    for (earlier, later) in zip(fixes, fixes.dropFirst()) where later.time < earlier.time {
      log.note(.backwards, line: later.place.number)
    }
    // `sort` keeps the order of equals, but does not promise it.
    let sorted = fixes.indices.sorted {
      (fixes[$0].time.nanoseconds, $0) < (fixes[$1].time.nanoseconds, $1)
    }
    var result: [Fix] = []
    result.reserveCapacity(fixes.count)
    for fix in sorted.map({ fixes[$0] }) {
      guard let last = result.last, last.time == fix.time else {
        result.append(fix)
        continue
      }
      if last.latitude == fix.latitude && last.longitude == fix.longitude {
        result[result.count - 1].fill(from: fix)
      } else {
        log.note(.repeated, line: fix.place.number)
      }
    }
    return result
  }

  /// Metres per second: nothing that carries a receiver of Bluetooth is faster.
  private static let fastest = 300.0

  /// Places that nobody came to from the one before. They are kept: which of the two is wrong is not known.
  private mutating func noteJumps() {
    for (from, to) in zip(fixes, fixes.dropFirst()) {
      // What scatters by metres within a part of a second is no jump.
      let seconds = max(to.time.seconds(since: from.time), 1)
      if from.metres(to: to) > Self.fastest * seconds { log.note(.jump, line: to.place.number) }
    }
  }

  /// Whether the track says anything about the time of a capture.
  /// - Parameters:
  ///   - first: the capture's first known time.
  ///   - last: its last one.
  /// - Throws: `no_overlap`, with both spans.
  package func checkOverlap(
    capture: String, from first: Timestamp, to last: Timestamp
  ) throws(TextProblem) {
    guard first.isKnown, last.isKnown else {
      throw TextProblem(
        .noOverlap, file: name,
        "cannot be put beside \(capture), which has no times")
    }
    guard self.last < first || last < self.first else { return }
    throw TextProblem(
      .noOverlap, file: name,
      "runs from \(UTCTime.text(self.first)) to \(UTCTime.text(self.last)), \(capture) from "
        + "\(UTCTime.text(first)) to \(UTCTime.text(last)): they share no moment. A track has to "
        + "be of the capture's time, in UTC")
  }
}

extension Timestamp {
  static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Tracks may span more than nanoseconds hold.
  fileprivate func seconds(since other: Timestamp) -> Double {
    (Double(nanoseconds) - Double(other.nanoseconds)) / 1e9
  }
}

extension Fix {
  /// Over a sphere of the earth's mean radius; good enough to know a jump.
  fileprivate func metres(to other: Fix) -> Double {
    let degree = Double.pi / 180
    let north = sin((other.latitude - latitude) * degree / 2)
    let east = sin((other.longitude - longitude) * degree / 2)
    let squared =
      north * north + cos(latitude * degree) * cos(other.latitude * degree) * east * east
    return 2 * 6_371_008.8 * asin(min(1, squared.squareRoot()))
  }

  /// Takes over what is not known yet.
  fileprivate mutating func fill(from other: Fix) {
    altitude = altitude ?? other.altitude
    speed = speed ?? other.speed
    course = course ?? other.course
    accuracy = accuracy ?? other.accuracy
  }
}
