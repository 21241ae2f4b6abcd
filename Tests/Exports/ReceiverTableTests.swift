import CaptureReader
import Testing

@testable import Analysis
@testable import Exports

@Suite("The table of receivers") struct ReceiverTableTests {
  private func receiver(_ name: String, beacons: Int, days: Int = 0) -> ReceiverSummary {
    var receiver = ReceiverSummary(name: name)
    receiver.from = Timestamp(nanoseconds: TimelineScene.start)
    receiver.to = Timestamp(
      nanoseconds: TimelineScene.start + Int64(days) * 86_400_000_000_000 + 600_000_000_000)
    (receiver.beacons, receiver.alone, receiver.sightings) = (beacons, beacons, 100 * beacons)
    receiver.weakest = -94
    return receiver
  }

  private func lines(_ receivers: [ReceiverSummary], all: Bool = false) -> [String] {
    ReceiverTable(style: Style(colour: false), showsAll: all).lines(receivers)
  }

  @Test(
    "keeps its columns apart and its lines within 80 columns",
    arguments: [1, 100_000, 12_345_678], [0, 3])
  func widths(_ beacons: Int, _ days: Int) throws {
    let long = "site/a-very-long-name-of-a-receiver-in-the-northern-hall"
    let told = lines([receiver("door", beacons: beacons), receiver(long, beacons: 1, days: days)])
    #expect(told.allSatisfy { $0.columns <= 80 }, "\(told)")
    let row = try #require(told.first { $0.hasPrefix("  door ") })
    let cells = [beacons, beacons, 100 * beacons].map { TextColumns.grouped($0) }
    // Two blanks at least are between columns, one inside a number.
    #expect(
      row.split(separator: "  ").map { String($0.trimmingPrefix(" ")) }.suffix(5) == ["–"] + cells
        + [
          "-94"
        ], "\(row)")
    #expect(told[0].hasPrefix("RECEIVERS"))
  }

  @Test("says the day of each where they are several") func days() {
    let later = TimelineScene.start + 86_400_000_000_000
    var second = receiver("hall", beacons: 1)
    (second.from, second.to) = (
      Timestamp(nanoseconds: later), Timestamp(nanoseconds: later + 60_000_000_000)
    )
    let told = lines([receiver("door", beacons: 1), second])
    let days = [TimelineScene.start, later].map { TextColumns.date(Timestamp(nanoseconds: $0)) }
    #expect(days.allSatisfy { day in told.contains { $0.contains(day) } }, "\(told)")
    let one = lines([receiver("door", beacons: 1), receiver("hall", beacons: 1)])
    #expect(!one.contains { $0.contains(days[0]) })
  }

  @Test("of many says that there are more") func many() {
    let receivers = (1...13).map { receiver("r\($0)", beacons: $0) }
    #expect(lines(receivers) == ["RECEIVERS  13: how each listened with --all", ""])
    #expect(lines(receivers, all: true).count > 13)
    #expect(lines([]).isEmpty)
  }
}
