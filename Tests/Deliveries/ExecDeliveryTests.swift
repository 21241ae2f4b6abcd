import Deliveries
import Foundation
import Testing

/// Alerts to programs: good ones, slow ones, ones that do not listen.
@Suite struct ExecDeliveryTests {
  static func settings(_ change: (inout DeliverySettings) -> Void = { _ in }) -> DeliverySettings {
    var settings = DeliverySettings()
    settings.isQuiet = true
    change(&settings)
    return settings
  }

  @Test("each alert is a line on standard input, in order where one runs at a time")
  func inOrder() throws {
    let place = try Receiving()
    let exec = try ExecDelivery(
      try place.script("cat >> $F/out"), Self.settings { $0.mostAtOnce = 1 })
    for number in 0..<50 { exec.deliver(Receiving.alert(number)) }
    exec.finish(waiting: 60)
    #expect(place.lines("out") == (0..<50).map { "{\"n\":\($0),\"x\":\"\"}" })
    #expect(exec.counts.delivered == 50)
    #expect(exec.counts.undelivered.isEmpty)
    #expect(exec.counts.problem == nil)
  }

  @Test("arguments come as they were quoted, and no shell reads them")
  func argumentsAreWords() throws {
    let place = try Receiving()
    let script = try place.script("printf '%s\\n' \"$@\" > $F/out")
    let exec = try ExecDelivery("\(script) 'a b' $HOME \"*\" ; | c", Self.settings())
    exec.deliver(Receiving.alert(1))
    exec.finish(waiting: 60)
    #expect(place.lines("out") == ["a b", "$HOME", "*", ";", "|", "c"])
  }

  @Test("a line longer than a pipe arrives whole")
  func longLines() throws {
    let place = try Receiving()
    let exec = try ExecDelivery(try place.script("sleep 0.2; wc -c > $F/out"), Self.settings())
    let alert = Receiving.alert(1, padding: 1_000_000)
    exec.deliver(alert)
    exec.finish(waiting: 60)
    #expect(place.lines("out") == ["\(alert.bytes.count + 1)"])
  }

  @Test(
    "a receiver that closes its input, or never reads it, breaks nothing",
    arguments: [
      ("exec 0<&-; sleep 0.1; exit 0", 1), ("exit 0", 1), ("exit 3", 0), ("kill -9 $$", 0),
    ])
  func closingReceivers(_ script: String, _ delivered: Int) throws {
    let place = try Receiving()
    let exec = try ExecDelivery(try place.script(script), Self.settings())
    exec.deliver(Receiving.alert(1, padding: 300_000))
    exec.finish(waiting: 60)
    #expect(exec.counts.delivered == delivered)
    #expect(exec.counts.undelivered[.failed] ?? 0 == 1 - delivered)
  }

