import Analysis
import Beacons
import Regions

/// What remarks call a beacon: `depot 4-1 (2f23…ffa6:4:1)` where one region of the run is of that beacon alone, as
/// alerts and comparisons have it, and its identity else.
struct BeaconNames {
  /// Of beacons whose identity is named in all its parts.
  private var whole: [IdentityPrefix: [Region]] = [:]
  /// The same of those that are text, by that.
  private var texts: [String: [Region]] = [:]
  private let beacons: BeaconSummaries

  init(_ result: AnalysisResult, _ beacons: BeaconSummaries) {
    self.beacons = beacons
    // Regions that nobody named are called by their identities.
    guard let timeline = result.timeline, !timeline.isDefaultRegions else { return }
    for region in timeline.regions {
      switch region.condition {
      case .identity(let prefix): whole[prefix, default: []].append(region)
      case .text(_, let text, isPrefix: false): texts[text, default: []].append(region)
      case .text, .address, .circle, .custom: break
      }
    }
  }

  /// - Parameters:
  ///   - place: the beacon's.
  ///   - id: its identity as text.
  func name(_ place: Int, id: String) -> String {
    let short = TextColumns.shortened(id)
    guard let region = region(place, id), region.identifier != id else { return short }
    return "\(region.identifier) (\(short))"
  }

  /// Nil where several name it: nothing says which of them is meant.
  private func region(_ place: Int, _ id: String) -> Region? {
    guard !whole.isEmpty || !texts.isEmpty else { return nil }
    let identity = beacons.identity(at: place)
    let named = IdentityPrefix(of: identity, count: Int(identity.count)).flatMap { whole[$0] } ?? []
    // Those with an address are of the beacon with that one alone.
    let own = (named + (texts[id] ?? [])).filter { region in
      beacons.addresses(at: place).contains {
        region.mayHold($0, identity, beacons.identities)
      }
    }
    return own.count == 1 ? own[0] : nil
  }
}
