import CaptureWriter

/// What is wrong with a scenario: where, and what may stand there.
package struct ScenarioProblem: Error {
  /// `beacons[3].major`; empty for the document as a whole.
  package let path: String
  package let text: String
}

/// The members of one JSON object, taken one by one; what is left in the end is unknown.
struct Fields {
  let path: String
  private let values: [String: JSONValue]
  private var asked: [String] = []

  init(_ value: JSONValue, _ path: String) throws(ScenarioProblem) {
    guard case .object(let values) = value else {
      throw ScenarioProblem(path: path, text: "must be an object, not \(value.kind)")
    }
    self.path = path
    self.values = values
  }

  private func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func problem(_ key: String, _ text: String) -> ScenarioProblem {
    ScenarioProblem(path: place(key), text: text)
  }

  mutating func value(_ key: String) -> JSONValue? {
    asked.append(key)
    if case .null? = values[key] { return nil }
    return values[key]
  }

  mutating func string(_ key: String) throws(ScenarioProblem) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else {
      throw problem(key, "must be text, not \(value.kind)")
    }
    return text
  }

  mutating func requiredString(_ key: String) throws(ScenarioProblem) -> String {
    guard let text = try string(key) else { throw problem(key, "is missing") }
    return text
  }

  mutating func bool(_ key: String) throws(ScenarioProblem) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .bool(let flag) = value else {
      throw problem(key, "must be true or false, not \(value.kind)")
    }
    return flag
  }

  mutating func number(_ key: String, _ range: ClosedRange<Double>) throws(ScenarioProblem)
    -> Double?
  {
    guard let value = value(key) else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      throw problem(
        key,
        "must be a number from \(Self.text(range.lowerBound)) to "
          + "\(Self.text(range.upperBound)), not \(value.kind)")
    }
    return number
  }

  mutating func int(_ key: String, _ range: ClosedRange<Int>) throws(ScenarioProblem) -> Int? {
    guard let value = value(key) else { return nil }
    guard case .number(let number) = value, number == number.rounded(),
      number >= Double(range.lowerBound), number <= Double(range.upperBound)
    else {
      throw problem(
        key,
        "must be a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not \(value.kind)")
    }
    return Int(number)
  }

  mutating func requiredInt(_ key: String, _ range: ClosedRange<Int>) throws(ScenarioProblem)
    -> Int
  {
    guard let number = try int(key, range) else { throw problem(key, "is missing") }
    return number
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  /// Seconds as nanoseconds.
  mutating func seconds(_ key: String, _ range: ClosedRange<Double> = 0...1e8)
    throws(ScenarioProblem) -> Int64?
  {
    try number(key, range).map { Int64(($0 * 1000).rounded()) * 1_000_000 }
  }

  /// Bytes as hexadecimal digits; hyphens and colons may part them.
  mutating func hex(_ key: String, count: Int) throws(ScenarioProblem) -> [UInt8] {
    let text = try requiredString(key)
    let digits = text.filter { $0 != "-" && $0 != ":" }
    guard digits.count == 2 * count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw problem(key, "must be \(2 * count) hexadecimal digits, not \"\(text)\"")
    }
    return [UInt8](hex: digits)
  }

  mutating func list(_ key: String) throws(ScenarioProblem) -> [(value: JSONValue, path: String)] {
    guard let value = value(key) else { return [] }
    guard case .list(let list) = value else {
      throw problem(key, "must be a list, not \(value.kind)")
    }
    return list.enumerated().map { ($1, "\(place(key))[\($0)]") }
  }

  mutating func object(_ key: String) throws(ScenarioProblem) -> Fields? {
    guard let value = value(key) else { return nil }
    return try Fields(value, place(key))
  }

  /// A list of as many numbers.
  static func numbers(_ value: JSONValue, _ path: String, _ names: String, count: Int)
    throws(ScenarioProblem) -> [Double]
  {
    guard case .list(let list) = value, list.count == count else {
      throw ScenarioProblem(path: path, text: "must be [\(names)]")
    }
    var numbers: [Double] = []
    for entry in list {
      guard case .number(let number) = entry, abs(number) < 1e8 else {
        throw ScenarioProblem(path: path, text: "must be [\(names)], all of them numbers")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Nothing else may stand there.
  func finish() throws(ScenarioProblem) {
    let unknown = values.keys.filter { !asked.contains($0) }.sorted()
    guard let key = unknown.first else { return }
    throw problem(key, "is not known here; there are: \(asked.joined(separator: ", "))")
  }
}
