import Testing

@testable import CaptureReader
@testable import Exports

@Suite("When damage was recorded") struct DamageTextTests {
  private static let start: Int64 = 1_779_184_800_000_000_000

  private static func gap(_ from: Double?, _ to: Double?) -> ContainerLog.Gap {
    func time(_ seconds: Double?) -> Timestamp {
      seconds.map { Timestamp(nanoseconds: start + Int64($0 * 1e9)) } ?? .none
    }
    var gap = ContainerLog.Gap(
      offset: 0, bytes: 1, reason: .recordImplausible, detail: "", frame: 2)
    (gap.from, gap.to) = (time(from), time(to))
    return gap
  }

  @Test(
    "is said to the millisecond, as far as it is known",
    arguments: [
      (0.333, 1.47, "recorded between 2026-05-19 10:00:00.333 and 10:00:01.470 UTC"),
      (0, 86_400, "recorded between 2026-05-19 10:00:00.000 and 2026-05-20 10:00:00.000 UTC"),
      (1, 1.000_1, "recorded at 2026-05-19 10:00:01.000 UTC"),
      (1, nil, "recorded after 2026-05-19 10:00:01.000 UTC"),
      (nil, 1, "recorded before 2026-05-19 10:00:01.000 UTC"),
      (nil, nil, nil),
      (
        60, 0,
        "the record before it is of 2026-05-19 10:01:00.000 UTC, that behind it of 2026-05-19 10:00:00.000 UTC"
      ),
    ] as [(Double?, Double?, String?)])
  func times(_ from: Double?, _ to: Double?, _ text: String?) {
    #expect(DamageText.times(Self.gap(from, to)) == text)
  }
}
