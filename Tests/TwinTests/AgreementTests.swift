import Foundation
import FuzzTargets
import CaptureWriter
import Synth
import Testing

extension FuzzTarget: CustomTestStringConvertible {
  package var testDescription: String { name }
}

/// Everything that is fuzzed holds for the golden cases, the committed captures, and what comes of
/// them when they are damaged. Above all: the decoder and its twin agree.
@Suite struct AgreementTests {
  /// Another seed or number of rounds: `BEACONTRACE_SEED`, `BEACONTRACE_ROUNDS`.
  static let seed = number("BEACONTRACE_SEED") ?? 20_260_519
  static let rounds = number("BEACONTRACE_ROUNDS") ?? 120

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test(arguments: FuzzTarget.all)
  func goldenCasesAndCaptures(_ target: FuzzTarget) {
    let seeds = target.seeds()
    #expect(seeds.count > 50)
    for input in seeds { #expect(target.faults(input).isEmpty, "\(input.hex)") }
  }

  @Test(arguments: FuzzTarget.all, 0..<4 as Range<UInt64>)
  func damagedAtRandom(_ target: FuzzTarget, share: UInt64) {
    var random = SplitMix64(seed: Self.seed &+ share)
    let seeds = target.seeds()
    for round in 0..<Self.rounds {
      let input = Damage.mutant(of: seeds, using: &random)
      let faults = target.faults(input)
      #expect(
        faults.isEmpty, "seed \(Self.seed), share \(share), round \(round): \(input.hex)")
      if !faults.isEmpty { return }
    }
  }

  @Test(arguments: FuzzTarget.all)
  func bytesAtRandom(_ target: FuzzTarget) {
    var random = SplitMix64(seed: Self.seed)
    for round in 0..<Self.rounds {
      let input = random.bytes(random.below(400))
      #expect(target.faults(input).isEmpty, "seed \(Self.seed), round \(round): \(input.hex)")
    }
  }
}
