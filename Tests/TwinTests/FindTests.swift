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
      """)
  ]

  @Test(arguments: finds)
  func isMended(_ find: Find) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == find.target })
    #expect(target.faults(find.bytes).isEmpty)
  }
}
