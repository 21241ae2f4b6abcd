import Beacons

/// Finds the messages of an identity without a look at each message.
struct MessageIndex: Sendable {
  private typealias Beginning = (kind: BeaconKind, text: String, message: Int)

  private var byBytes: [MessageBeacon.Match: [Int]] = [:]
  private var byText: [MessageBeacon.Match: [Int]] = [:]
  private var beginnings: [Beginning] = []
  private var kindsOfTexts: Set<BeaconKind> = []

  /// Where identities of a kind may be cut: how many bytes a message may name.
  private static let cuts = BeaconKindTable<[Int]>(otherwise: []) {
    $0.levels.map(\.bytes.upperBound)
  }

  init(_ messages: [BeaconMessage]) {
    for (index, message) in messages.enumerated() {
      let match = message.beacon.match
      switch match {
      case .bytes: byBytes[match, default: []].append(index)
      case .text(let kind, let text, let isPrefix):
        kindsOfTexts.insert(kind)
        if isPrefix {
          beginnings.append((kind, text, index))
        } else {
          byText[match, default: []].append(index)
        }
      }
    }
  }

  /// Messages of an identity, in the order of their definition.
  func messages(of identity: BeaconIdentity, _ bytes: [UInt8]) -> [Int] {
    var found: [Int] = []
    for count in Self.cuts[identity.kind] where count <= bytes.count {
      found += byBytes[.bytes(identity.kind, Array(bytes.prefix(count)))] ?? []
    }
    if kindsOfTexts.contains(identity.kind) {
      let text = BeaconFormats.format(identity.kind).identityText(bytes)
      found += byText[.text(identity.kind, text, isPrefix: false)] ?? []
      found += beginnings.filter { $0.kind == identity.kind && text.hasPrefix($0.text) }
        .map(\.message)
    }
    return found.sorted()
  }
}
