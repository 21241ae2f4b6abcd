/// On which of the three channels that advertising events begin on an air sniffer heard somebody.
public struct HeardChannels: Equatable, Sendable {
  /// Reports on 37, 38 and 39, and those of which the sniffer does not tell it.
  private var on37 = 0
  private var on38 = 0
  private var on39 = 0
  private var untold = 0

  /// Fewer do not say that nobody is heard on a channel.
  private static let enough = 50
  /// So few of all are a channel that the sniffer is not set to: one of so many.
  private static let stray = 50

  public init() {}

  mutating func note(_ run: Span<AdvertisingReport>) {
    for place in run.indices {
      switch run[place].channel {
      case 37: on37 += 1
      case 38: on38 += 1
      case 39: on39 += 1
      case 255: untold += 1
      default: break
      }
    }
  }

  public mutating func add(_ other: HeardChannels) {
    on37 += other.on37
    on38 += other.on38
    on39 += other.on39
    untold += other.untold
  }

  /// Ascending; nil where the sniffer heard too few there to say, or does not tell channels.
  public var channels: [Int]? {
    let all = on37 + on38 + on39
    guard all >= Self.enough, untold <= all / Self.stray else { return nil }
    return [(37, on37), (38, on38), (39, on39)].filter { $0.1 > all / Self.stray }.map(\.0)
  }
}
