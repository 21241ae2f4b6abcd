import BeaconKeys
import Beacons
import FrameDecoder
import Regions

/// Why nothing that was heard is of a declared region: a sentence for each, with what is nearest to it.
///
/// Who sets a site up mistypes a digit, and hears "never greeted" for it.
struct NeverMatched {
  /// The likeliest mistakes first: what is one of few digits away from what was heard.
  private(set) var texts: [String] = []
  /// Regions that are left out.
  private(set) var more = 0

  /// Hexadecimal digits that may differ where something is near.
  static let mostDigits = 4
  /// Different things of a kind that are looked at.
  private static let mostLookedAt = 1000
  /// Values that a sentence names.
  private static let mostValues = 12

  /// Identities of one kind, level by level: UUID, major, minor.
  private struct Levels {
    let name: String
    let parts: [IdentityPart]
    /// Bytes of an identity up to the end of each level.
    let lengths: [Int]

    private init?(_ format: any BeaconFormat.Type) {
      guard format.isLasting, !format.levels.isEmpty else { return nil }
      name = format.title
      parts = format.levels
      lengths = parts.map(\.bytes.upperBound)
    }

    /// By kind; none of those whose identities are text, or do not last.
    private static let all = BeaconKindTable<Levels?>(otherwise: nil) { Levels($0) }

    static func of(_ kind: BeaconKind) -> Levels? { all[kind] }
  }

  /// What was heard behind beginnings that are asked about; each at most so many times.
  private struct Heard {
    var next: [IdentityPrefix: Set<[UInt8]>] = [:]
    var first: [BeaconKind: Set<[UInt8]>] = [:]
    var urls: Set<String> = []
    /// Those that no region is for.
    var otherURLs: Set<String> = []
    var addresses: Set<UInt64> = []
    /// Whether there are Eddystone-EIDs that no key made.
    var hasUnknownEIDs = false
    /// Of addresses that regions name: what they send that lasts, as text.
    var sent: [UInt64: [BeaconKind: String]] = [:]
  }

  /// A URL or an address that another region is for is where it belongs, however near it is to what is missing.
  /// A UUID, or the beginning of a URL, is many beacons': most often the one that is right.
  private struct Planned {
    private(set) var urls: Set<String> = []
    private(set) var addresses: Set<UInt64> = []

    init(_ regions: [Region]) {
      for region in regions {
        if let address = region.address { addresses.insert(address) }
        switch region.condition {
        case .text(_, let text, isPrefix: false): urls.insert(text)
        case .address(let address): addresses.insert(address)
        case .text, .identity, .circle, .custom: continue
        }
      }
    }
  }

  /// - Parameters:
  ///   - regions: those that nothing is of, in order of definition.
  ///   - all: those that are declared.
  ///   - most: sentences.
  init(_ regions: [Region], of all: [Region], _ statistics: BeaconStatistics, most: Int) {
    guard regions.contains(where: { Self.canBeTold($0) }) else { return }
    var heard = Self.heard(regions, statistics)
    let planned = Planned(all)
    heard.otherURLs = heard.urls.subtracting(planned.urls)
    heard.addresses.subtract(planned.addresses)
    var found: [(rank: Int, text: String)] = []
    for region in regions where Self.canBeTold(region) {
      // What differs in all is told by count: to compare it takes its time.
      guard found.count < 10 * most else {
        more += 1
        continue
      }
      let (rank, why) = Self.reason(region, heard)
      found.append((rank, "Region \(region.identifier) was never matched: \(why)."))
    }
    let inOrder = found.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    texts = inOrder.prefix(most).map(\.element.text)
    more += max(0, inOrder.count - most)
  }

  /// Circles are about positions, and of rules of a plugin's own nobody knows what is near.
  private static func canBeTold(_ region: Region) -> Bool {
    switch region.condition {
    case .identity(let prefix): Levels.of(prefix.kind) != nil
    case .text(let kind, _, _): kind == .eddystoneURL
    case .address: true
    case .circle, .custom: false
    }
  }

