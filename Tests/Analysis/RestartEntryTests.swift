import CaptureReader
import FoundationEssentials
import FrameEncoder
import FrameDecoder
import Regions
import Testing

@testable import Analysis

/// What entries leave open behind a restart goes by the exits before it, and by what could be heard on both sides.
@Suite("An entry after a restart")
struct RestartEntryTests {
  typealias Heard = Restarting.Heard

  private final class Listener: RunListener {
    func take(_ event: TimelineEvent, alert: Alert?, _ view: RunView) {}
    func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {}
    func reach(_ time: Timestamp, _ view: RunView) {}
  }

  /// One whose doubts are looked at.
  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// When lobby's beacon is heard, seconds.
    let heard: [Double]
    /// Nothing runs between these.
    let down: ClosedRange<Int>
    let kind: EntryDoubt.Kind?
    /// Seconds.
    var since: Double?
    var listened: Double?
  }

  private static let often = (0...100).map { 40 + Double($0) / 5 }

  private static let cases = [
    Case(
      testDescription: "behind a thin exit of whom little is known: may never have left",
      heard: [40, 41, 42, 130], down: 80...81, kind: .mayNeverHaveLeft, since: 42, listened: 87),
    Case(
      testDescription: "the time without a run is none that was heard",
      heard: [40, 41, 42, 130], down: 80...100, kind: .mayNeverHaveLeft, since: 42, listened: 68),
    Case(
      testDescription: "right behind a long time without a run: may have come in it",
      heard: often + [142], down: 95...140, kind: .mayHaveComeBefore, since: 95, listened: 2),
    Case(
      testDescription: "who was heard regularly had left, and came when it was heard",
      heard: often + [142], down: 95...96, kind: nil),
    Case(
      testDescription:
        "who was inside when it ended, and was not heard in the first period behind it",
      heard: [40, 41, 42, 150], down: 45...46, kind: .mayNeverHaveLeft, since: 42, listened: 107),
  ]

  @Test("is told with the doubt that it would have had without one", arguments: cases)
  private func doubt(_ expected: Case) throws {
    var part = try Restarting()
    part.settings.listener = Listener()
    let all = Restarting.mixed(
      Restarting.others(0...expected.down.lowerBound),
      Restarting.others(expected.down.upperBound...200),
      expected.heard.map { Heard(at: $0, minor: 1) })
    let whole = try Self.last(part.run(all))
    let (before, after) = (
      all.filter { $0.at <= Double(expected.down.lowerBound) },
      all.filter { $0.at > Double(expected.down.lowerBound) }
    )
    // Through the file's words.
    let first = try #require(try part.run(before).state)
    let kept = try JSONDecoder().decode(RunState.self, from: JSONEncoder().encode(first))
    #expect(kept == first)
    let entry = try Self.last(part.run(after, after: kept))
    #expect(entry.doubt?.kind == expected.kind && whole.doubt?.kind == expected.kind)
    #expect(entry.doubt.map { Restarting.seconds($0.since) } == expected.since)
    #expect(entry.doubt.map { Double($0.listened) / 1e9 } == expected.listened)
  }

  /// The last entry; told as the run went on, and at its end, alike.
  private static func last(_ outcome: Restarting.Outcome) throws -> TimelineEvent {
    let entry = try #require(outcome.timeline.events.last { $0.type == .enter })
    #expect(outcome.timeline.outcomes[0].stays.last?.doubt == entry.doubt)
    return entry
  }

  @Test("of a region that was outside all the time nobody says that somebody may have been inside")
  func knownOutside() throws {
    var part = try Restarting()
    part.settings.listener = Listener()
    let first = try part.run(Restarting.others(0...120))
    for (from, kind) in [(121, nil), (200, EntryDoubt.Kind.mayHaveComeBefore)] {
      let later = try part.run(
        Restarting.mixed(
          Restarting.others(from...(from + 100)),
          (3...60).map { Heard(at: Double(from + $0), minor: 1) }), after: first.state)
      let entry = try Self.last(later)
      #expect(entry.doubt?.kind == kind)
      if kind != nil { #expect(entry.doubt.map { Restarting.seconds($0.since) } == 120) }
    }
  }

  @Test(
    "what a filter of duplicates left out it leaves out behind a restart, too",
    arguments: [false, true])
  func filtered(_ isKilled: Bool) throws {
    var recording = Recording("part")
    recording.scan(filtersDuplicates: true, at: 0)
    var second = Recording("part")
    for moment in Int64(1)...200 {
      func hear(_ minor: UInt16, _ recording: inout Recording) {
        recording.hear(
          Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)),
          at: moment * 1000)
      }
      if moment <= 80 { hear(9, &recording) } else { hear(9, &second) }
      if moment == 5 { hear(1, &recording) }
      if moment == 150 { hear(1, &second) }
    }
    var part = try Restarting()
    part.settings.listener = Listener()
    let keeper = Restarting.Keeper()
    _ = try part.run([recording.source], keeper: keeper)
    let state = isKilled ? keeper.states.dropLast().last : keeper.states.last
    let later = try part.run([second.source], after: state)
    let entry = try Self.last(later)
    #expect(entry.doubt?.kind == .mayNeverHaveLeft && entry.doubt?.isOfFilter == true)
  }

  @Test("what no run has kept so is not taken: figures out of their range, spans out of order")
  func hostile() throws {
    var state = RunState.OfHearing("x", DeafSpans(leastGap: 1))
    state.until = Timestamp(nanoseconds: 100)
    func span(_ from: Int64, _ to: Int64) -> RunState.OfSpan {
      RunState.OfSpan(
        Timeline.Span(from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to)))
    }
    state.deaf = [span(1, 5), span(7, 9)]
    #expect(state.spans(\.deaf).count == 2)
    state.deaf = (0..<500).map { span($0 / 10, $0 / 10 + 1) }
    #expect(state.spans(\.deaf).isEmpty)
    for wrong in [[span(7, 9), span(1, 5)], [span(5, 5)], [span(90, 101)]] {
      state.deaf = wrong
      #expect(state.spans(\.deaf).isEmpty)
    }
    var exit = RunState.OfExit(EarlierStay(lastSeen: .none, until: .none, silence: nil))
    #expect(exit.stay(lastSeen: .none) != nil)
    exit.share = 1e300
    #expect(exit.stay(lastSeen: .none) == nil)
  }

  @Test(
    "a later stay of a region that was inside is judged by its own few sightings, as without one")
  func laterStay() throws {
    var part = try Restarting()
    part.settings.listener = Listener()
    // Well known, then away, then heard once.
    let heard = Self.often.map { Heard(at: $0, minor: 1) } + [Heard(at: 120, minor: 1)]
    let all = Restarting.mixed(Restarting.others(0...200), heard)
    let whole = try part.run(all)
    let first = try part.run(all.filter { $0.at <= 55 })
    let second = try part.run(all.filter { $0.at > 55 }, after: first.state)
    let grades = [whole, second].map { outcome in
      outcome.timeline.events.filter { $0.type == .exit }.map { $0.silence?.grade }
    }
    #expect(grades == [[.gone, .thin], [.gone, .thin]])
  }

  @Test("is told without, where the saved state is of a version that did not keep exits")
  func earlierVersion() throws {
    var part = try Restarting()
    part.settings.listener = Listener()
    let heard = [40.0, 41, 42, 130].map { Heard(at: $0, minor: 1) }
    let first = try part.run(Restarting.mixed(Restarting.others(0...80), Array(heard[..<3])))
    var state = try #require(first.state)
    state.hearing = nil
    for place in state.profiles[0].observers[0].regions.indices {
      state.profiles[0].observers[0].regions[place].exit = nil
    }
    let later = try part.run(
      Restarting.mixed(Restarting.others(81...200), Array(heard[3...])), after: state)
    #expect(try Self.last(later).doubt == nil)
  }
}
