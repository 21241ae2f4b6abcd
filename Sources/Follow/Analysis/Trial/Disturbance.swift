/// What a worse radio makes of a recording: the same each time for the same seed.
///
/// It strikes whole records that hold advertising, each by itself, before they are decoded; commands to the
/// controller, its answers and connections stay as they are. (An HCI event with several reports is lost as
/// one.) With one seed, what is lost at a small loss is lost at a larger one, too.
package struct Disturbance: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// So many of a hundred are not heard.
    case loss(percent: Double)
    /// So many of a hundred are heard twice at their moment.
    case duplicates(percent: Double)
    /// Each comes up to so much later, which changes their order.
    case delay(milliseconds: Double)
  }
  package let kind: Kind
  package let seed: UInt64

  package init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    self.seed = seed
  }

  /// At least 0, below 1: the lot of a frame, whatever was decided about others.
  func lot(capture: UInt32, frame: Int) -> Double {
    var mixed = Self.mixed(seed)
    mixed = Self.mixed(mixed ^ UInt64(capture))
    mixed = Self.mixed(mixed ^ UInt64(bitPattern: Int64(frame)))
    return Double(mixed >> 11) / Double(UInt64(1) << 53)
  }

  /// A step of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    SplitMix.mixed(value &+ SplitMix.step)
  }
}
