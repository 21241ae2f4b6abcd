import Beacons
import CaptureReader
package import FrameDecoder
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

  /// When somebody was heard, nanoseconds.
  fileprivate struct Span {
    let first: Int64
    let last: Int64
  }

  /// By how much the end of one may lie behind the beginning of the next, by one clock and by several, nanoseconds.
  private static let ownSlack: Int64 = 1_000_000_000
  private static let commonSlack: Int64 = 60_000_000_000

  /// - Parameter stepBack: by how much clocks stepped back at most, nanoseconds.
  package init(_ beacons: BeaconSummaries, stepBack: Int64 = 0) {
    for (kind, places) in beacons.kinds where BeaconFormats.format(kind).isEphemeral {
      for members in Self.linked(places, beacons) {
        guard let chain = Self.chain(members, beacons, stepBack) else { continue }
        chains.append(chain)
      }
    }
    chains.sort { ($1.sightings, $0.places[0]) < ($0.sightings, $1.places[0]) }
    for (number, chain) in chains.enumerated() {
      for place in chain.places { numbers[place] = number }
    }
  }

  /// Places that addresses in common link with one another, of each two or more.
  private static func linked(_ places: Range<Int>, _ beacons: BeaconSummaries) -> [[Int]] {
    /// Steps towards the one that stands for all of its kind.
    var above = Array(places)
    func top(_ place: Int) -> Int {
      var place = place
      while above[place - places.lowerBound] != place {
        let next = above[place - places.lowerBound]
        above[place - places.lowerBound] = above[next - places.lowerBound]
        place = next
      }
      return place
    }
    var senders: [DeviceAddress: Int] = [:]
    for place in places {
      for address in beacons.addresses(at: place) where address.isPresent {
        if let other = senders[address] {
          let (one, next) = (top(other), top(place))
          above[max(one, next) - places.lowerBound] = min(one, next)
        } else {
          senders[address] = place
        }
      }
    }
    return Dictionary(grouping: places, by: top).values.filter { $0.count > 1 }
  }

  /// Nil where several identifiers, or addresses, are in use at a time: those are several beacons, or a copy.
  private static func chain(
    _ places: [Int], _ beacons: BeaconSummaries, _ stepBack: Int64
  ) -> Chain? {
    var observers: Set<UInt32> = []
    var ofAddress: [DeviceAddress: Span] = [:]
    var ofPlace: [Int: Span] = [:]
    for place in places {
      var whole: Span?
      for heard in beacons.heard(at: place) {
        guard let span = heard.span else { return nil }
        observers.insert(heard.observer)
        whole = span.joined(whole)
        ofAddress[heard.address] = span.joined(ofAddress[heard.address])
      }
      guard let whole else { return nil }
      ofPlace[place] = whole
    }
    let slack = max(observers.count > 1 ? commonSlack : ownSlack, stepBack)
    guard let inOrder = inTurn(ofPlace, slack, by: <),
      let addresses = inTurn(ofAddress, slack, by: { $0.rawValue < $1.rawValue })
    else { return nil }
    return Chain(
      places: inOrder, addresses: addresses,
      sightings: places.reduce(0) { $0 + beacons.sightings(at: $1) })
  }

  /// In the order in which they were heard first; nil unless each ends before the next one begins.
  private static func inTurn<Key>(
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
}

extension IdentifierChains.Span {
  fileprivate func joined(_ other: Self?) -> Self {
    guard let other else { return self }
    return Self(first: min(first, other.first), last: max(last, other.last))
  }
}

extension BeaconSummaries {
  /// Who was heard with the identity at a place, by whom, and when: nil where a time is not known.
  fileprivate func heard(at place: Int) -> [(
    address: DeviceAddress, observer: UInt32, span: IdentifierChains.Span?
  )] {
    members[Int(number(at: place))].map { member in
      let transmitter = statistics.transmitters[member]
      let (first, last) = (statistics.rests[Int(member)].first, statistics.last(of: Int(member)))
      let span =
        first.isKnown && last.isKnown
        ? IdentifierChains.Span(first: first.nanoseconds, last: last.nanoseconds) : nil
      return (transmitter.address, UInt32(transmitter.observer), span)
    }
  }
}
