import CaptureReader
import Testing

@testable import Regions

@Suite("Moments of ranging that are drawn") struct RangingSamplesTests {
  private static let second: Int64 = 1_000_000_000

  private static func line(_ time: Int64, _ observer: Int, _ place: Int) -> RangingSample {
    RangingSample(
      time: Timestamp(nanoseconds: time), observer: observer, region: 0, place: place,
      transmitter: UInt32(place), proximity: .near,
      accuracy: Distance(metres: 1, interval: nil), rssi: -60, others: 0)
  }

  @Test("are as far apart as it takes to be few, all the way; a list stays whole") func thinning() {
    var samples = RangingSamples(period: Self.second)
    for moment in Int64(0)..<50_000 {
      for observer in 0..<2 {
        let time = moment * Self.second + Int64(observer) * 300_000_000
        guard samples.takes(time, observer: observer) else { continue }
        samples.add([Self.line(time, observer, 1), Self.line(time, observer, 2)], looks: 2)
      }
    }
    #expect(samples.all.count <= RangingSamples.most)
    #expect(samples.all.count > RangingSamples.most / 4)
    for observer in 0..<2 {
      let times = samples.all.filter { $0.observer == observer }.map(\.time.nanoseconds)
      #expect(times.count == 2 * Set(times).count, "a list of two lines is kept or dropped whole")
      let steps = Set(zip(Set(times).sorted().dropFirst(), Set(times).sorted()).map { $0 - $1 })
      #expect(steps.count == 1, "\(steps)")
      #expect((times.last ?? 0) > 49_900 * Self.second)
    }
  }

  @Test("of crowds are fewer, however few lines their lists have") func crowds() {
    var samples = RangingSamples(period: Self.second)
    for moment in Int64(0)..<10_000 where samples.takes(moment * Self.second, observer: 0) {
      samples.add([Self.line(moment * Self.second, 0, 1)], looks: 1000)
    }
    #expect(samples.all.count < 400)
    #expect(samples.all.count > 20)
  }
}
