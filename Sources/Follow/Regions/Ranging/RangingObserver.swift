/// Ranging of one observer: its ticks, who is heard, and where it is.
struct RangingObserver: Sendable {
  struct RangedRegion: Sendable {
    var isInside = false
    /// Counts the stays, from 1 on.
    var stay: UInt32 = 0
    /// Of the latest stay.
    var nearest: NearestApproach?
  }

  /// A transmitter whose proximity is unknown for its silence.
  struct Silent: BitwiseCopyable, Sendable {
    let slot: UInt32
    /// Which of the silences counted there; another has followed, if it is not the latest.
    let silence: UInt32
    /// Nanoseconds: when it is forgotten, unless it is heard again.
    let forgotten: Int64
  }

  /// Nanoseconds, the first record's; ticks count from here. `Int64.min` before it.
  private(set) var origin = Int64.min
  private(set) var clock = Int64.min
  /// Nanoseconds: nothing is to be done until the clock has passed this.
  var deadline = Int64.max
  /// Slots heard within the time to `unknown`, in the order in which they came.
  var active: [UInt32] = []
  /// With lists on change: slots to be judged once the clock has passed this instant.
  var waiting: [UInt32] = []
  /// Holds silences that have ended, too, until these would be forgotten.
  var silent: [Silent] = []
  /// The earliest `forgotten`.
  var earliestForgotten = Int64.max
  /// By region number, as far as it has been entered.
  var regions: [RangedRegion] = []
  private(set) var regionsInside = 0
  /// By region number, dB: what a smoothed RSSI may lack to the power at 1 m, and no more, to come
  /// nearer than anybody did during this stay; −infinity outside.
  private(set) var bars: [Double] = []

  /// The clock never goes back; a time before it counts as the clock.
  /// - Returns: the time as it counts, nanoseconds.
  @inline(__always)
  mutating func move(to time: Int64) -> Int64 {
    if time > clock {
      clock = time
      if origin == .min { origin = time }
    }
    return clock
  }

  /// - Parameter region: any number; regions may come to be while reading.
  mutating func enter(_ region: Int) {
    while regions.count <= region { regions.append(RangedRegion()) }
    guard !regions[region].isInside else { return }
    regions[region].isInside = true
    regions[region].stay += 1
    regions[region].nearest = nil
    while bars.count <= region { bars.append(-.infinity) }
    bars[region] = .infinity
    regionsInside += 1
  }

  mutating func leave(_ region: Int) {
    guard region < regions.count, regions[region].isInside else { return }
    regions[region].isInside = false
    bars[region] = -.infinity
    regionsInside -= 1
  }

  /// - Parameter loss: dB from the RSSI to the power at 1 m.
  mutating func noteNearest(_ approach: NearestApproach, _ region: Int, loss: Double) {
    regions[region].nearest = approach
    bars[region] = loss
  }

  /// `bars`, of any number.
  @inline(__always)
  func bar(_ region: UInt32) -> Double {
    Int(region) < bars.count ? bars[Int(region)] : -.infinity
  }

  @inline(__always)
  func isInside(_ region: UInt32) -> Bool {
    Int(region) < regions.count && regions[Int(region)].isInside
  }

  /// The first tick at this time or later; `Int64.max` where time itself ends before it.
  func tick(from time: Int64, period: Int64) -> Int64 {
    guard time > origin else { return origin }
    // Without a sign, as there may be more than 292 years between them.
    let past = UInt64(bitPattern: time &- origin)
    let begun = Int64(past % UInt64(period))
    return begun == 0 ? time : time.later(by: period - begun)
  }
}
