import CaptureReader
import Glibc
import TestSupport
import Testing

@testable import Beacons
@testable import Regions

/// The monitor and its twin agree on random streams.
@Suite struct MonitorTwinTests {
  /// Another seed or number of rounds: `BEACONTRACE_SEED`, `BEACONTRACE_ROUNDS`.
  static let seed = number("BEACONTRACE_SEED") ?? 20_260_519
  static let rounds = number("BEACONTRACE_ROUNDS") ?? 700

  private static func number(_ name: String) -> UInt64? {
    guard let value = unsafe getenv(name) else { return nil }
    return UInt64(unsafe String(cString: value))
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func agree(_ share: UInt64) throws {
    var exits = 0
    var grades: Set<String> = []
    for round in 0..<Self.rounds {
      var random = Seeded((Self.seed &+ share) &* 1_000_003 &+ round)
      let stream = RandomStream(&random)
      let difference = try stream.difference()
      #expect(
        difference == nil, "seed \(Self.seed), share \(share), round \(round): \(difference ?? "")")
      if difference != nil { return }
      exits += stream.exits
      grades.formUnion(stream.grades)
    }
    // What is compared is not the empty stream.
    #expect(exits > Int(Self.rounds) && grades == ["deaf", "thin", "gone"])
  }
}
