import CaptureReader
import Exports
import Testing

@Suite("A live run that is behind") struct LiveLagTests {
  @Test("says so once, and again when it has caught up") func told() {
    var lag = LiveLag(hasRules: true)
    let second: Int64 = 1_000_000_000
    let start = 1_700_000_000 * second
    func next(_ behind: Int64) -> String? {
      lag.next(at: Timestamp(nanoseconds: start), now: start + behind * second)
    }
    #expect(next(9) == nil)
    #expect(lag.behind == nil)
    #expect(
      next(12)
        == "the rules are behind: what is told now was heard 12 s ago. Packets wait meanwhile; "
        + "what finds no room is counted as lost.")
    #expect(next(30) == nil)
    #expect(lag.behind == 30 * second)
    #expect(next(3) == nil)
    #expect(next(1) == "the rules are up to date again.")
    #expect(lag.behind == nil)
    // A clock that was set back.
    #expect(next(-500) == nil)
    #expect(lag.next(at: .none, now: start) == nil)
  }
}
