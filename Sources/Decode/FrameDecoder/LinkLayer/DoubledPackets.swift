import CaptureReader

/// Packets that an air sniffer's capture has twice, one behind the other: no sender has a second one on a channel so
/// soon, as its events begin 20 ms apart. What sniffers heard of one place was put together, or recorded twice.
public struct DoubledPackets: Sendable {
  /// Those that are the same once more.
  public private(set) var packets = 0
  private var before: AdvertisingReport?

  /// Nanoseconds.
  private static let within: Int64 = 1_000_000

  mutating func note(_ run: Span<AdvertisingReport>) {
    guard !run.isEmpty else { return }
    if let before, Self.isSame(before, run[0]) { packets += 1 }
    for place in 1..<run.count where Self.isSame(run[place - 1], run[place]) { packets += 1 }
    before = run[run.count - 1]
  }

  /// Asked of each packet: what hardly ever holds stands first.
  @inline(__always)
  private static func isSame(
    _ one: AdvertisingReport, _ other: AdvertisingReport
  ) -> Bool {
    let (apart, overflow) = other.time.nanoseconds.subtractingReportingOverflow(
      one.time.nanoseconds)
    return !overflow && apart.magnitude < within.magnitude && one.address == other.address
      && one.address.isPresent && one.channel == other.channel && (37...39).contains(other.channel)
      && one.pdu == other.pdu && one.count == other.count && one.time.isKnown && other.time.isKnown
  }
}
