import Analysis

/// What the handlers of plugins want to be told of, as a run hands it on: decided before it.
struct HostWishes {
  let wishes: JudgeWishes
  /// Of sightings: what handlers asked for before the run.
  private let asked: [Handler]

  /// Events that are handed on only where somebody wishes for them.
  private static let wished:
    [(event: HandledEvent, wish: any WritableKeyPath<JudgeWishes, Bool> & Sendable)] = [
      (.proximity, \.proximity), (.ranging, \.ranging), (.malformed, \.malformed),
      (.clock, \.clock),
    ]

  /// - Parameters:
  ///   - sightings: what the handlers wish for of these.
  ///   - isRuled: some region has a rule of its own, which is asked of any sighting.
  ///   - takesAll: everything, whatever the handlers are about.
  init(
    _ handlers: [Handler], sightings: JudgeWishes.Sightings, isRuled: Bool, takesAll: Bool
  ) {
    var wishes = JudgeWishes()
    wishes.sightings = takesAll || isRuled ? .all : sightings
    for (event, wish) in Self.wished {
      wishes[keyPath: wish] = takesAll || handlers.contains { $0.event == event }
    }
    self.wishes = wishes
    asked = handlers.filter(\.event.isSighting)
  }

  /// What handlers that came later wish for, and the run does not hand on: a clause each.
  func missing(_ handlers: [Handler]) -> [String] {
    var sentences: [String] = []
    for (event, wish) in Self.wished where !wishes[keyPath: wish] {
      guard handlers.contains(where: { $0.event == event }) else { continue }
      sentences.append(
        "on(\"\(event.rawValue)\") is called from the next start on; nothing asked for it at the "
          + "start of this run")
    }
    if case .all = wishes.sightings { return sentences }
    let others = handlers.filter { handler in
      handler.event.isSighting
        && !asked.contains { $0.event == handler.event && $0.filter == handler.filter }
    }
    for event in [HandledEvent.sighting, .telemetry]
    where others.contains(where: { $0.event == event }) {
      sentences.append(
        "on(\"\(event.rawValue)\") has another filter; until the next start it is called only for "
          + "those whose sightings something asked for at the start of this run")
    }
    return sentences
  }
}
