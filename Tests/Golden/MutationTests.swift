import Checks
import CaptureReader
import Foundation
import Synth
import Testing

/// Golden files damaged at random, in ways that files are damaged: bytes changed, lost, doubled,
/// put in from elsewhere, lengths gone wild.
@Suite struct MutationTests {
  /// Another seed or number of rounds: `BEACONTRACE_SEED`, `BEACONTRACE_ROUNDS`.
  static let seed = number("BEACONTRACE_SEED") ?? 20_240_229
  static let rounds = number("BEACONTRACE_ROUNDS") ?? 600

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Sixteen shares, so that they run side by side and a failure names its share.
  @Test(arguments: 0..<16)
  func damagedAtRandom(_ share: Int) {
    var random = SplitMix64(seed: Self.seed &+ UInt64(share))
    let files = Golden.cases("file").map(\.bytes).filter { !$0.isEmpty }
    for round in 0..<Self.rounds {
      var bytes = files.randomElement(using: &random) ?? []
      // Several files' worth of records, so that there is a way back to be found.
      let more = bytes.dropFirst(headerLength(bytes))
      for _ in 0..<Int.random(in: 0...4, using: &random) { bytes += more }
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        mutate(&bytes, files: files, using: &random)
      }
      let faults = Soundness.faults(Reading(bytes), bytes)
      #expect(
        faults.isEmpty,
        "seed \(Self.seed), share \(share), round \(round): \(Hex.text(bytes))")
      if !faults.isEmpty { return }
    }
  }

  /// What stands before the records. A pcapng section may be repeated whole.
  private func headerLength(_ bytes: [UInt8]) -> Int {
    if bytes.starts(with: Array("btsnoop".utf8)) { return 16 }
    let isPcap = CaptureFormats.recognise(bytes)?.name == "pcap"
    return isPcap ? min(24, bytes.count) : 0
  }

  private func mutate(
    _ bytes: inout [UInt8], files: [[UInt8]], using random: inout SplitMix64
  ) {
    guard !bytes.isEmpty else { return bytes = [0] }
    let place = Int.random(in: bytes.indices, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4:
      let noise = (place..<end).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.insert(contentsOf: noise, at: place)
    case 5:
      let other = files.randomElement(using: &random) ?? []
      let from = Int.random(in: 0..<max(1, other.count), using: &random)
      bytes.insert(contentsOf: other[from...], at: place)
    default:
      let wild: [UInt32] = [0, 1, 9, 0xFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 262_144, 262_145, 0x8000_0000]
      let value = wild.randomElement(using: &random) ?? 0
      let big = Bool.random(using: &random)
      for (index, at) in (place..<min(bytes.count, place + 4)).enumerated() {
        bytes[at] = UInt8(truncatingIfNeeded: value >> UInt32(big ? 24 - 8 * index : 8 * index))
      }
    }
  }
}
