/// What makes a record header look odd or plausible, whatever the container.
struct RecordSanity {
  /// Time of the last record that had one.
  var lastTime = Timestamp.none
  /// Time of a record that is being judged by the one behind it; nil at any other time.
  private var judgedTime: Timestamp?

  /// HCI packets and advertising PDUs are shorter; longer records are looked at twice.
  static let longRecord = 2048
  static let year2100: Int64 = 4_102_444_800_000_000_000
  static let month: Int64 = 30 * 86_400 * 1_000_000_000
  static let hour: Int64 = 3600 * 1_000_000_000

  /// Whether a header deserves a second look before its length is believed: one that is long, one
  /// out of time with the records before, or two things about it that are strange. (A stretch of
  /// zeros reads as empty records of 1970.)
  @inline(__always)
  func isOdd(included: Int, original: UInt32, time: Timestamp) -> Bool {
    if included > Self.longRecord { return true }
    let contradictory = included == 0 || UInt32(truncatingIfNeeded: included) > original
    let untimely = !isNear(time)
    return untimely && (contradictory || lastTime.isKnown)
      || original > 4 * UInt32(maximumRecordLength)
  }

  /// What the record behind one of this time has to agree with: it, or the ones before it. (A clock
  /// that is set or lost on the way starts anew; a record with a wrong time stands alone.)
  func judging(_ time: Timestamp) -> RecordSanity {
    var sanity = self
    sanity.judgedTime = time
    return sanity
  }

  /// Whether a time could belong to this capture: a set clock, or close to the record before
  /// (clocks that were never set run on from 1970).
  @inline(__always)
  func isNear(_ time: Timestamp) -> Bool {
    guard time.isKnown else { return judgedTime == time }
    if time.nanoseconds >= Timestamp.year2000 && time.nanoseconds <= Self.year2100 { return true }
    return Self.isClose(time, to: lastTime) || Self.isClose(time, to: judgedTime ?? .none)
  }

  /// A time that does not go on from the record before, as far as it is plausible at all: the clock
  /// was set, the recorder paused, or this is no time. Nil where it goes on, or is not known.
  func apart(_ time: Timestamp) -> Timestamp? {
    guard time.isKnown, !Self.isClose(time, to: lastTime, within: Self.hour),
      !Self.isClose(time, to: judgedTime ?? .none, within: Self.hour)
    else { return nil }
    return time
  }

  /// Whether two records behind one another may belong together: a clock may be set between them,
  /// but what lies apart from the records before goes on from there.
  static func agree(_ time: Timestamp?, _ next: Timestamp?) -> Bool {
    guard let time else { return true }
    return isClose(next ?? .none, to: time, within: hour)
  }

  private static func isClose(
    _ time: Timestamp, to other: Timestamp, within limit: Int64 = month
  ) -> Bool {
    guard time.isKnown, other.isKnown else { return false }
    let (distance, overflow) = time.nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return !overflow && distance.magnitude < UInt64(limit)
  }
}

extension ContainerLog {
  /// The input ends inside a record: reported, its bytes never handed on. Returns `end`.
  mutating func cutShort(at: Int, end: Int, offset: Int64) -> Int {
    if at < end {
      note(
        .fileTruncated, frame: frames, offset: offset + Int64(at),
        "the input ends \(end - at) bytes into a record")
    }
    return end
  }
}
