import CaptureReader
import CaseStore
import Exports
import Regions

/// Where observers were when visits began, and when somebody was heard for the last time in them; of
/// circles, when the border was crossed.
struct VisitPlaces {
  static let unplaced =
    "without a known place (positions come from --track, or from the capture)"

  let names: CaseNames
  let paths: ObserverPaths
  let crossings: CircleCrossings

  func write(_ file: CaseFile, _ features: inout FeatureList) throws {
    try file.forEach(StayRow.self) { stay in
      try write(stay, "entry", at: crossings.placedEntry(stay), &features)
      if stay.untilNs != nil {
        try write(stay, "exit", at: crossings.placedExit(stay), &features)
      }
    }
  }

  private func write(
    _ stay: StayRow, _ end: String, at time: Int64?, _ features: inout FeatureList
  ) throws {
    let isExit = end == "exit"
    guard let position = paths.position(of: stay.observerId, at: Timestamp(column: time)) else {
      return features.leftOut.add("visit end", Self.unplaced)
    }
    let told = isExit ? stay.untilNs : stay.sinceNs
    let place = Place(longitude: position.longitude, latitude: position.latitude)
    try features.add("visit", .point(place)) { text in
      text.pair("end", end)
      text.pair("time", Timestamp(column: told))
      if let crossed = crossings.time(stay, decided: told) {
        text.pair("crossed_at", Timestamp(column: crossed))
      }
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
