import CaptureReader
import CaseStore
import Exports
import Regions
import TrackReader

/// Where observers were when visits began, and when somebody was heard for the last time in them; of
/// circles, when they were left. Between two fixes at most half a minute apart.
struct VisitPlaces {
  private let names: CaseNames
  /// By observer; nil is the track of all of them.
  private var paths: [Int64?: PositionPath] = [:]

  init(_ file: CaseFile, _ names: CaseNames) throws {
    self.names = names
    try file.forEach(FixRow.self, order: "time_ns, id") { row in
      let fix = Fix(
        time: Timestamp(column: row.timeNs), latitude: row.latitude, longitude: row.longitude)
      paths[row.observerId, default: PositionPath()].append(fix)
    }
  }

  func write(_ file: CaseFile, _ features: inout FeatureList) throws {
    try file.forEach(StayRow.self) { stay in
      try write(stay, "entry", at: stay.sinceNs, &features)
      // When an exit is decided the observer may be far from where it heard somebody last.
      if let until = stay.untilNs {
        try write(stay, "exit", at: stay.lastSeenNs ?? until, &features)
      }
    }
  }

  private func write(
    _ stay: StayRow, _ end: String, at column: Int64?, _ features: inout FeatureList
  ) throws {
    let time = Timestamp(column: column)
    let isExit = end == "exit"
    let own = paths[stay.observerId]?.position(at: time)
    guard let position = own ?? paths[nil]?.position(at: time) else {
      return features.leftOut.add(
        "visit end", "without a known place (positions come from --track, or from the capture)")
    }
    let place = Place(longitude: position.longitude, latitude: position.latitude)
    try features.add("visit", .point(place)) { text in
      text.pair("end", end)
      text.pair("time", isExit ? Timestamp(column: stay.untilNs) : time)
      text.pair("visit", stay.id.map(Int.init))
      text.pair("region", names.regions[stay.regionId])
      text.pair("observer", names.observers[stay.observerId])
      text.pair("profile", names.profiles[stay.profileId])
      text.pair("event", isExit ? stay.exitEvent : stay.entryEvent)
      if isExit {
        text.pair("grade", stay.grade)
        text.pair("last_seen", Timestamp(column: stay.lastSeenNs))
        if stay.lastStampedNs != nil {
          text.pair("last_stamped", Timestamp(column: stay.lastStampedNs))
        }
      } else {
        text.key("was_inside_already")
        text.text(stay.wasInsideAlready ? "true" : "false")
        text.pair("entry_why", stay.entryWhy)
        if stay.firstStampedNs != nil {
          text.pair("first_stamped", Timestamp(column: stay.firstStampedNs))
        }
      }
    }
  }
}
