import CaptureReader
import FrameEncoder
import Testing

@testable import Analysis

/// How much a receiver listened of the part of the time that is told of.
@Suite struct ReceiverPartTests {
  private static func recording(_ name: String, pausing: Bool) -> CaptureSource {
    var recording = Recording(name)
    recording.scan(filtersDuplicates: false, at: 0)
    for second in Int64(0)..<1200 {
      if pausing, second == 600 {
        recording.scan(filtersDuplicates: false, isOn: false, at: 600_000)
      }
      if pausing, second == 900 { recording.scan(filtersDuplicates: false, at: 900_000) }
      if pausing, (600..<900).contains(second) { continue }
      recording.hear(
        Recording.iBeacon(1), from: Address(1, isRandom: true), at: second * 1000 + 1)
    }
    return recording.source
  }

  @Test(arguments: [
    (0, 1200, 0.75), (450, 750, 0.5), (600, 900, 0), (900, 1200, 1), (2000, 3000, nil),
  ])
  func theShareIsOfThatPart(_ from: Int64, _ to: Int64, _ share: Double?) throws {
    var options = Analysis.Options()
    let start = Recording.start * 1_000_000
    options.limits = TimeLimits(from: start + from * 1_000_000_000, to: start + to * 1_000_000_000)
    var analysis = Analysis(
      [Self.recording("door", pausing: true), Self.recording("hall", pausing: false)],
      options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    let receivers = result.receivers(result.statistics.summaries())
    #expect(receivers.map(\.name) == ["door", "hall"])
    guard let share else {
      #expect(receivers.allSatisfy { $0.share == nil })
      return
    }
    #expect(abs((receivers[0].share ?? -1) - share) < 0.01)
    #expect((receivers[1].share ?? 0) > 0.99)
  }
}
