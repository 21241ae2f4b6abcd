extension Region {
  /// From the command line's form, `NAME=KIND:SPEC[,key=value…]`:
  /// `lobby=ibeacon:UUID:1:2,exit_after=10`.
  ///
  /// The first `,word=` ends the specification; a comma that is not followed by one belongs to it.
  /// - Throws: one sentence for the first mistake, and what is allowed.
  package static func parse(_ text: String) throws(SettingProblem) -> Region {
    let form = "write NAME=KIND:SPEC[,key=value…], such as lobby=ibeacon:UUID:1:2,exit_after=10"
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
      throw SettingProblem("region '\(text)' has no name", allowed: form)
    }
    let name = String(text[..<equals])
    // `ibeacon:UUID,exit_after=10` has none; a region that came to be of what was heard has colons in its.
    let colon = name.utf8.firstIndex(of: UInt8(ascii: ":"))
    let isKind = colon.map { RegionKinds.names.contains(String(name[..<$0])) } ?? false
    guard !isKind else {
      throw SettingProblem("region '\(text)' has no name before its kind", allowed: form)
    }
    guard !name.utf8.contains(UInt8(ascii: ",")) else {
      throw SettingProblem(
        "the name '\(name)' has a comma, which separates options",
        allowed: "write the region's name without commas: \(name.replacing(",", with: ""))=…")
    }
    let rest = String(text[text.utf8.index(after: equals)...])
    do throws(SettingProblem) {
      let (spec, options) = split(rest)
      return try Region(identifier: name, RegionKinds.condition(spec), options: options)
    } catch {
      throw error.inside("region '\(name)'")
    }
  }

  /// With options as they stand behind a specification.
  package init(
    identifier: String, _ condition: RegionCondition, options: [(key: String, value: String)]
  ) throws(SettingProblem) {
    self.init(identifier: identifier, condition)
    var seen: Set<String> = []
    for (key, value) in options {
      guard seen.insert(key).inserted else {
        throw SettingProblem("'\(key)' is given twice", allowed: "give each key once")
      }
      try RegionOptions.set(key, value, &self)
    }
    try RegionOptions.check(self, seen)
  }

  /// What `parse` would read it from, except for what is a plugin's: there it says which.
  package var text: String { text(RegionKinds.text(condition)) }

  /// The same, of one whose condition has been written already.
  package func text(_ condition: String) -> String {
    var text = identifier
    text += "="
    text += condition
    if let predicate { text += ",contains=\(predicate.text)" }
    for (key, value) in RegionOptions.written(self) { text += ",\(key)=\(value)" }
    return text
  }

  /// The specification, and the options behind it.
  private static func split(_ text: String) -> (
    spec: String, options: [(key: String, value: String)]
  ) {
    guard text.utf8.contains(UInt8(ascii: ",")) else { return (text, []) }
    var spec: [Substring] = []
    var options: [(key: String, value: String)] = []
    for part in SettingText.parts(text, UInt8(ascii: ",")) {
      if let (key, value) = option(part) {
        options.append((key, value))
      } else if options.isEmpty {
        spec.append(part)
      } else {
        options.append((String(part), ""))
      }
    }
    return (spec.joined(separator: ","), options)
  }

  /// `key=value` with a key of small letters, digits and underscores.
  private static func option(_ part: Substring) -> (String, String)? {
    guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")), equals > part.startIndex,
      part[..<equals].utf8.allSatisfy({
        ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 95
      })
    else { return nil }
    return (String(part[..<equals]), String(part[part.index(after: equals)...]))
  }
}
