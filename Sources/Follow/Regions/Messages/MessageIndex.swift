import Beacons

/// Finds the messages of an identity without a look at each message.
struct MessageIndex: Sendable {
  private var byBytes: [MessageBeacon.Match: [Int]] = [:]
  private var byURL: [String: [Int]] = [:]
  private var prefixes: [(url: String, message: Int)] = []

  /// Where identities of a kind may be cut: how many bytes a message may name.
  private static func cuts(_ kind: BeaconKind) -> [Int] {
    switch kind {
    case .iBeacon, .altBeacon: [16, 18, 20]
    case .eddystoneUID: [10, 16]
    case .eddystoneEID: [8]
    default: []
    }
  }

  init(_ messages: [BeaconMessage]) {
    for (index, message) in messages.enumerated() {
      switch message.beacon.match {
      case .bytes: byBytes[message.beacon.match, default: []].append(index)
      case .url(let url, isPrefix: false): byURL[url, default: []].append(index)
      case .url(let url, isPrefix: true): prefixes.append((url, index))
      }
    }
  }

  /// Messages of an identity, in the order of their definition.
  func messages(of identity: BeaconIdentity, _ bytes: [UInt8]) -> [Int] {
    var found: [Int] = []
    if identity.kind == .eddystoneURL {
      let url = EddystoneURL.identityText(bytes)
      found += byURL[url] ?? []
      found += prefixes.filter { url.hasPrefix($0.url) }.map(\.message)
    } else {
      for count in Self.cuts(identity.kind) where count <= bytes.count {
        found += byBytes[.bytes(identity.kind, Array(bytes.prefix(count)))] ?? []
      }
    }
    return found.sorted()
  }
}
