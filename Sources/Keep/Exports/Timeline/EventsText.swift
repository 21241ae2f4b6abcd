package import Analysis
import CaptureReader
import FrameDecoder
import Regions

/// A line an event, for people: its id, time, type, region, and why; below it what an alert says beside
/// its title. A line of its own says the day whenever it changes.
package struct EventsText: EventSink {
  package static let export = EventExport(name: "text") { output, width in
    EventsText(output, width: width)
  }

  private var output: any TextOutput
  private var text = ByteText()
  private let width: Int?
  private var day = ""
  private static let widestName = 18
  /// Of observers, and in terminals that have so many columns.
  private static let widestObserver = (usual: 18, wide: 40, columns: 120)
  /// Before what goes on below its line, and what alerts say beside their title: behind the ids.
  private static let indent = 18
  /// Narrower than that nothing is wrapped: words would stand in pieces.
  private static let leastToWrap = 40
  /// Beyond so many regions nobody looks for the longest name.
  private static let mostNames = 1000

  /// - Parameter width: lines go on below there, those of ranging are cut; nil: nowhere.
  package init(_ output: any TextOutput, width: Int?) {
    self.output = output
    self.width = width
  }

  package mutating func take(_ events: [TimelineEvent], _ names: EventNames) throws {
    let column = Self.column(names)
    let labels = ObserverLabels(names.timeline, widestObserver)
    for event in events {
      let date = "\(TextColumns.date(event.time)) \(ClockZone.shown.label(event.time))"
      if event.time.isKnown, date != day {
        if day.isEmpty { changes(names.timeline) }
        text.text(of: date + "\n")
        day = date
      }
      for line in fit(Self.line(event, names, column, labels), event.type) {
        text.text(of: line + "\n")
      }
      if let alert = names.alert(event) {
        let words = TextColumns.printableLine(alert.text)
        for line in TextFit.wrap(words, indent: Self.indent, width: width ?? .max) {
          text.text(of: line + "\n")
        }
      }
      try text.flush(to: &output, keeping: Exports.chunk)
    }
  }

  /// What makes events others than usual.
  private mutating func changes(_ timeline: Timeline) {
    for outcome in timeline.outcomes where !outcome.profile.changes.isEmpty {
      let words = outcome.profile.changes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
      for line in TextFit.wrap(
        "profile \(outcome.profile.name) with \(words)", indent: 0, width: width ?? .max)
      {
        text.text(of: line + "\n")
      }
    }
  }

  package mutating func end() throws { try text.flush(to: &output) }

  /// A line, and what of it stands below. A list of ranging comes every second: it is cut.
  private func fit(_ line: String, _ type: TimelineEventType) -> [String] {
    guard let width, line.columns > width else { return [line] }
    guard type != .ranging, width >= Self.leastToWrap else { return [TextFit.cut(line, width)] }
    return TextFit.wrap(line, indent: 0, hanging: Self.indent, width: width).map { line in
      // Columns are two blanks apart, of which one may be left at an end.
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func column(_ names: EventNames) -> Int {
    let regions = names.timeline.regions.prefix(mostNames)
    return regions.map { TextFit.name($0.identifier, widestName).columns }.max() ?? 0
  }

  private var widestObserver: Int {
    (width ?? 0) < Self.widestObserver.columns
      ? Self.widestObserver.usual : Self.widestObserver.wide
  }

  private static func line(
    _ event: TimelineEvent, _ names: EventNames, _ column: Int, _ labels: ObserverLabels
  ) -> String {
    let time = event.time.isKnown ? Figures.clock(event.time) : "no time     "
    let type = event.type.rawValue.replacing("_", with: " ")
    var columns = [EventReference.text(event.id), time, TextColumns.left(type, 9)]
    if let region = names.region(event) {
      columns.append(TextColumns.left(TextFit.name(region, widestName), column))
    }
    if names.timeline.observers.count > 1, let observer = names.observer(event) {
      columns.append("at " + labels[observer])
    }
    if names.timeline.outcomes.count > 1 { columns.append(names.profile(event)) }
    let details = [details(event, names), StampText.words(event)].compactMap { $0 }
      .filter { !$0.isEmpty }.joined(separator: ", ")
    return (columns + [details]).joined(separator: "  ")
  }

  private static func details(_ event: TimelineEvent, _ names: EventNames) -> String {
    switch event.type {
    case .state: return event.state?.rawValue ?? ""
    case .exit: return exit(event)
    case .proximity: return proximity(event, names)
    case .ranging:
      if event.entries.isEmpty { return "nobody" }
      return event.entries.map { entry($0) }.joined(separator: "; ")
    case .messageFound, .messageLost: return message(event, names)
    case .monitoringFailed:
      let limit = names.timeline.outcomes[event.profile].profile.limit
      return "past the profile's limit" + (limit.map { " of \($0) regions" } ?? "")
    case .alert: return names.alert(event).map { AlertText.line($0) } ?? ""
    case .observer: return event.deed.map { DeedText.words($0, event.packetsLost) } ?? ""
    case .position: return event.position.map { PositionText.words($0) } ?? ""
    default:
      let crossed =
        event.crossedAt.isKnown
        ? ["crossed \(Figures.clock(event.crossedAt, besides: event.time))"] : []
      let sender = [self.sender(event, names)].compactMap { $0 }
      let doubt = event.doubt.map { [EntryDoubtText.words($0, besides: event.entered)] } ?? []
      return (crossed + sender + doubt).joined(separator: ", ")
    }
  }

  private static func exit(_ event: TimelineEvent) -> String {
    var parts: [String] = []
    if let silence = event.silence {
      let chance =
        silence.grade == .thin && silence.isLikely
        ? SilenceText.likelihood(silence).map { ", " + $0 } : nil
      let reasons =
        switch silence.grade {
        case .deaf: SilenceText.deafness(silence)
        case .thin: SilenceText.limits(silence) + [SilenceText.pause(silence)].compactMap { $0 }
        case .gone: [SilenceText.pause(silence)].compactMap { $0 }
        }
      parts.append(
        silence.grade.rawValue + (chance ?? "")
          + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")))
      if silence.refused?.goesOn(from: event.lastSeen, to: event.time) == true {
        parts.append("still heard, not past its gate")
      }
    }
    if event.lastSeen.isKnown {
      parts.append("last seen \(Figures.clock(event.lastSeen, besides: event.time))")
    }
    if event.crossedAt.isKnown {
      parts.append("crossed \(Figures.clock(event.crossedAt, besides: event.time))")
    }
    return parts.joined(separator: ", ")
  }

  private static func proximity(_ event: TimelineEvent, _ names: EventNames) -> String {
    var parts = ["\((event.from ?? .unknown).name) → \((event.to ?? .unknown).name)"]
    if let distance = event.distance { parts.append(Figures.distance(distance)) }
    if let sender = sender(event, names) { parts.append(sender) }
    return parts.joined(separator: ", ")
  }

  private static func entry(_ entry: RangingEntry) -> String {
    let distance = entry.accuracy.map { " " + Figures.distance($0) } ?? ""
    return BeaconTable.address(entry.address) + " \(entry.proximity.name)" + distance
  }

  private static func message(_ event: TimelineEvent, _ names: EventNames) -> String {
    guard let number = event.message else { return "" }
    let message = names.timeline.messages[number]
    return TextColumns.printable(
      "\(message.namespace)/\(message.type) \"\(message.content)\" of \(message.beacon)")
  }

  /// `1:7 c2:35:33:30:25:50`; the address alone where the region has but this beacon.
  private static func sender(_ event: TimelineEvent, _ names: EventNames) -> String? {
    guard let transmitter = event.transmitter else { return nil }
    let sender = names.sender(transmitter)
    let name = event.region.flatMap { sender.name(in: names.timeline.regions[$0]) }
    return (name.map { $0 + " " } ?? "") + BeaconTable.address(sender.address)
  }
}

/// What happened to an observer, in words.
enum DeedText {
  static func words(_ deed: TimelineEvent.Deed, _ packetsLost: Int64) -> String {
    switch deed {
    case .reset: "the controller was reset or removed"
    case .captureOff: "capturing stopped"
    case .captureOn: "capturing went on"
    case .lost: TextColumns.counted(Int(packetsLost), "packet") + " lost"
    }
  }
}

/// A position in words.
enum PositionText {
  /// `52.52000, 13.40500, course 90°, significant change`: five decimals are a metre.
  static func words(_ position: TimelineEvent.Position) -> String {
    var text = ByteText()
    text.rounded(position.latitude, decimals: 5)
    text.text(", ")
    text.rounded(position.longitude, decimals: 5)
    if let course = position.course { text.text(of: ", course \(Int(course.rounded()))°") }
    switch position.cause {
    case .update: break
    case .significantChange: text.text(", significant change")
    case .course: text.text(", turned")
    }
    return text.string
  }
}
