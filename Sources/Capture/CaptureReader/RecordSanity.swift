/// What makes a record header look odd or plausible, whatever the container.
struct RecordSanity {
  /// Time of the last record that had one.
  var lastTime = Timestamp.none

  /// HCI packets and advertising PDUs are shorter; longer records are looked at twice.
  static let longRecord = 2048
  static let year2100: Int64 = 4_102_444_800_000_000_000
  static let month: Int64 = 30 * 86_400 * 1_000_000_000

  /// Whether a header deserves a second look before its length is believed: one that is long, or
  /// two things about it that are strange. (A stretch of zeros reads as empty records of 1970.)
  @inline(__always)
  func isOdd(included: Int, original: UInt32, time: Timestamp) -> Bool {
    if included > Self.longRecord { return true }
    let contradictory = included == 0 || UInt32(truncatingIfNeeded: included) > original
    let untimely = !isNear(time)
    return contradictory && untimely || original > 4 * UInt32(maximumRecordLength)
  }

  /// Whether a time could belong to this capture: a set clock, or close to the record before
  /// (clocks that were never set run on from 1970).
  @inline(__always)
  func isNear(_ time: Timestamp) -> Bool {
    guard time.isKnown else { return false }
    if time.nanoseconds >= Timestamp.year2000 && time.nanoseconds <= Self.year2100 { return true }
    guard lastTime.isKnown else { return false }
    let (distance, overflow) = time.nanoseconds.subtractingReportingOverflow(lastTime.nanoseconds)
    return !overflow && distance.magnitude < UInt64(Self.month)
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
