import Analysis
import Beacons

/// What a plugin was told last: alerts cite it that are given where nothing is being handled, in
/// timers and at the end. As long as none of its handlers was called with
/// anything: the first frame of the run that has a time, from which on there was nothing for it.
struct ToldLast {
  var evidence: [TimelineEvent.Evidence] { told.isEmpty ? first : told }
  private var told: [TimelineEvent.Evidence] = []
  private var first: [TimelineEvent.Evidence] = []
  /// Id of the event that it was.
  private(set) var event: UInt64?
  /// By input: the last frame, or line, of all that it was told. What is behind cannot be known yet.
  private var furthest: [Input: Int] = [:]

  private struct Input: Hashable {
    let source: TimelineEvent.Evidence.Source
    let file: Int
  }

  /// - Parameter frame: of a run that begins: what was told before tells nothing of it.
  mutating func begin(_ frame: TimelineEvent.Evidence) {
    (told, first, event) = ([], [frame], nil)
    reach(frame)
  }

  mutating func take(_ frame: TimelineEvent.Evidence) {
    told = [frame]
    event = nil
    reach(frame)
  }

  /// Lists and states without a sighting cite no frame: those of before stay.
  mutating func take(_ event: TimelineEvent) {
    if !event.evidence.isEmpty { told = event.evidence }
    self.event = event.id
    reach(event)
  }

  /// It may be known of, though nobody was called with it.
  mutating func reach(_ event: TimelineEvent) {
    for place in event.evidence { reach(place) }
  }

  mutating func reach(_ place: TimelineEvent.Evidence) {
    let input = Input(source: place.source, file: place.file)
    furthest[input] = max(furthest[input] ?? 0, place.number)
  }

  func includes(_ place: TimelineEvent.Evidence) -> Bool {
    place.number <= furthest[Input(source: place.source, file: place.file)] ?? 0
  }
}

extension Plugin {
  /// Whether a frame, or line, is none behind those that the plugin has heard of, now included.
  func hasBeenTold(_ place: TimelineEvent.Evidence) -> Bool {
    let handled: [TimelineEvent.Evidence] =
      switch moment.handling {
      case .event(let event): event.evidence
      case .frame(let frame, _): [frame]
      case .run, .considered:
        sighting.map {
          [.init(source: .capture, file: Int($0.capture), number: $0.brief.frame)]
        } ?? []
      case .timer, .nothing: []
      }
    return told.includes(place)
      || handled.contains {
        $0.source == place.source && $0.file == place.file && place.number <= $0.number
      }
  }
}