  @Test("what fails is counted by reason and kept with it")
  func failuresAreKept() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let script = try place.script("read line; [[ $line == *'\"n\":1,'* ]] || exit 7")
    let exec = try ExecDelivery(script, Self.settings { $0.undelivered = kept })
    for number in 0..<3 { exec.deliver(Receiving.alert(number)) }
    exec.finish(waiting: 60)
    kept.finish()
    #expect(exec.counts.delivered == 1)
    #expect(exec.counts.undelivered == [.failed: 2])
    #expect(exec.counts.problem == "exit status 7")
    let lines = try Kept.lines(place, "kept").sorted { $0.alert.n < $1.alert.n }
    #expect(
      lines
        == [0, 2].map {
          Kept(
            receiver: "exec \(script)", reason: "failed", detail: "exit status 7", tries: 2,
            alert: Kept.Alert(n: $0))
        })
  }

  @Test("a receiver that hangs is ended with what it started, also where it ignores SIGTERM")
  func timeouts() throws {
    let place = try Receiving()
    let script = try place.script("trap '' TERM; echo $$ > $F/pid; while :; do sleep 1; done")
    let exec = try ExecDelivery(script, Self.settings { $0.timeout = 0.3 })
    exec.deliver(Receiving.alert(1))
    exec.finish(waiting: 60)
    #expect(exec.counts.undelivered == [.timeout: 1])
    let process = try #require(place.lines("pid").first.flatMap { pid_t($0) })
    #expect(kill(process, 0) == -1)
    // Nobody is left of its group.
    #expect(place.wait { kill(-process, 0) == -1 })
  }

  @Test("a slow receiver holds nobody up: what does not fit is counted and kept")
  func slowReceivers() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let script = try place.script("while [ ! -e $F/go ]; do sleep 0.02; done; cat >> $F/out")
    let exec = try ExecDelivery(
      script,
      Self.settings {
        ($0.mostAtOnce, $0.mostWaiting, $0.undelivered) = (2, 10, kept)
      })
    // All of them come back, though no receiver is done.
    for number in 0..<100 { exec.deliver(Receiving.alert(number)) }
    let refused = exec.counts.undelivered[.queueFull] ?? 0
    #expect((88...90).contains(refused))
    #expect(exec.counts.delivered == 0)
    try Data().write(to: URL(filePath: place.path("go")))
    exec.finish(waiting: 60)
    kept.finish()
    #expect(exec.counts.delivered == 100 - refused)
    let refusedLines = try Kept.lines(place, "kept")
    #expect(refusedLines.allSatisfy { $0.reason == "queue_full" })
    let received = try place.lines("out").map {
      try JSONDecoder().decode(Kept.Alert.self, from: Data($0.utf8)).n
    }
    // Each alert is in one of the two, once.
    #expect((refusedLines.map(\.alert.n) + received).sorted() == Array(0..<100))
  }

  @Test("no more than so many at once")
  func boundedConcurrency() throws {
    let place = try Receiving()
    let script = try place.script(
      "touch $F/run.$$; ls $F | grep -c '^run' >> $F/counts; sleep 0.05; rm $F/run.$$")
    let exec = try ExecDelivery(script, Self.settings { $0.mostAtOnce = 3 })
    for number in 0..<30 { exec.deliver(Receiving.alert(number)) }
    exec.finish(waiting: 60)
    let counts = place.lines("counts").compactMap { Int($0) }
    #expect(counts.count == 30)
    #expect(counts.allSatisfy { $0 <= 3 })
    #expect(counts.contains { $0 > 1 })
  }

  @Test("at the end of the run what is not done is ended, counted and kept")
  func endOfTheRun() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let script = try place.script("touch $F/started; sleep 1000")
    let exec = try ExecDelivery(
      script, Self.settings { ($0.mostAtOnce, $0.undelivered) = (1, kept) })
    for number in 0..<3 { exec.deliver(Receiving.alert(number)) }
    #expect(place.wait { FileManager.default.fileExists(atPath: place.path("started")) })
    exec.finish(waiting: 0)
    exec.deliver(Receiving.alert(3))
    kept.finish()
    #expect(exec.counts.undelivered == [.runEnded: 4])
    #expect(try Kept.lines(place, "kept").map(\.alert.n).sorted() == [0, 1, 2, 3])
  }

  @Test("children have no files of ours, and their signals as usual")
  func children() throws {
    let place = try Receiving()
    let ours = (0..<20).map { _ in dup(STDIN_FILENO) }
    defer { for file in ours { close(file) } }
    let script = try place.script(
      "ls /proc/self/fd > $F/files; grep -E 'SigBlk|SigIgn' /proc/self/status > $F/signals"
    )
    let exec = try ExecDelivery(script, Self.settings())
    exec.deliver(Receiving.alert(1))
    exec.finish(waiting: 60)
    // The last is the folder that ls reads.
    #expect(place.lines("files") == ["0", "1", "2", "3"])
    // The C library keeps 32 and 33 to itself.
    let signals = place.lines("signals").compactMap { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }.map { $0 & 0x7FFF_FFFF }
    }
    #expect(signals == [0, 0])
  }
}
