import Beacons

/// A kind of region: how its condition is written.
package struct RegionKind: Sendable {
  /// Before the first colon: `ibeacon`.
  package let name: String
  /// What follows it: `UUID[:MAJOR[:MINOR]]`.
  package let form: String
  /// One that works.
  package let example: String
  /// Whether it names beacons by what they send, whoever sends it: messages can be attached to these.
  var namesBeacons = false
  let parse: @Sendable (String) throws(SettingProblem) -> RegionCondition
  /// What would be parsed into it; nil for a condition of another kind.
  let write: @Sendable (RegionCondition) -> String?

  var advice: String { "write \(name):\(form), such as \(name):\(example)" }

  /// The parts between colons; too many, or an empty one, are an error.
  static func parts(
    _ spec: String, atMost most: Int, _ form: @autoclosure () -> String
  ) throws(SettingProblem) -> [String] {
    let parts = SettingText.parts(spec, UInt8(ascii: ":")).map(String.init)
    guard parts.count <= most else {
      throw SettingProblem("'\(spec)' has \(parts.count) parts", allowed: "write \(form())")
    }
    guard !parts.contains("") else {
      throw SettingProblem("a part of '\(spec)' is empty", allowed: "write \(form())")
    }
    return parts
  }

  /// Two bytes, big-endian, from a decimal number.
  static func number(_ text: String, _ field: String) throws(SettingProblem) -> [UInt8] {
    let value = try SettingText.integer(text, field, in: 0...65535)
    return [UInt8(value >> 8), UInt8(value & 255)]
  }

  /// Bytes of a condition on identities of a kind; nil for any other condition.
  static func bytes(_ condition: RegionCondition, _ isMine: (IdentityPrefix) -> Bool) -> [UInt8]? {
    guard case .identity(let prefix) = condition, isMine(prefix) else { return nil }
    return prefix.bytes
  }

  /// UUID and up to two numbers, as iBeacon and AltBeacon have them.
  static func text(uuidAndNumbers bytes: [UInt8]) -> String {
    var text = HexText.uuid(bytes.prefix(16))
    for at in stride(from: 16, to: bytes.count, by: 2) {
      text += ":"
      text += String(Int(bytes[at]) << 8 | Int(bytes[at + 1]))
    }
    return text
  }
}

/// The kinds we know. A new one is a file under `Kinds` and a word in `all`.
package enum RegionKinds {
  package static let all: [RegionKind] = [
    .iBeacon, .eddystone, .url, .eid, .altBeacon, .address, .circle, .decoder,
  ]

  package static var names: [String] { all.map(\.name) }

  /// `ibeacon:UUID:1:2`.
  package static func condition(_ text: String) throws(SettingProblem) -> RegionCondition {
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    let name = text[..<(colon ?? text.endIndex)]
    guard let kind = all.first(where: { $0.name == name }) else {
      throw SettingProblem.unknown("kind", String(name), among: names)
    }
    guard let colon, case let spec = text[text.utf8.index(after: colon)...], !spec.isEmpty else {
      throw SettingProblem("nothing behind '\(kind.name)'", allowed: kind.advice)
    }
    return try kind.parse(String(spec))
  }

  /// What `condition` would be read from; where a plugin decides, or identities are of its making,
  /// what stands for that.
  package static func text(_ condition: RegionCondition) -> String {
    for kind in all {
      if let spec = kind.write(condition) { return "\(kind.name):\(spec)" }
    }
    switch condition {
    case .custom(let rule): return rule.text
    case .identity(let prefix):
      // A format without a kind of region of its own.
      let format = BeaconFormats.format(prefix.kind)
      return "\(format.name):\(format.text(beginning: prefix.bytes))"
    case .text(let kind, let text, let isPrefix):
      return "\(BeaconFormats.format(kind).name):\(text)" + (isPrefix ? "*" : "")
    default: return "custom"
    }
  }
}
