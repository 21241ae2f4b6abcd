import Regions

/// A beacon's packets, one after the other, taken together to the advertising events that they are of.
struct HeardEvents {
  /// Nanoseconds: of the packet before, and when the event began that it is of.
  private(set) var last = Int64.min
  private var begun = Int64.min
  /// Whether its channels may be so far apart that two of them are as far as two events.
  private var isLong = false

  /// An event begins behind another one.
  struct Gap {
    /// From the last packet before: for so long nothing was heard, nanoseconds.
    let silence: Int64
    /// From the beginning of the event before, nanoseconds.
    let interval: Int64
  }

  /// What is shorter, nanoseconds, are two channels of one event, or two radios.
  static let sameEvent: Int64 = 15_000_000
  /// From the first to the last channel of an event (Core, Vol 6 Part B 4.4.2: 10 ms from one to the next), nanoseconds;
  /// by a clock that is read a little late.
  private static let longest: Int64 = 20_500_000
  /// Events begin 20 ms apart, by a clock that is read late as little as 18 ms. They are as long as that only where
  /// each channel is half as far from the next.
  private static let long: Int64 = 18_000_000
  private static let longStep: ClosedRange<Int64> = 9_000_000...10_500_000

  /// - Parameter time: nanoseconds.
  /// - Returns: nil where no event was before, and in the event that is going on. Where the clock was set back the
  ///   silence goes on from where it was.
  mutating func hear(at time: Int64) -> Gap? {
    guard last != .min else {
      (last, begun) = (time, time)
      return nil
    }
    guard time > last else { return nil }
    let silence = time.since(last)
    defer { last = time }
    let length = time.since(begun)
    if silence < Self.sameEvent || length < (isLong ? Self.longest : Self.long) {
      if Self.longStep.contains(silence) { isLong = true }
      return nil
    }
    // Many senders that nobody can tell apart make what is longer than an event.
    let interval = last.since(begun) <= Self.longest ? length : silence
    begun = time
    return Gap(silence: silence, interval: interval)
  }
}
