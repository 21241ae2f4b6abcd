import FuzzTargets
import CaptureWriter
import Testing

/// What fuzzing found, as it was found: the target and the bytes, named for what went wrong.
@Suite struct FindTests {
  struct Find: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let target: String
    let bytes: [UInt8]

    init(_ description: String, _ target: String, _ hex: String) {
      testDescription = description
      self.target = target
      bytes = [UInt8](hex: hex)
    }
  }

  static let finds = [
    Find(
      "periodic trains of unknown handles are not joined", "hci",
      """
      000f0f020001003f01000f0f0201010000000f0f0201111a03020201013f
      0000000f0f0201010000000f0f0201111a030201060f0f0201060f0f0201
      111a03020106d8
      """),
    Find(
      "only some of the monitor's notes may be empty, and the twin knows", "container",
      """
      6274736e6f6f700000000001000007d1020010000000000000000000000000000000000000000000
      00000000000000000000000000000000000000000000f6ff00000000000000000000000000000000
      68636930000000000000000500000005000000020000000000e2e7d7274fa2410c20020100000000
      1100000011000000030000000000e2e7d7274fa2423e0f0201000055443322110003020106d40000
      001100000011000100030000000000e2e7d7274fa2433e0f0201000055443322110003020106d400
      00000500000005ffff000c0000000000e2e7d7274fa2446e6f746500000000000000000000000009
      0000000000e2e7d7274fa245
      """),
    Find(
      "the largest length a recorder can claim leaves no place for a header", "share",
      "6274736e6f6f700000000001000003eaffffffff00000004000000020000000000e32fdbcd2dc0f001030c00"),
  ]

  @Test(arguments: finds)
  func isMended(_ find: Find) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == find.target })
    #expect(target.faults(find.bytes).isEmpty)
  }
}
