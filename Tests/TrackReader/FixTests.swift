import CaptureReader
import Testing
import TrackReader

@Suite struct FixTests {
  @Test func keepsDegrees() {
    #expect(Fix(time: .none, latitude: 52.52, longitude: 13.405).longitude == 13.405)
  }
}
