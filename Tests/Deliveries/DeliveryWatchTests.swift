import Analysis
import Deliveries
import Testing

/// What is said of a receiver while a run goes on.
@Suite struct DeliveryWatchTests {
  /// A watch, and a receiver whose counts a test changes.
  private struct Scene {
    var watch = DeliveryWatch("exec x", keptIn: "kept")
    var counts = DeliveryCounts()
    let start = ContinuousClock.now

    /// - Parameter seconds: since the start.
    mutating func look(_ seconds: Double, waiting: Int = 0, longest: Double = 0)
      -> DeliveryWatch.Remark?
    {
      watch.next(counts, waiting: waiting, longest: longest, now: start + .seconds(seconds))
    }

    mutating func miss() {
      (counts.missed, counts.retrying, counts.problem) = (
        counts.missed + 1, counts.retrying + 1, "exit status 7"
      )
    }

    mutating func lose(_ severity: Alert.Severity) {
      counts.undelivered[.failed, default: 0] += 1
      counts.lost[severity, default: 0] += 1
      counts.problem = "exit status 7"
    }
  }

  @Test("an alert that is tried again is told at once, and that none is missing when it has gone")
  func outage() {
    var scene = Scene()
    scene.counts.delivered = 5
    #expect(scene.look(0) == nil)
    scene.miss()
    let told = scene.look(1)
    #expect(
      told?.text
        == "exec x: an alert was not delivered: exit status 7; it is tried again for ten minutes.")
    #expect(told?.severity == .warning && told?.forReceiver == nil)
    // Others go through: this one still waits.
    scene.counts.delivered += 1
    #expect(scene.look(2) == nil)
    #expect(scene.watch.isFailing)
    (scene.counts.delivered, scene.counts.retrying) = (7, 0)
    let again = scene.look(3)
    #expect(again?.text == "exec x: alerts are delivered again; none is missing.")
    #expect(again?.severity == .notice && again?.forReceiver == nil)
    #expect(!scene.watch.isFailing)
  }

  @Test("an alert that was missed and taken between two looks is none that fails") func between() {
    var scene = Scene()
    scene.miss()
    #expect(scene.look(0) != nil)
    scene.miss()
    (scene.counts.delivered, scene.counts.retrying) = (2, 0)
    #expect(scene.look(1)?.text == "exec x: alerts are delivered again; none is missing.")
    #expect(!scene.watch.isFailing)
    scene.miss()
    (scene.counts.delivered, scene.counts.retrying) = (3, 0)
    #expect(scene.look(2) == nil)
    #expect(!scene.watch.isFailing)
  }

  @Test("of one that never gives up no end is told") func endless() {
    var scene = Scene()
    scene.watch = DeliveryWatch("file x", keptIn: nil, givesUp: false)
    scene.miss()
    #expect(
      scene.look(0)?.text
        == "file x: an alert was not delivered: exit status 7; it is tried again until it is written, or the run ends."
    )
  }

  @Test("a receiver that works again is told what is missing, as severe as that is") func gap() {
    var scene = Scene()
    scene.miss()
    #expect(scene.look(0) != nil)
    scene.counts.retrying = 0
    scene.lose(.notice)
    scene.lose(.critical)
    #expect(scene.look(1) == nil)
    #expect(
      scene.look(70)?.text
        == "exec x: 2 alerts were not delivered, the last: exit status 7, kept in kept.")
    scene.counts.delivered += 1
    let again = scene.look(71)
    #expect(again?.text == "exec x: alerts are delivered again; 2 were not.")
    #expect(again?.forReceiver == .critical)
    scene.lose(.notice)
    #expect(scene.look(140)?.text.contains("an alert was not delivered") == true)
    scene.counts.delivered += 1
    #expect(scene.look(141)?.forReceiver == .notice)
  }

  @Test("what was lost in an outage that was too short to be told is told in the end") func brief()
  {
    var scene = Scene()
    scene.lose(.warning)
    #expect(scene.look(0) != nil)
    scene.counts.delivered += 1
    #expect(scene.look(1) != nil)
    scene.lose(.warning)
    #expect(scene.look(2) == nil)
    scene.counts.delivered += 1
    #expect(scene.look(3) == nil)
    let told = scene.look(61)
    #expect(told?.text == "exec x: alerts are delivered again; one was not.")
    #expect(told?.forReceiver == .warning)
  }

  @Test("alerts that wait for long are told once, and when they do not any more") func late() {
    var scene = Scene()
    #expect(scene.look(0, waiting: 9, longest: 59) == nil)
    #expect(!scene.watch.isLate)
    #expect(
      scene.look(1, waiting: 1200, longest: 61)?.text
        == "exec x: alerts wait for it, 1 200 now, the first for 1 min 01 s.")
    #expect(scene.watch.isLate)
    #expect(scene.look(2, waiting: 9, longest: 40) == nil)
    #expect(scene.watch.isLate)
    #expect(
      scene.look(3, waiting: 9, longest: 20)?.text
        == "exec x: no alert waits for long any more.")
    #expect(!scene.watch.isLate)
  }
}
