import Analysis
import Deliveries
import Foundation
import Testing

/// Which alerts a program gets, in what order, and how much of its own words is shown.
@Suite struct DeliveryOrderTests {
  private static let settings = ExecDeliveryTests.settings

  @Test("a program gets its alerts in their order unless several of it may run at once")
  func order() throws {
    let place = try Receiving()
    // Those that come first take longest.
    let script = try place.script(
      "read line; [[ $line == *'\"n\":0,'* ]] && sleep 0.3; echo \"$line\" >> $F/out")
    let exec = try ExecDelivery(script, Self.settings { _ in })
    for number in 0..<5 { exec.deliver(Receiving.alert(number)) }
    exec.finish(waiting: 60)
    #expect(place.lines("out") == (0..<5).map { "{\"n\":\($0),\"x\":\"\"}" })
  }

  @Test("where no more may wait the mildest goes, not a severer one that comes")
  func storm() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let script = try place.script(
      "touch $F/started; while [ ! -e $F/go ]; do sleep 0.02; done; cat >> $F/out")
    let exec = try ExecDelivery(
      script, Self.settings { ($0.mostWaiting, $0.undelivered) = (3, kept) })
    exec.deliver(Receiving.alert(0))
    // From here on it waits no more.
    #expect(place.wait { FileManager.default.fileExists(atPath: place.path("started")) })
    for (number, severity) in [
      (1, Alert.Severity.notice), (2, .info), (3, .info), (4, .info), (5, .critical),
      (6, .warning), (7, .notice),
    ] {
      exec.deliver(Receiving.alert(number, severity))
    }
    try Data().write(to: URL(filePath: place.path("go")))
    exec.finish(waiting: 60)
    kept.finish()
    let received = try place.lines("out").map {
      try JSONDecoder().decode(Kept.Alert.self, from: Data($0.utf8)).n
    }
    #expect(received == [0, 5, 6, 1])
    let refused = try Kept.lines(place, "kept")
    #expect(refused.map(\.alert.n) == [4, 3, 2, 7])
    #expect(
      refused.map(\.detail) == [
        "3 alerts wait at most", "3 alerts wait at most, and a severer one came",
        "3 alerts wait at most, and a severer one came", "3 alerts wait at most",
      ])
    #expect(exec.counts.undelivered == [.queueFull: 4])
  }

  @Test("an alert that comes when the run has ended says so")
  func late() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let exec = try ExecDelivery("true", Self.settings { $0.undelivered = kept })
    exec.finish(waiting: 60)
    exec.deliver(Receiving.alert(1))
    kept.finish()
    let lines = try Kept.lines(place, "kept")
    #expect(lines.map(\.reason) == ["run_ended"])
    #expect(lines.map(\.detail) == ["it came when the run had ended"])
  }

  @Test(
    "what a program writes is shown up to a limit, and counted beyond it; it goes on all the same")
  func chatter() throws {
    let place = try Receiving()
    let script = try place.script("head -c 3000000 /dev/zero; cat >> $F/out")
    let exec = try ExecDelivery(
      script, Self.settings { ($0.isQuiet, $0.mostShown) = (false, 0) })
    for number in 0..<2 { exec.deliver(Receiving.alert(number)) }
    exec.finish(waiting: 60)
    #expect(exec.counts.delivered == 2)
    #expect(exec.counts.bytesNotShown == 6_000_000)
  }

  @Test("a program that leaves another one behind with its output is done when it has ended")
  func leftBehind() throws {
    let place = try Receiving()
    let script = try place.script("sleep 30 & echo $! > $F/pid; exit 0")
    let exec = try ExecDelivery(
      script, Self.settings { ($0.isQuiet, $0.timeout) = (false, 20) })
    exec.deliver(Receiving.alert(1))
    exec.finish(waiting: 15)
    #expect(exec.counts.delivered == 1)
    if let process = place.lines("pid").first.flatMap({ pid_t($0) }) { kill(process, SIGKILL) }
  }
}