  /// One walk over all identities, and one over the addresses where some region asks.
  private static func heard(_ regions: [Region], _ statistics: BeaconStatistics) -> Heard {
    var heard = Heard()
    var asksForAddress = false
    for region in regions {
      if case .address = region.condition { asksForAddress = true }
      if let address = region.address { heard.sent[address] = [:] }
      guard case .identity(let prefix) = region.condition, let levels = Levels.of(prefix.kind)
      else { continue }
      for length in levels.lengths where length < Int(prefix.identity.count) {
        guard let beginning = IdentityPrefix(of: prefix.identity, count: length) else { continue }
        heard.next[beginning] = []
      }
    }
    let identities = statistics.identities
    for identity in identities.identities {
      if identity.kind == .eddystoneURL, heard.urls.count < mostLookedAt {
        heard.urls.insert(
          BeaconFormats.format(identity.kind).identityText(identities.bytes(of: identity)))
      }
      if identity.kind == .eddystoneEID { heard.hasUnknownEIDs = true }
      guard let levels = Levels.of(identity.kind) else { continue }
      var from = 0
      for (place, length) in levels.lengths.enumerated() {
        guard
          place == 0
            || IdentityPrefix(of: identity, count: from).map({ heard.next[$0] != nil }) == true
        else { break }
        let bytes = (from..<length).map { identity.byte($0) }
        if place == 0 {
          heard.first[identity.kind, default: []].insertIfRoom(bytes, mostLookedAt)
        } else if let prefix = IdentityPrefix(of: identity, count: from) {
          heard.next[prefix]?.insertIfRoom(bytes, mostLookedAt)
        }
        from = length
      }
    }
    if asksForAddress || !heard.sent.isEmpty { hearSenders(&heard, asksForAddress, statistics) }
    return heard
  }

  private static func hearSenders(
    _ heard: inout Heard, _ asksForAddress: Bool, _ statistics: BeaconStatistics
  ) {
    let identities = statistics.identities
    for number in 0..<UInt32(statistics.transmitters.count) {
      let sender = statistics.transmitters[number]
      guard sender.address.isPresent else { continue }
      let address = sender.address.address
      if asksForAddress, heard.addresses.count < mostLookedAt { heard.addresses.insert(address) }
      guard let sent = heard.sent[address] else { continue }
      let identity = identities[sender.identity]
      guard sent[identity.kind] == nil, BeaconFormats.format(identity.kind).isLasting else {
        continue
      }
      heard.sent[address]?[identity.kind] =
        BeaconFormats.format(identity.kind).identityText(identities.bytes(of: identity))
    }
  }

  /// What the address that a region names sends in place of what it is to send; nil where that is not known.
  private static func inItsPlace(_ region: Region, _ heard: Heard) -> String? {
    guard let address = region.address, let sent = heard.sent[address] else { return nil }
    let kind: BeaconKind? =
      switch region.condition {
      case .identity(let prefix): prefix.kind
      case .text(let kind, _, _): kind
      case .address, .circle, .custom: nil
      }
    guard let kind else { return nil }
    let others = sent.min { $0.key.rawValue < $1.key.rawValue }?.value
    return (sent[kind] ?? others).map {
      "its address \(self.address(bytes(address))) was heard, and sends \($0)"
    }
  }

  /// The likelier a mistake is, the lower the rank.
  private static func reason(_ region: Region, _ heard: Heard) -> (rank: Int, text: String) {
    let (rank, text) = reasonByWhatIsSent(region, heard)
    guard let sent = inItsPlace(region, heard) else { return (rank, text) }
    return (0, text.hasSuffix(elsewhere) ? "\(sent); \(text)" : sent)
  }

  private static let clockIsOff = "its clock may be off by more than the window of its key"
  private static let elsewhere = "from other addresses alone"

  private static func reasonByWhatIsSent(_ region: Region, _ heard: Heard) -> (
    rank: Int, text: String
  ) {
    switch region.condition {
    case .identity(let prefix):
      if let levels = Levels.of(prefix.kind) {
        return reason(prefix.bytes, prefix.kind, levels, heard, isOfOne: region.isOfOneSender)
      }
    case .text(_, let text, let isPrefix):
      return url(text, isPrefix, heard, isOfOne: region.isOfOneSender)
    case .address(let address):
      let near = nearest(bytes(address), heard.addresses.map(bytes))
      return (
        near == nil ? 3 : 0,
        "no beacon with this address was heard; "
          + (near.map { "the nearest one heard is \(self.address($0))" }
            ?? "what sends none is followed with --device \(NamedDevice.isName(region.identifier) ? region.identifier : "NAME")=\(self.address(bytes(address)))")
      )
    case .circle, .custom: break
    }
    return (3, "nothing of it was heard")
  }

