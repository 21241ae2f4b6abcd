import Analysis
import Exports
import Regions

/// Whose chain a case keeps: there may be tens of thousands of events, and what proves them is many times as
/// large as they are. All alerts; of the others first what somebody has to prove, then the rest, as they come.
struct ExplainedEvents {
  /// Events beside the alerts whose steps and frames are kept, of each of three sorts.
  static let most = 5000

  /// By the number of the event in the order of the events, from 0.
  private var kept: Set<Int> = []
  /// How many are not.
  private(set) var left = 0

  private struct Place: Hashable {
    let profile: Int
    let observer: Int
    let region: Int
  }

  /// - Parameter timeline: nil where nothing was followed.
  /// - Parameter most: events of each of three sorts.
  init(_ timeline: Timeline?, most: Int = most) throws {
    guard let timeline else { return }
    var cited: Set<UInt64> = []
    for alert in timeline.alerts { cited.formUnion(alert.events) }
    let stays = StayLookup(timeline)
    var (worthy, others, changes) = (0, 0, 0)
    var lastExits: [Place: Int] = [:]
    var place = 0
    func keep(_ count: inout Int) {
      count += 1
      if count <= most { kept.insert(place) } else { left += 1 }
    }
    try timeline.forEachBatch { events in
      for event in events {
        if event.type == .exit, let region = event.region {
          lastExits[Place(profile: event.profile, observer: event.observer, region: region)] = place
        }
        switch event.type {
        case .alert: kept.insert(place)
        case _ where cited.contains(event.id): kept.insert(place)
        case .proximity: keep(&changes)
        default:
          if Self.isToBeProved(event, stays) {
            keep(&worthy)
          } else {
            keep(&others)
          }
        }
        place += 1
      }
    }
    // Where somebody left for good that is what matters, however thin it is.
    for exit in lastExits.values where kept.insert(exit).inserted { left -= 1 }
  }

  /// Exits of which the radio knows nothing, or that nobody took back, and entries that are not proved.
  private static func isToBeProved(_ event: TimelineEvent, _ stays: StayLookup) -> Bool {
    if event.doubt != nil { return true }
    guard event.type == .exit, let grade = event.silence?.grade else { return false }
    switch grade {
    case .deaf: return true
    case .gone: return stays.stay(endedBy: event)?.returnsAfter == nil
    case .thin: return false
    }
  }

  func keeps(_ place: Int) -> Bool { kept.contains(place) }

  /// A sentence; nil where all are kept.
  var remark: String? {
    guard left > 0 else { return nil }
    return
      "The chains behind \(TextColumns.counted(left, "event")) are not kept in this case, but those of all "
      + "alerts and what these cite, of the last exit from each region, of the first "
      + "\(TextColumns.grouped(Self.most)) exits that are deaf, or gone without a return, and entries that are "
      + "not proved, and of as many others are: explain the rest from the captures."
  }
}
