public import FrameDecoder

/// Payloads that claim to be a beacon and are none, by who sent them and why. They are rare; but whoever makes up
/// addresses must not fill the memory: so many senders are kept, the first ones, and what the others sent is counted.
public struct RefusedPayloads: Sendable {
  public struct Sender: Hashable, Sendable {
    public let address: DeviceAddress
    public let reason: BeaconReason

    public init(address: DeviceAddress, reason: BeaconReason) {
      (self.address, self.reason) = (address, reason)
    }
  }

  public static let most = 4096
  public private(set) var counts: [Sender: FrameTally.Count] = [:]
  /// Reports of senders for whom there was no room.
  public private(set) var others = 0

  public init() {}

  mutating func note(_ address: DeviceAddress, _ reason: BeaconReason, frame: Int) {
    let sender = Sender(address: address, reason: reason)
    if counts.count < Self.most || counts[sender] != nil {
      counts[sender, default: FrameTally.Count()].add(frame)
    } else {
      others += 1
    }
  }

  /// Counts one again that was noted before.
  mutating func `repeat`(_ address: DeviceAddress, _ reason: BeaconReason, times: Int) {
    if let place = counts.index(forKey: Sender(address: address, reason: reason)) {
      counts.values[place].count += times
    } else {
      others += times
    }
  }
}
