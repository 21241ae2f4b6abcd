/// How old packets are when they come: what still may come with a stamp before now.
///
/// The kernel stamps a packet when its driver hands it over; a work queue brings it to our socket,
/// and where that lags behind (many packets, few processors) by more than the margin, so did the
/// packets of the last second or two. What is later still is a record out of order, as stamps
/// themselves step back now and then.
struct ArrivalAge {
  /// The greatest of the running second, and of the one before; nanoseconds.
  private var current: Int64 = 0
  private var previous: Int64 = 0
  private var since: Int64 = 0

  /// For a processor that had other things to do: a fifth of a second, which nobody notices in
  /// events that wait for silence.
  static let margin: Int64 = 200_000_000
  private static let second: Int64 = 1_000_000_000

  mutating func note(stamp: Int64, at now: Int64) {
    turn(now)
    current = max(current, now - stamp)
  }

  /// All packets with stamps before this have come, if none is there at a time.
  mutating func certain(at now: Int64) -> Int64 {
    turn(now)
    return now - Self.margin - max(current, previous)
  }

  /// The clock may have been set.
  private mutating func turn(_ now: Int64) {
    if now >= since && now - since < Self.second { return }
    previous = now >= since && now - since < 2 * Self.second ? current : 0
    current = 0
    since = now
  }
}
