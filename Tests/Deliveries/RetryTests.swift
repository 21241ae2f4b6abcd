import Analysis
import Deliveries
import Foundation
import Testing

/// Programs that fail and are started again with the same alert.
@Suite struct RetryTests {
  private static func settings(
    _ pauses: [Double], _ change: (inout DeliverySettings) -> Void = { _ in }
  ) -> DeliverySettings {
    ExecDeliveryTests.settings {
      $0.pauses = pauses
      change(&$0)
    }
  }

  private static func numbers(_ place: Receiving, _ name: String) throws -> [Int] {
    try place.lines(name).map { try JSONDecoder().decode(Kept.Alert.self, from: Data($0.utf8)).n }
  }

  @Test("an outage loses nothing: what was not taken is given again until it is") func outage()
    throws
  {
    let place = try Receiving()
    let script = try place.script(
      "cat >> $F/tried; [ -e $F/go ] || exit 7; tail -n 1 $F/tried >> $F/out")
    let exec = try ExecDelivery(script, Self.settings([0.1, 0.2, 60]))
    for number in 0..<3 { exec.deliver(Receiving.alert(number)) }
    // One may have missed twice before another has at all.
    #expect(place.wait { exec.counts.missed >= 3 && exec.counts.retrying == 3 })
    #expect(exec.counts.problem == "exit status 7")
    #expect(exec.counts.undelivered.isEmpty)
    try Data().write(to: URL(filePath: place.path("go")))
    #expect(place.wait { exec.counts.delivered == 3 })
    #expect(exec.counts.retrying == 0)
    exec.finish(waiting: 60)
    #expect(try Self.numbers(place, "out").sorted() == [0, 1, 2])
    #expect(exec.counts.undelivered.isEmpty)
  }

  @Test("one that nobody takes holds up no others, and is kept after the last try with their count")
  func poison() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let script = try place.script(
      "read line; echo \"$line\" >> $F/tried; [[ $line == *'\"n\":0,'* ]] && exit 7; exit 0")
    let exec = try ExecDelivery(
      script, Self.settings([0.2, 0.2, 0.2]) { $0.undelivered = kept })
    // The severest, too, waits out its pauses.
    exec.deliver(Receiving.alert(0, .critical))
    for number in 1..<20 { exec.deliver(Receiving.alert(number)) }
    #expect(place.wait { exec.counts.delivered == 19 })
    #expect(place.wait { exec.counts.undelivered == [.failed: 1] })
    exec.finish(waiting: 60)
    kept.finish()
    let tried = try Self.numbers(place, "tried")
    #expect(tried.count { $0 == 0 } == 4)
    #expect(tried.dropFirst().first == 1)
    let lines = try Kept.lines(place, "kept")
    #expect(lines.map(\.tries) == [4])
    #expect(lines.map(\.detail) == ["exit status 7"])
    #expect(exec.counts.retrying == 0 && exec.counts.missed == 3)
  }

  @Test("behind a try that failed again one comes that was never tried") func fairness() throws {
    let place = try Receiving()
    let script = try place.script(
      "read line; echo \"$line\" >> $F/tried; sleep 0.3; [[ $line == *'\"n\":9'* ]] && exit 7; exit 0"
    )
    // They are due as soon as they have failed.
    let exec = try ExecDelivery(script, Self.settings([0, 0, 0]))
    for number in [90, 91] { exec.deliver(Receiving.alert(number, .critical)) }
    #expect(place.wait { !place.lines("tried").isEmpty })
    for number in 1...3 { exec.deliver(Receiving.alert(number)) }
    #expect(place.wait { exec.counts.delivered == 3 && exec.counts.undelivered == [.failed: 2] })
    exec.finish(waiting: 60)
    let tried = try Self.numbers(place, "tried")
    #expect(tried == [90, 90, 91, 90, 1, 90, 91, 2, 91, 3, 91])
  }

  @Test("what is to be tried again takes no more room than there is") func bound() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let exec = try ExecDelivery(
      "false", Self.settings([60]) { ($0.mostWaiting, $0.undelivered) = (3, kept) })
    for number in 0..<4 {
      exec.deliver(Receiving.alert(number))
      #expect(place.wait { exec.counts.missed == min(number + 1, 3) })
    }
    exec.deliver(Receiving.alert(4, .critical))
    #expect(place.wait { exec.counts.missed == 4 })
    #expect(exec.waiting == 3)
    #expect(exec.counts.retrying == 3)
    exec.finish(waiting: 60)
    kept.finish()
    let lines = try Kept.lines(place, "kept")
    #expect(lines.map(\.alert.n) == [3, 2, 4, 0, 1])
    #expect(lines.map(\.reason) == ["queue_full", "queue_full", "failed", "failed", "failed"])
    #expect(lines.map(\.tries) == [0, 1, 2, 2, 2])
  }

  @Test("at the end each is tried once more at once, the most severe first") func end() throws {
    let place = try Receiving()
    let script = try place.script("cat >> $F/tried; [ -e $F/go ] || exit 7")
    let exec = try ExecDelivery(script, Self.settings([600]))
    for (number, severity) in [(0, Alert.Severity.info), (1, .critical), (2, .info)] {
      exec.deliver(Receiving.alert(number, severity))
    }
    #expect(place.wait { exec.counts.missed == 3 })
    try Data().write(to: URL(filePath: place.path("go")))
    exec.finish(waiting: 60)
    #expect(exec.counts.delivered == 3)
    #expect(try Self.numbers(place, "tried").suffix(3) == [1, 0, 2])
  }

  @Test("the most severe of those that wait goes first, of those as severe the first") func order()
    throws
  {
    let place = try Receiving()
    let script = try place.script(
      "touch $F/started; while [ ! -e $F/go ]; do sleep 0.02; done; cat >> $F/out")
    let exec = try ExecDelivery(script, Self.settings([60]))
    exec.deliver(Receiving.alert(0))
    #expect(place.wait { FileManager.default.fileExists(atPath: place.path("started")) })
    for (number, severity) in [
      (1, Alert.Severity.info), (2, .warning), (3, .info), (4, .critical), (5, .warning),
    ] {
      exec.deliver(Receiving.alert(number, severity))
    }
    usleep(50_000)
    #expect(exec.longestWait >= 0.05)
    try Data().write(to: URL(filePath: place.path("go")))
    exec.finish(waiting: 60)
    #expect(try Self.numbers(place, "out") == [0, 4, 2, 5, 1, 3])
    #expect(exec.longestWait == 0)
  }

  @Test("the pauses grow, and end after some ten minutes") func pauses() {
    let pauses = DeliverySettings().pauses
    #expect(pauses == pauses.sorted())
    #expect((500...700).contains(pauses.reduce(0, +)))
  }
}
