import CaptureReader
import Regions

/// What a run is given of an earlier one, and when it is taken down for the next one.
struct StateDesk {
  let restored: RestoredRun?
  let keeper: (any RunStateKeeper)?
  /// Sentences, each once.
  private(set) var warnings: [String] = []
  /// Names of the observers that have begun, with the earlier run's state or without.
  private(set) var begun: Set<String> = []
  /// By number of the region; none where they come to be of what is seen: there may be a million.
  private let definitions: [String]
  private let numbers: [String: UInt32]
  private var clock = Int64.min
  private var keptAt: Int64?
  /// Events that were told then, of all so far.
  private var keptTold = 0

  /// Nil where neither is asked for.
  init?(_ settings: FollowSettings) {
    guard settings.restored != nil || settings.keeper != nil else { return nil }
    restored = settings.restored
    keeper = settings.keeper
    let regions = settings.regions.regions
    definitions = regions.map(\.text)
    numbers = Dictionary(
      uniqueKeysWithValues: regions.enumerated().map { ($1.identifier, UInt32($0)) })
  }

  /// What people should know now and at the end.
  mutating func warn(_ sentence: String) {
    guard !warnings.contains(sentence) else { return }
    warnings.append(sentence)
    restored?.tell(sentence)
  }

  /// - Returns: whether it had not begun before.
  mutating func begin(_ observer: String) -> Bool { begun.insert(observer).inserted }

  /// Whether what an observer knew is good at its first record. A state from the future is that of a
  /// clock which was set back meanwhile: the same limit holds.
  mutating func isGood(_ known: RunState.OfObserver, at start: Timestamp) -> Bool {
    guard let restored, known.clock.isKnown else { return false }
    let age = start.nanoseconds.since(known.clock.nanoseconds)
    let isGood = abs(max(age, -.max)) <= restored.goodFor
    let limit = Self.span(restored.goodFor)
    if age < 0 {
      warn(
        "\(known.name): the clock was set back: the saved state is \(Self.span(-max(age, -.max))) later "
          + "than the first record. "
          + (isGood
            ? "It is restored"
            : "Nobody is taken for inside by what is more than \(limit) off; what plugins saved is restored")
      )
    } else if !isGood {
      warn(
        "\(known.name): the saved state is \(Self.span(age)) older than the first record: nobody is "
          + "taken for inside by what is more than \(limit) old, and regions begin anew; what plugins saved "
          + "is restored")
    }
    return isGood
  }

  /// `12.5 s`, `3 h 20 min`: as exactly as it matters.
  static func span(_ nanoseconds: Int64) -> String {
    let tenths = nanoseconds / 100_000_000
    let minutes = (tenths + 300) / 600
    if minutes >= 120 {
      return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }
    if minutes >= 5, tenths % 600 == 0 || minutes >= 20 { return "\(minutes) min" }
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }

  /// A state of this run's, for the next one.
  func named(_ memory: RegionMemory, _ monitor: borrowing RegionMonitor) -> RunState.OfRegion {
    let region = monitor.region(memory.region)
    return RunState.OfRegion(
      memory, identifier: region.identifier,
      definition: definitions.isEmpty ? region.text : definitions[Int(memory.region)])
  }

  /// An earlier run's, by this run's number; nil where the region is not there, or is defined otherwise
  /// and begins anew.
  mutating func memory(
    of known: RunState.OfRegion, _ monitor: inout RegionMonitor
  ) -> RegionMemory? {
    guard !definitions.isEmpty else {
      let region = try? Region.parse(known.definition)
      return region.flatMap { monitor.meet($0) }.map { known.memory($0) }
    }
    guard let number = numbers[known.identifier] else { return nil }
    guard definitions[Int(number)] == known.definition else {
      warn(
        "region '\(known.identifier)': its definition is another than that of the saved state: it "
          + "begins anew")
      return nil
    }
    return known.memory(number)
  }

  /// Whether a region is there, and defined as it was.
  func isDefined(_ known: RunState.OfRegion) -> Bool {
    guard !definitions.isEmpty else { return true }
    return numbers[known.identifier].map { definitions[Int($0)] == known.definition } ?? false
  }

  /// Whether it is time to take down what is known: at the start, when something was told since, as
  /// whoever goes on would tell it again, and every now and then.
  /// - Parameter told: events, so far.
  mutating func isDue(at time: Timestamp, told: Int) -> Bool {
    guard let keeper, time.isKnown else { return false }
    clock = max(clock, time.nanoseconds)
    guard let keptAt, told == keptTold else { return true }
    return clock.since(keptAt) >= keeper.interval
  }

  /// It was taken down.
  mutating func noteKept(told: Int) { (keptAt, keptTold) = (clock, told) }

  /// The run's clock.
  var taken: Timestamp { Timestamp(nanoseconds: clock) }

  /// What an earlier run knew of observers that have not come yet, and is still good.
  func waiting(under profile: String) -> [RunState.OfObserver] {
    awaited(under: profile, at: Timestamp(nanoseconds: clock))
  }

  /// The same, at a time.
  func awaited(under profile: String, at time: Timestamp) -> [RunState.OfObserver] {
    guard let restored,
      let known = restored.state.profiles.first(where: { $0.profile == profile })
    else { return [] }
    return known.observers.filter {
      !begun.contains($0.name)
        && abs(max(time.nanoseconds.since($0.clock.nanoseconds), -.max)) <= restored.goodFor
    }
  }
}
