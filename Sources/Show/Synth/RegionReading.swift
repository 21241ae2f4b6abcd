extension Scenario {
  /// A room's region, written as the beacons' identities are: the beginning of one of them, up to a colon.
  static func region(_ fields: inout Fields) throws(ScenarioProblem) -> String? {
    guard let text = try fields.string("region") else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = kinds.first(where: { $0 == parts[0] }) else {
      throw fields.problem(
        "region", "must be KIND:IDENTITY with a kind of \(kinds.joined(separator: ", "))")
    }
    guard let identity = identity(parts[1], of: kind) else {
      throw fields.problem("region", "must be \(kind):\(forms[kind] ?? ""), not \"\(text)\"")
    }
    return "\(kind):\(identity)"
  }

  /// Rooms with a region that no beacon belongs to, a sentence each: the truth has no times of it.
  package var unmatchedRegions: [String] {
    rooms.compactMap { room in
      guard let region = room.region, !beacons.contains(where: { $0.belongs(to: region) }) else {
        return nil
      }
      return "no beacon of the scenario belongs to the region of room '\(room.name)', \(region): "
        + "the truth has no region_in_range of it"
    }
  }

  /// What may stand behind a kind, in words.
  private static let forms = [
    "ibeacon": "UUID, :MAJOR and :MINOR behind it or not", "altbeacon": "ID, 40 hexadecimal digits",
    "eddystone-uid": "NAMESPACE of 20 hexadecimal digits, :INSTANCE of 12 behind it or not",
    "eddystone-url": "URL", "eddystone-eid": "EID, 16 hexadecimal digits",
    "device": " and nothing behind the colon",
  ]

  /// As beacons' own values are read, with hyphens and in capitals; nil where no beacon can have it.
  private static func identity(_ text: Substring, of kind: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch kind {
    case "ibeacon":
      guard parts.count <= 3, let uuid = digits(parts[0], 32) else { return nil }
      let numbers = parts.dropFirst().map { part in
        part.allSatisfy { ("0"..."9").contains($0) } ? UInt16(part) : nil
      }
      guard !numbers.contains(nil) else { return nil }
      return ([hyphened(uuid)] + numbers.compactMap { $0.map(String.init) }).joined(separator: ":")
    case "altbeacon": return parts.count == 1 ? digits(parts[0], 40) : nil
    case "eddystone-uid":
      guard parts.count <= 2, let namespace = digits(parts[0], 20) else { return nil }
      guard parts.count == 2 else { return namespace }
      return digits(parts[1], 12).map { "\(namespace):\($0)" }
    case "eddystone-eid": return parts.count == 1 ? digits(parts[0], 16) : nil
    case "eddystone-url": return text.hasPrefix("http") ? String(text) : nil
    default: return text.isEmpty ? "" : nil
    }
  }

  private static func digits(_ text: Substring, _ count: Int) -> String? {
    let digits = text.filter { $0 != "-" }
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      return nil
    }
    return digits.lowercased()
  }

  /// 32 digits as a UUID is written.
  private static func hyphened(_ digits: String) -> String {
    var result = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
