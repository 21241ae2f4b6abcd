package import Analysis
import CaptureReader

/// What stands in the table of beacons: one identity each, but for identifiers that change: those of one beacon, it
/// seems, are one.
struct BeaconEntries {
  struct Entry {
    /// Of its only identity, or the first that was heard, among the summaries.
    let place: Int
    /// Of all of its identities, in the order in which they were heard; empty where there is one.
    var chain: [Int] = []

    var isChain: Bool { !chain.isEmpty }
    var places: [Int] { isChain ? chain : [place] }
  }

  let chains: IdentifierChains

  /// How many there are.
  func count(_ beacons: BeaconSummaries) -> Int {
    beacons.count + chains.chains.reduce(0) { $0 + 1 - $1.places.count }
  }

  /// By kind, then most sightings first.
  func all(_ beacons: BeaconSummaries) -> [Entry] {
    beacons.kinds.flatMap { sorted(candidates($0.places, beacons, .max), beacons) }
  }

  /// Those seen most often, most sightings first.
  func mostFrequent(_ beacons: BeaconSummaries, _ most: Int) -> [Entry] {
    Array(
      sorted(beacons.kinds.flatMap { candidates($0.places, beacons, most) }, beacons).prefix(most))
  }

  /// Of a kind: all chains, and of what stands for itself the first, which are the most frequent.
  private func candidates(
    _ places: Range<Int>, _ beacons: BeaconSummaries, _ most: Int
  ) -> [Entry] {
    places.lazy.filter { chains.number(of: $0) == nil }.prefix(most).map { Entry(place: $0) }
      + chains.chains.filter { places.contains($0.places[0]) }.map {
        Entry(place: $0.places[0], chain: $0.places)
      }
  }

  private func sorted(_ entries: [Entry], _ beacons: BeaconSummaries) -> [Entry] {
    entries.map { entry in
      (entry: entry, sightings: entry.places.reduce(0) { $0 + beacons.sightings(at: $1) })
    }
    .sorted { ($1.sightings, $0.entry.place) < ($0.sightings, $1.entry.place) }
    .map(\.entry)
  }
}

extension IdentifierChains {
  /// Of a run.
  package init(_ beacons: BeaconSummaries, _ result: AnalysisResult) {
    let names = Set(
      result.captures.filter { $0.clockWasSetBack }.flatMap(\.observers).map(\.name))
    self.init(
      beacons,
      unsteady: Set(result.observers.indices.filter { names.contains(result.observers[$0]) }))
  }
}
