import Analysis
import CaptureReader
import FrameDecoder
import Regions
import TestSupport
import Testing

/// A run cut in two, with the state between, against the run as a whole.
@Suite("A run that was cut by a restart")
struct RestartCutTests {
  typealias Heard = Restarting.Heard

  /// Comes and goes; pauses of all lengths, some as long as the exit period to the millisecond.
  private static func capture(_ seed: Int) -> [Heard] {
    var random = Seeded(seed)
    var heard: [Heard] = []
    for minor in [UInt16(1), 2] {
      var time = Double(random.below(60))
      while time < 400 {
        heard.append(Heard(at: time, minor: minor))
        time += random.pick([0.5, 1, 3, 29.999, 30, 30.001, 45, 80])
      }
    }
    return Restarting.mixed(heard, Restarting.others(0...400))
  }

  /// What is told of the regions: words, region, times.
  private static func crossings(_ events: [String], _ word: String) -> Set<String> {
    Set(
      events.filter { $0.hasPrefix(word) }.map { event in
        let words = event.split(separator: " ")
        // An exit by when the region was seen last: a restart puts its time off.
        return word == "exit" ? "\(words[1]) \(words[4])" : "\(words[1]) \(words[2])"
      })
  }

  private static func check(
    _ whole: [String], _ parts: [String], _ note: String, isTimed: Bool = true
  ) {
    if isTimed {
      #expect(crossings(parts, "enter").isSubset(of: crossings(whole, "enter")), "\(note)")
      #expect(crossings(parts, "exit").isSubset(of: crossings(whole, "exit")), "\(note)")
    }
    for region in ["lobby", "hall"] {
      let words = parts.filter { $0.contains(" \(region) ") }.map { $0.prefix { $0 != " " } }
      for (one, next) in zip(words, words.dropFirst()) {
        #expect((one == "enter" || one == "state(inside)") == (next == "exit"), "\(note) \(region)")
        #expect(!next.hasPrefix("state"), "\(note) \(region): told twice")
      }
    }
  }

  @Test("tells no entry and no exit that the whole run does not tell", arguments: 1...6)
  func cut(_ seed: Int) throws {
    let part = try Restarting()
    let heard = Self.capture(seed)
    let whole = try part.run(heard).events
    #expect(whole.count { $0.hasPrefix("exit") } > 2)
    for cut in stride(from: 1, to: heard.count, by: 13) {
      let first = try part.run(Array(heard[..<cut]))
      let second = try part.run(Array(heard[cut...]), after: first.state)
      Self.check(whole, first.events + second.events, "cut at \(cut)")
      // The absences that a cut hides are those that it lies in.
      let missing = Self.crossings(whole, "exit").subtracting(
        Self.crossings(first.events + second.events, "exit"))
      #expect(missing.count <= 2, "cut at \(cut): \(missing)")
    }
  }

  @Test("keeps entries and exits in turn under profiles with cycles", arguments: 1...3)
  func otherProfiles(_ seed: Int) throws {
    var part = try Restarting()
    part.settings.profiles = [Profiles.androidBeaconLibrary]
    let heard = Self.capture(seed)
    for cut in stride(from: 5, to: heard.count, by: 31) {
      let first = try part.run(Array(heard[..<cut]))
      let second = try part.run(Array(heard[cut...]), after: first.state)
      Self.check([], first.events + second.events, "cut at \(cut)", isTimed: false)
    }
  }

  @Test("keeps entries and exits in turn over many restarts", arguments: 7...9)
  func manyCuts(_ seed: Int) throws {
    let part = try Restarting()
    let heard = Self.capture(seed)
    let whole = try part.run(heard).events
    var random = Seeded(seed)
    var (events, state, start): ([String], RunState?, Int) = ([], nil, 0)
    while start < heard.count {
      let end = min(heard.count, start + 40 + random.below(80))
      let outcome = try part.run(Array(heard[start..<end]), after: state)
      events += outcome.events
      (state, start) = (outcome.state, end)
    }
    Self.check(whole, events, "seed \(seed)")
  }

  @Test("gives the same events with the same state, ids too")
  func repeats() throws {
    let part = try Restarting()
    let heard = Self.capture(1)
    let first = try part.run(Array(heard[..<200]))
    let again = try part.run(Array(heard[..<200]))
    #expect(first.state == again.state)
    let runs = try (0..<2).map { _ in
      try part.run(Array(heard[200...]), after: first.state).timeline.events.map(\.id)
    }
    #expect(runs[0] == runs[1] && !runs[0].isEmpty)
    #expect(Set(runs[0]).count == runs[0].count)
  }

  private final class Listener: RunListener {
    func take(_ event: TimelineEvent, alert: Alert?, _ view: RunView) {}
    func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {}
    func reach(_ time: Timestamp, _ view: RunView) {}
  }

  @Test("is asked for its state behind what it told, before a kill could make it forget that")
  func told() throws {
    var part = try Restarting()
    part.settings.listener = Listener()
    let keeper = Restarting.Keeper(every: 1000)
    let lobby = (0...20).map { Restarting.Heard(at: 40 + Double($0), minor: 1) }
    _ = try part.run(Restarting.mixed(Restarting.others(0...100), lobby), keeper: keeper)
    let insides = keeper.states.map { state in
      state.profiles[0].observers[0].regions.map { $0.isInside ? "in" : "out" }
        .joined(separator: " ")
    }
    // At the start, outside at 30 s, the entry at 40 s, the exit at 90 s, the end.
    #expect(Set(insides) == ["", "out out", "in out"], "\(insides)")
    #expect((4...6).contains(insides.count), "\(insides)")
  }

  @Test("is asked for its state at the start, so often at most, and at the end")
  func interval() throws {
    let part = try Restarting()
    let keeper = Restarting.Keeper(every: 5)
    _ = try part.run(Restarting.others(0...22), keeper: keeper)
    #expect(keeper.states.map { Restarting.seconds($0.taken) } == [0, 5, 10, 15, 20, 22])
  }
}