  private static func reason(
    _ wanted: [UInt8], _ kind: BeaconKind, _ levels: Levels, _ heard: Heard, isOfOne: Bool
  ) -> (rank: Int, text: String) {
    guard kind != .eddystoneResolved else {
      // No name of a key is nearer to it than another one.
      return heard.hasUnknownEIDs
        ? (1, "no Eddystone-EID of its key was heard, but some of no key: \(clockIsOff)")
        : (2, "no Eddystone-EID of its key was heard")
    }
    let all = heard.first[kind] ?? []
    guard !all.isEmpty else { return (3, "no \(levels.name) was heard at all") }
    let root = Array(wanted.prefix(levels.lengths[0]))
    guard all.contains(root) else {
      let near = nearest(root, Array(all)).map {
        "; the nearest one heard is \(levels.parts[0].text(own: $0[...]))"
      }
      return (
        near == nil ? 2 : 0,
        "no \(levels.name) with this \(levels.parts[0].word) was heard\(near ?? "")"
      )
    }
    var told = "this \(levels.parts[0].word)"
    for place in 1..<levels.lengths.count where levels.lengths[place] <= wanted.count {
      let part = levels.parts[place]
      let (from, to) = (levels.lengths[place - 1], levels.lengths[place])
      let values = heard.next[IdentityPrefix(kind, Array(wanted.prefix(from)))] ?? []
      let own = Array(wanted[from..<to])
      guard values.contains(own) else {
        return (
          place == 1 ? 0 : 1,
          "\(told) was heard, with \(list(values, part)); not "
            + part.text(own: own[...])
        )
      }
      told += "\(place == 1 ? " with" : " and") \(part.word) \(part.text(own: own[...]))"
    }
    // The address alone is another one.
    return isOfOne ? (0, "\(told) was heard, \(elsewhere)") : (3, "\(told) was heard")
  }

  /// `the majors 1, 2, 3, … 10`
  private static func list(_ values: Set<[UInt8]>, _ part: IdentityPart) -> String {
    let inOrder = values.sorted { $0.lexicographicallyPrecedes($1) }
    var names = inOrder.map { part.text(own: $0[...]) }
    if names.count > mostValues, let last = names.last {
      let left = names.count - mostValues
      names = names.prefix(mostValues - 1) + ["… \(last) (\(left) more between)"]
    }
    return "the \(part.word)\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))"
  }

  private static func url(
    _ text: String, _ isPrefix: Bool, _ heard: Heard, isOfOne: Bool
  ) -> (Int, String) {
    guard !heard.urls.isEmpty else { return (3, "no Eddystone URL was heard at all") }
    if isOfOne, heard.urls.contains(where: { isPrefix ? $0.hasPrefix(text) : $0 == text }) {
      return (0, "this URL was heard, \(elsewhere)")
    }
    let what = isPrefix ? "no URL that begins like this was heard" : "this URL was not heard"
    // Whatever stands before the host is the same in most.
    let wanted = Array(host(text).utf8)
    let best = heard.otherURLs.sorted().map { url in
      (url: url, length: alike(wanted, Array(host(url).utf8), isPrefix))
    }.max { ($0.length, $1.url) < ($1.length, $0.url) }
    guard let best, best.length >= 4 else { return (2, what) }
    return (0, "\(what); the nearest one heard is \(best.url)")
  }

  /// Bytes that two texts have in common, at their beginnings and at their ends.
  private static func alike(_ one: [UInt8], _ other: [UInt8], _ isPrefix: Bool) -> Int {
    let first = zip(one, other).prefix { $0 == $1 }.count
    // Of a beginning that is asked for the end is not the URL's.
    guard !isPrefix else { return first }
    let last = zip(one.dropFirst(first).reversed(), other.dropFirst(first).reversed())
      .prefix { $0 == $1 }.count
    return first + last
  }

  private static func host(_ url: String) -> Substring {
    url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
  }

  /// The first of those with the fewest digits that differ; nil where none has few.
  static func nearest(_ wanted: [UInt8], _ heard: [[UInt8]]) -> [UInt8]? {
    var best: (digits: Int, bytes: [UInt8])?
    for bytes in heard where bytes.count == wanted.count {
      let digits = zip(wanted, bytes).reduce(0) { sum, pair in
        let change = pair.0 ^ pair.1
        return sum + (change >> 4 == 0 ? 0 : 1) + (change & 15 == 0 ? 0 : 1)
      }
      guard digits <= mostDigits else { continue }
      if let best, best.digits < digits { continue }
      if let best, best.digits == digits, best.bytes.lexicographicallyPrecedes(bytes) { continue }
      best = (digits, bytes)
    }
    return best?.bytes
  }

  private static func bytes(_ address: UInt64) -> [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(8 * (5 - $0))) }
  }

  private static func address(_ bytes: [UInt8]) -> String {
    bytes.map { HexText.string([$0]) }.joined(separator: ":")
  }
}

extension Set<[UInt8]> {
  fileprivate mutating func insertIfRoom(_ bytes: [UInt8], _ most: Int) {
    if count < most { insert(bytes) }
  }
}
