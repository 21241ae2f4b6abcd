import Beacons
import CaptureReader
package import FrameDecoder
import Glibc
import Regions

/// Identifiers that change (Eddystone-EID) and come, it seems, from one beacon each: what one address sends, and
/// what several addresses send that have an identifier in common, as long as it is one after the other. A beacon that
/// changes both at once leaves nothing to go by; whose identifiers they are its key alone can prove.
package struct IdentifierChains: Sendable {
  package struct Chain: Sendable {
    /// Places of the identifiers among the summaries, in the order in which they were first heard; two or more.
    package let places: [Int]
    /// In the order in which they were first heard.
    package let addresses: [DeviceAddress]
    package let sightings: Int
  }

  /// Most sightings first, then by the first identifier's place.
  package private(set) var chains: [Chain] = []
  /// By place of an identifier: the number of its chain.
  private var numbers: [Int: Int] = [:]

  /// Number of the chain that an identifier's place belongs to; nil where it stands for itself.
  package func number(of place: Int) -> Int? { numbers[place] }

  /// When somebody was heard, nanoseconds, and how often.
  fileprivate struct Span {
    let first: Int64
    let last: Int64
    let sightings: Int
  }

  /// By how much the end of one may lie behind the beginning of the next by the clocks of several observers,
  /// nanoseconds. By that of one it may not at all.
  private static let slack: Int64 = 60_000_000_000
  /// What several send at a time is heard in turn by chance in fewer than so many of all cases.
  private static let chance = 0.01

  /// - Parameter unsteady: observers whose clocks stepped back: the order of what they heard is not known, and it
  ///   stands for itself.
  package init(_ beacons: BeaconSummaries, unsteady: Set<Int> = []) {
    for (kind, places) in beacons.kinds where BeaconFormats.format(kind).isEphemeral {
      let places =
        unsteady.isEmpty
        ? Array(places) : places.filter { !beacons.isHeard(at: $0, by: unsteady) }
      for members in Self.linked(places, beacons) {
        guard let chain = Self.chain(members, beacons) else { continue }
        chains.append(chain)
      }
    }
    chains.sort { ($1.sightings, $0.places[0]) < ($0.sightings, $1.places[0]) }
    for (number, chain) in chains.enumerated() {
      for place in chain.places { numbers[place] = number }
    }
  }

  /// Places that addresses in common link with one another, of each two or more.
  private static func linked(_ places: [Int], _ beacons: BeaconSummaries) -> [[Int]] {
    /// Steps towards the one that stands for all that are linked with it.
    var above = Array(places.indices)
    func top(_ index: Int) -> Int {
      var index = index
      while above[index] != index {
        above[index] = above[above[index]]
        index = above[index]
      }
      return index
    }
    var senders: [DeviceAddress: Int] = [:]
    for (index, place) in places.enumerated() {
      for address in beacons.addresses(at: place) where address.isPresent {
        if let other = senders[address] {
          let (one, next) = (top(other), top(index))
          above[max(one, next)] = min(one, next)
        } else {
          senders[address] = index
        }
      }
    }
    return Dictionary(grouping: places.indices, by: top).values.filter { $0.count > 1 }
      .map { $0.map { places[$0] } }
  }

  /// Nil where several identifiers, or addresses, are in use at a time, which are several beacons, or a copy; and
  /// where they were heard so seldom that their order may be chance.
  private static func chain(_ places: [Int], _ beacons: BeaconSummaries) -> Chain? {
    var ofPlace = Turns<Int>()
    var ofAddress = Turns<DeviceAddress>()
    for place in places {
      for heard in beacons.heard(at: place) {
        guard let span = heard.span else { return nil }
        ofPlace.add(place, span, heard.observer)
        ofAddress.add(heard.address, span, heard.observer)
      }
    }
    guard let inOrder = ofPlace.order(slack, chance, by: <),
      let addresses = ofAddress.order(slack, chance, by: { $0.rawValue < $1.rawValue })
    else { return nil }
    return Chain(
      places: inOrder, addresses: addresses,
      sightings: places.reduce(0) { $0 + beacons.sightings(at: $1) })
  }

  /// When identifiers, or addresses, were heard.
  private struct Turns<Key: Hashable> {
    private var all: [Key: Span] = [:]
    private var byObserver: [Int: [Key: Span]] = [:]

    mutating func add(_ key: Key, _ span: Span, _ observer: Int) {
      all[key] = span.joined(all[key])
      byObserver[observer, default: [:]][key] = span.joined(byObserver[observer]?[key])
    }

    /// In the order in which they were heard first; nil unless each ends before the next one begins, for every
    /// observer by its own clock, and that is more than `chance`. Of one there is nothing to tell.
    func order(_ slack: Int64, _ chance: Double, by precedes: (Key, Key) -> Bool) -> [Key]? {
      guard all.count > 1 else { return Array(all.keys) }
      var logarithm = 0.0
      for (_, spans) in byObserver.sorted(by: { $0.key < $1.key }) {
        guard let keys = Self.inTurn(spans, 0, by: precedes) else { return nil }
        logarithm += Self.likelihood(keys.map { spans[$0]?.sightings ?? 0 })
      }
      guard logarithm < log(chance) else { return nil }
      return Self.inTurn(all, byObserver.count > 1 ? slack : 0, by: precedes)
    }

    private static func inTurn(
      _ spans: [Key: Span], _ slack: Int64, by precedes: (Key, Key) -> Bool
    ) -> [Key]? {
      let sorted = spans.sorted { one, next in
        let (a, b) = (one.value, next.value)
        return (a.first, a.last) == (b.first, b.last)
          ? precedes(one.key, next.key) : (a.first, a.last) < (b.first, b.last)
      }
      let areInTurn = zip(sorted, sorted.dropFirst()).allSatisfy { one, next in
        next.value.first.since(one.value.last) >= -slack
      }
      return areInTurn ? sorted.map(\.key) : nil
    }

    /// The logarithm of how likely sightings that come in any order are all of one, then all of the next, at
    /// most: there are n! such orders of the multinomial coefficient's, of which each binomial factor, s over k, is
    /// (s / k)^k at least.
    private static func likelihood(_ counts: [Int]) -> Double {
      var (sum, result) = (0, 0.0)
      for (place, count) in counts.enumerated() {
        sum += count
        result += log(Double(place + 1)) - Double(count) * log(Double(sum) / Double(count))
      }
      return result
    }
  }
}

extension IdentifierChains.Span {
  fileprivate func joined(_ other: Self?) -> Self {
    guard let other else { return self }
    return Self(
      first: min(first, other.first), last: max(last, other.last),
      sightings: sightings + other.sightings)
  }
}

extension BeaconSummaries {
  /// Whether one of some observers heard the identity at a place.
  fileprivate func isHeard(at place: Int, by observers: Set<Int>) -> Bool {
    members[Int(number(at: place))].contains {
      observers.contains(Int(statistics.transmitters[$0].observer))
    }
  }

  /// Who was heard with the identity at a place, by whom, and when: nil where a time is not known.
  fileprivate func heard(at place: Int) -> [(
    address: DeviceAddress, observer: Int, span: IdentifierChains.Span?
  )] {
    members[Int(number(at: place))].map { member in
      let transmitter = statistics.transmitters[member]
      let (first, last) = (statistics.rests[Int(member)].first, statistics.last(of: Int(member)))
      let span =
        first.isKnown && last.isKnown
        ? IdentifierChains.Span(
          first: first.nanoseconds, last: last.nanoseconds,
          sightings: statistics.sightings(of: Int(member))) : nil
      return (transmitter.address, Int(transmitter.observer), span)
    }
  }
}
