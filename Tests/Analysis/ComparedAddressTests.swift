import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import Testing

/// Addresses of a beacon in two recordings, of another kind or no longer changed.
@Suite struct ComparedAddressTests {
  /// Ten minutes of a beacon, a frame each second.
  /// - Parameter addresses: by the second from which on it has them; the first from 0 on.
  private static func side(_ addresses: [Int64: UInt64], day: Int64 = 0) throws -> ComparedSide {
    var recording = Recording("hall")
    var address: UInt64 = 0
    for second in 0..<600 as Range<Int64> {
      address = addresses[second] ?? address
      recording.hear(
        Recording.iBeacon(1), from: Address(address), at: day * 86_400_000 + second * 1000)
    }
    return try ComparedSide([recording])
  }

  private static func changes(
    _ before: [Int64: UInt64], _ now: [Int64: UInt64]
  ) throws -> [BeaconChange] {
    Comparison(before: try side(before), now: try side(now, day: 7)).changed.flatMap(\.changes)
  }

  private static let kinds: [UInt64] = [0xC000_0000_0000, 0x5A00_0000_0000, 0x0A00_0000_0000]

  @Test func anAddressOfAnotherKindIsTold() throws {
    for one in Self.kinds {
      for other in Self.kinds {
        let changes = try Self.changes([0: one + 1], [0: other + 2])
        // Who has a private address has another one the next day.
        if one == other, one != Self.kinds[0] {
          #expect(changes.isEmpty, "\(changes)")
          continue
        }
        guard changes.count == 1, case .otherAddress(let from, let to) = changes[0] else {
          Issue.record("\(one) \(other): \(changes)")
          continue
        }
        #expect(from.address == one + 1 && to.address == other + 2)
      }
    }
  }

  @Test func ofSeveralInTurnTheirKindIsTold() throws {
    let private1 = Self.kinds[1]
    let changes = try Self.changes(
      [0: private1 + 1, 300: private1 + 2], [0: Self.kinds[0] + 3])
    guard changes.count == 1, case .otherAddress(_, let to) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(to.address == Self.kinds[0] + 3)
  }

  /// Against ten minutes of one: as long as six turns, as one and a half, or of turns whose length is not known.
  @Test(arguments: [([0, 100, 200, 300, 400, 500], 6), ([0, 100, 500], nil), ([0, 300], nil)])
  func whoDoesNotChangeItsAddressAnyMoreIsTold(_ turns: [Int64], _ told: Int?) throws {
    let before = Dictionary(
      uniqueKeysWithValues: turns.map { ($0, Self.kinds[1] + UInt64($0) + 1) })
    let changes = try Self.changes(before, [0: Self.kinds[1] + 0xFFFF])
    guard let told else { return #expect(changes.isEmpty, "\(changes)") }
    guard changes.count == 1, case .keepsAddress(told) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
  }
}
