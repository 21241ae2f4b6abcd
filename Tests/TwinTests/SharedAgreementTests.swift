import CaptureWriter
import FuzzTargets
import Synth
import Testing

/// What is shared says the same, also of captures that are damaged.
@Suite struct SharedAgreementTests {
  private static let seeds = FuzzTarget.all.first { $0.name == "share" }?.seeds() ?? []

  @Test func goldenCasesAndCaptures() {
    #expect(Self.seeds.count > 50)
    for input in Self.seeds {
      #expect(ShareTarget.faults(input, comparing: true).isEmpty, "\(input.hex)")
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func damagedAtRandom(share: UInt64) {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let input = Damage.mutant(of: Self.seeds, using: &random)
      let faults = ShareTarget.faults(input, comparing: true)
      #expect(faults.isEmpty, "share \(share), round \(round): \(input.hex)")
      if !faults.isEmpty { return }
    }
  }
}
