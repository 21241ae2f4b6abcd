package import BeaconKeys
import Beacons
import CaptureReader
import TrackReader

extension BeaconKey {
  /// From a line of a key file, `NAME=eid:KEY[,key=value…]`:
  /// `cart=eid:0102030405060708090a111213141516,exponent=10,clock=65280@2026-05-19T10:00:00Z`.
  /// - Throws: one sentence for the first mistake, and what is allowed. It never says digits of a key: messages
  ///   are seen by others.
  package static func parse(_ text: String) throws(SettingProblem) -> BeaconKey {
    let form =
      "write NAME=eid:KEY[,exponent=10][,clock=SECONDS@TIME][,window=SECONDS], with 32 hexadecimal digits "
      + "as KEY"
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw SettingProblem("the key has no name", allowed: form)
    }
    let name = String(text[..<equals])
    do throws(SettingProblem) {
      try check(name: name)
      let parts = SettingText.parts(text[text.index(after: equals)...], UInt8(ascii: ","))
      return try BeaconKey(name: name, parts, form)
    } catch {
      throw error.inside("key '\(hidden(name))'")
    }
  }

  /// What a beacon with a key may be called: regions can be named after it, and it is an identity.
  /// - Parameter thing: what is called so.
  package static func check(name: String, of thing: String = "key") throws(SettingProblem) {
    let bytes = name.utf8
    guard (1...longestName).contains(bytes.count),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !":,=%".utf8.contains($0) })
    else {
      throw SettingProblem(
        "'\(hidden(name))' is no name of a \(thing)",
        allowed:
          "a name has 1 to \(longestName) ASCII letters, digits or signs, no blank, and none of , : = %"
      )
    }
    guard SettingText.hex(name, count: 8) == nil else {
      throw SettingProblem(
        "'\(name)' reads like an identifier as it is sent",
        allowed: "give the \(thing) another name")
    }
  }

  private init(name: String, _ parts: [Substring], _ form: String) throws(SettingProblem) {
    guard let first = parts.first, first.hasPrefix("eid:") else {
      throw SettingProblem(
        "there is no 'eid:' or 'irk:' behind the name",
        allowed: form + "; or NAME=irk:KEY for a device whose addresses change")
    }
    guard let key = SettingText.hex(first.dropFirst(4), count: 16) else {
      throw SettingProblem(
        "the key is malformed: \(first.utf8.count - 4) characters", allowed: form)
    }
    var exponent = 10
    var clock: BeaconClock?
    var window = Int(BeaconKey.usualWindow)
    var seen: Set<Substring> = []
    for part in parts.dropFirst() {
      let (option, value) = try BeaconKey.option(part, form)
      guard seen.insert(option).inserted else {
        throw SettingProblem("'\(option)' is given twice", allowed: "give each once")
      }
      switch option {
      case "exponent": exponent = try SettingText.integer(value, "exponent", in: 0...15)
      case "clock": clock = try BeaconClock(value)
      case "window":
        window = Int(try SettingText.span(value, "window") / SettingText.second)
      default:
        throw SettingProblem.unknown(
          "option", BeaconKey.hidden(String(option)), among: ["exponent", "clock", "window"])
      }
    }
    if clock == nil, exponent < BeaconKey.leastExponentOfUnknown {
      throw SettingProblem(
        "its identifiers last 2^\(exponent) s: in ten years there are too many to look for one without the beacon's "
          + "clock",
        allowed: "write clock=SECONDS@TIME: what the beacon's clock said at some moment")
    }
    if clock == nil, seen.contains("window") {
      throw SettingProblem("window without clock", allowed: "write clock=SECONDS@TIME as well")
    }
    self.init(
      name: name, cipher: EphemeralIdentifier(key: key, exponent: UInt8(exponent)), clock: clock,
      window: UInt64(window))
  }

  /// What `parse` reads it from.
  package var text: String {
    var text = "\(name)=eid:\(HexText.string(cipher.key)),exponent=\(cipher.exponent)"
    if let clock {
      let moment = UTCTime.rfc3339(clock.moment).replacing(".000000000Z", with: "Z")
      text += ",clock=\(clock.seconds)@\(moment)"
      if window != Self.usualWindow { text += ",window=\(window)" }
    }
    return text
  }

  /// What may be a key, in its wrong place, is not said.
  static func hidden(_ text: String) -> String {
    var run = 0
    for letter in text {
      run = letter.isHexDigit ? run + 1 : 0
      if run == 16 { return "…" }
    }
    return text
  }

  private static func option(_ part: Substring, _ form: String) throws(SettingProblem)
    -> (Substring, String)
  {
    guard let equals = part.firstIndex(of: "=") else {
      throw SettingProblem("an option of it has no '='", allowed: form)
    }
    return (part[..<equals], String(part[part.index(after: equals)...]))
  }

  /// What cannot be told apart.
  package static func check(_ keys: [BeaconKey]) throws(SettingProblem) {
    var names: Set<String> = []
    var ciphers: [EphemeralIdentifier: String] = [:]
    for key in keys {
      guard names.insert(key.name).inserted else {
        throw SettingProblem(
          "there are two keys of the name '\(key.name)'", allowed: "name each beacon differently")
      }
      if let other = ciphers.updateValue(key.name, forKey: key.cipher) {
        throw SettingProblem(
          "'\(other)' and '\(key.name)' have one key and exponent",
          allowed: "leave one of them out: nobody could tell these beacons apart")
      }
    }
    let ageless = keys.filter { $0.clock == nil }.reduce(0) { $0 + longestAge / $1.cipher.period }
    guard ageless <= KeyRing.mostAgeless else {
      throw SettingProblem(
        "the keys without a clock have \(ageless) identifiers in ten years, and \(KeyRing.mostAgeless) can "
          + "be tried",
        allowed: "write clock=SECONDS@TIME behind some: what the beacon's clock said at some moment"
      )
    }
  }
}

extension BeaconClock {
  /// `65280@2026-05-19T10:00:00Z`
  fileprivate init(_ text: String) throws(SettingProblem) {
    let form =
      "write the seconds of the beacon's clock and when it said so, such as 65280@2026-05-19T10:00:00Z"
    let parts = SettingText.parts(text, UInt8(ascii: "@"))
    guard parts.count == 2 else {
      throw SettingProblem("clock '\(text)' is malformed", allowed: form)
    }
    let seconds = try SettingText.integer(
      String(parts[0]), "clock", in: 0...Int(UInt32.max))
    guard let reading = UTCTime.read(parts[1].utf8) else {
      throw SettingProblem(
        "clock '\(text)' has no time, or one before 1678 or after 2261", allowed: form)
    }
    guard reading.hasZone else {
      throw SettingProblem("clock '\(text)' has a time without a zone", allowed: form)
    }
    self.init(seconds: UInt32(seconds), moment: reading.time)
  }
}
