package import CaptureReader

/// The fixes of one file, and what was odd about it.
package struct Track: Sendable {
  /// As the user named it.
  package let name: String
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
}

extension Fix {
  /// Takes over what is not known yet.
  fileprivate mutating func fill(from other: Fix) {
    altitude = altitude ?? other.altitude
    speed = speed ?? other.speed
    course = course ?? other.course
    accuracy = accuracy ?? other.accuracy
  }
}

/// What was odd about a track: how often, and in which lines.
package struct TrackLog: Sendable, Equatable {
  package struct Note: Sendable, Equatable {
    package let code: TrackCode
    package fileprivate(set) var count: Int
    /// The first of them, 1-based; at most `mostLines`.
    package fileprivate(set) var lines: [Int]
  }
  package static let mostLines = 10

  /// In the order of their first occurrence.
  package private(set) var notes: [Note] = []

  package init() {}

  package mutating func note(_ code: TrackCode, line: Int) {
    guard let index = notes.firstIndex(where: { $0.code == code }) else {
      notes.append(Note(code: code, count: 1, lines: [line]))
      return
    }
    notes[index].count += 1
    if notes[index].lines.count < Self.mostLines { notes[index].lines.append(line) }
  }

  package func count(_ code: TrackCode) -> Int { notes.first { $0.code == code }?.count ?? 0 }

  /// One clause for each kind: `bad_checksum: 12 times, lines 3, 9, 14…`.
  package var texts: [String] {
    notes.map { note in
      let lines = note.lines.map(String.init).joined(separator: ", ")
      let more = note.count > note.lines.count ? "…" : ""
      return "\(note.code.rawValue): \(note.count) time\(note.count == 1 ? "" : "s"), "
        + "line\(note.count == 1 ? "" : "s") \(lines)\(more)"
    }
  }
}
