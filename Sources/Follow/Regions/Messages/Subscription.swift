package import TrackReader

/// Which messages somebody wants to hear of, and how (SEMANTICS 5).
package struct Subscription: Sendable, Equatable {
  /// Nil for all.
  package var namespace: String?
  package var type: String?
  /// Whether messages of iBeacons count [NM includeIBeacons]; on by default.
  package var iBeacon = true
  /// Whether messages of Eddystone beacons (UID, EID, URL) count; on by default. Those of other
  /// beacons always do.
  package var eddystone = true
  /// Whether it may run in the background [NM].
  package var background = false
  /// Whether low-power scanning is preferred [NM].
  package var lowPower = false

  package init() {}

  private static let keys = [
    "namespace", "type", "ibeacon", "eddystone", "background", "low_power",
  ]

  /// `namespace=…,type=…,ibeacon=no`; each key at most once, in any order; nothing at all for every
  /// message.
  /// - Throws: which key is wrong, and what is allowed.
  package init(_ text: String) throws(TextProblem) {
    self.init()
    let settings = text.split(separator: ",", omittingEmptySubsequences: false)
    guard !text.isEmpty else { return }
    var seen: [String] = []
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      let problem = { (detail: String) in
        TextProblem(.badSetting, file: "subscription '\(text)'", field: key, detail)
      }
      guard Self.keys.contains(key) else {
        throw problem("is unknown; the keys are \(Self.keys.joined(separator: ", "))")
      }
      guard !seen.contains(key) else { throw problem("is given twice") }
      seen.append(key)
      guard parts.count == 2, !parts[1].isEmpty else { throw problem("has no value") }
      guard set(key, String(parts[1])) else {
        throw problem("has to be yes or no, not '\(parts[1])'")
      }
    }
  }

  /// Whether the value is one for that key.
  private mutating func set(_ key: String, _ value: String) -> Bool {
    switch key {
    case "namespace": namespace = value
    case "type": type = value
    default:
      guard let flag = ["yes": true, "true": true, "no": false, "false": false][value] else {
        return false
      }
      set(key, flag)
    }
    return true
  }

  /// - Parameter key: `ibeacon`, `eddystone`, `background` or `low_power`.
  package mutating func set(_ key: String, _ flag: Bool) {
    switch key {
    case "ibeacon": iBeacon = flag
    case "eddystone": eddystone = flag
    case "background": background = flag
    default: lowPower = flag
    }
  }

  package func takes(_ message: BeaconMessage) -> Bool {
    switch message.beacon.family {
    case .iBeacon where !iBeacon: return false
    case .eddystone where !eddystone: return false
    default: break
    }
    return namespace ?? message.namespace == message.namespace
      && type ?? message.type == message.type
  }
}
