import CaptureReader
import FrameDecoder
import Testing

@testable import Beacons

/// What ends the program. `make test` runs suites called so by themselves: see CONTRIBUTING.md.
@Suite struct FormatDeathTests {
  @Test func aKindWithoutAFormatIsRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = BeaconFormats.format(BeaconKind(rawValue: 200))
    }
  }

  @Test func numbersOfCodesHaveNoGap() async {
    await #expect(processExitsWith: .failure) { _ = CodeNames.inOrder([(1, "b")], "reason") }
  }
}
