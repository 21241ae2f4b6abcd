package import Analysis
import CaptureReader
import Regions

/// What led to an event, step by step.
package struct EventChain {
  package enum Step: Equatable {
    case words(label: String, String)
    /// The event's evidence stands here.
    case evidence(label: String)
  }

  let event: TimelineEvent
  package let names: EventNames
  let frames: [EvidenceFrame]
  let profile: Profile
  let region: Region?
  /// Finds an event that is cited by its id.
  let find: (UInt64) -> TimelineEvent?
  let stays: StayLookup

  /// The profile's numbers as it says them.
  let profileNumbers: [(name: String, value: String)]

  /// - Parameters:
  ///   - find: how events are found by their ids; nil: by going through all of them.
  ///   - stays: of the run, where many chains are made.
  ///   - profileNumbers: of the event's profile, where many chains are made; nil: asked for.
  package init(
    _ event: TimelineEvent, _ names: EventNames, _ frames: [EvidenceFrame],
    find: ((UInt64) -> TimelineEvent?)? = nil, stays: StayLookup? = nil,
    profileNumbers: [(name: String, value: String)]? = nil
  ) {
    self.find = find ?? { names.timeline.event($0) }
    self.stays = stays ?? StayLookup(names.timeline)
    self.event = event
    self.names = names
    self.frames = frames
    profile = names.timeline.outcomes[event.profile].profile
    self.profileNumbers = profileNumbers ?? profile.numbers
    region = event.region.map { names.timeline.regions[$0] }
  }

  /// `exit of exhibit A at 2026-05-19 10:06:21.118 UTC by observer hci0 (profile site, …)`.
  package var title: String {
    let what = event.type.rawValue.replacing("_", with: " ")
    let of = region.map { " of \(TextFit.name($0.identifier))" } ?? ""
    let state = event.type == .state ? " (\(event.state?.rawValue ?? "unknown"))" : ""
    let time =
      event.time.isKnown
      ? "at \(TextColumns.date(event.time)) \(Figures.clock(event.time)) "
        + ClockZone.shown.label(event.time)
      : "at a time that is not known"
    let by = names.observer(event).map { " by observer \(TextColumns.printable($0))" } ?? ""
    if let alert = names.alert(event) {
      return "\(alert.severity.rawValue) \(what)\(of) \(time)\(by): "
        + TextColumns.printableLine(alert.title)
    }
    if let deed = event.deed {
      return "\(what) \(time)\(by): \(DeedText.words(deed, event.packetsLost))"
    }
    return "\(what)\(state)\(of) \(time)\(by)"
      + " (profile \(profile.name), exit after \(number("exit_after")) s)"
      + (StampText.words(event).map { "; \($0)" } ?? "")
  }

  /// The rule, then what led to it, then what follows; by type.
  package func steps() -> [Step] {
    if let alert = names.alert(event) { return self.alert(alert) }
    if let deed = event.deed { return self.deed(deed) }
    let steps: [Step?] = [
      region.map {
        .words(label: "region", TextColumns.printable(Self.definition($0)))
      }
    ]
    return steps.compactMap { $0 } + chain() + [
      .words(label: "numbers used", numbers),
      .words(label: "event id", EventReference.text(event.id)),
    ]
  }

  private func deed(_ deed: TimelineEvent.Deed) -> [Step] {
    let meaning =
      switch deed {
      case .reset: "the controller did not scan from here until it was told to"
      case .captureOff: "from here on the observer is deaf, whether or not the controller scans"
      case .captureOn: "from here on the observer hears again, where the controller scans"
      case .lost: "the recorder counted packets that it could not keep; nobody knows of what"
      }
    return [
      .evidence(label: "nearest frame"), .words(label: "therefore", meaning),
      .words(label: "event id", EventReference.text(event.id)),
    ]
  }

  /// Its definition without the name, with room to break it: `ibeacon:UUID:1:2, exit_after=10`.
  static func definition(_ region: Region) -> String {
    String(region.text.dropFirst(region.identifier.count + 1)).replacing(",", with: ", ")
  }

  private func chain() -> [Step] {
    switch event.type {
    case .exit where event.silence != nil: exit()
    case .exit: crossing(.evidence(label: "decided by"))
    case .enter: region?.isCircle == true ? crossing(.evidence(label: "decided by")) : enter()
    case .state: state()
    case .proximity: proximity()
    case .ranging: ranging()
    case .messageFound, .messageLost: message()
    case .monitoringFailed: monitoringFailed()
    case .position: position()
    default: [.evidence(label: "decided by")]
    }
  }

  /// A number of the profile as it holds in the event's region, in the setting's words.
  func number(_ name: String) -> String {
    region?.overrides.last { $0.name == name }?.value
      ?? profileNumbers.first { $0.name == name }?.value ?? ""
  }

  /// Every number of the profile; those of the region's own are marked.
  private var numbers: String {
    profileNumbers.map { name, _ in
      let isOwn = region?.overrides.contains { $0.name == name } ?? false
      let value = number(name)
      // Words and zeros that mean "none" have no unit.
      let unit = Double(value) == nil ? "" : SettingUnit.word(name)
      return "\(name) \(value)\(unit)" + (isOwn ? " (this region)" : "")
    }.joined(separator: ", ")
  }

  /// `10:05:51.118`; with the date where it is another day than the event's.
  func clock(_ time: Timestamp) -> String {
    guard time.isKnown else { return "a time that is not known" }
    let date = TextColumns.date(time)
    return (date == TextColumns.date(event.time) ? "" : date + " ")
      + Figures.clock(time, besides: event.time)
  }
}
