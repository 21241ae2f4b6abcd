import Foundation

/// A JSON value, as the golden cases hold them and as what we found is put beside them.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  package subscript(key: String) -> JSON? {
    if case .object(let members) = self { return members[key] }
    return nil
  }

  package var list: [JSON]? { if case .list(let items) = self { items } else { nil } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var int: Int? { if case .int(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
  /// A list of words, in any order.
  package var words: Set<String>? { list.map { Set($0.compactMap(\.text)) } }

  package static func optional(_ value: Int?) -> JSON { value.map { .int($0) } ?? .null }
  package static func optional(_ value: String?) -> JSON { value.map { .text($0) } ?? .null }
}

extension JSON: Decodable {
  package init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      var members: [String: JSON] = [:]
      for key in object.allKeys {
        members[key.stringValue] = try object.decode(JSON.self, forKey: key)
      }
      self = .object(members)
    } else if var items = try? decoder.unkeyedContainer() {
      var list: [JSON] = []
      while !items.isAtEnd { list.append(try items.decode(JSON.self)) }
      self = .list(list)
    } else {
      self = try Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSON {
    if value.decodeNil() { return .null }
    if let flag = try? value.decode(Bool.self) { return .bool(flag) }
    if let number = try? value.decode(Int.self) { return .int(number) }
    if let number = try? value.decode(Double.self) { return .double(number) }
    return .text(try value.decode(String.self))
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSON {
  /// Where `found` differs from what is expected: every member named there must be found, what is
  /// found beyond it does not count. Paths in `without` (last member name) are not compared.
  package func differences(from found: JSON?, at path: String = "", without: Set<String> = [])
    -> [String]
  {
    guard let found else { return ["\(path): expected \(self), nothing found"] }
    switch (self, found) {
    case (.object(let expected), .object):
      return expected.keys.sorted().filter { !without.contains($0) }.flatMap { key in
        expected[key]?.differences(from: found[key], at: "\(path).\(key)", without: without) ?? []
      }
    case (.list(let expected), .list(let items)):
      guard expected.count == items.count else {
        return ["\(path): expected \(expected.count), found \(items.count): \(items)"]
      }
      return expected.indices.flatMap {
        expected[$0].differences(from: items[$0], at: "\(path)[\($0)]", without: without)
      }
    default:
      if let a = number, let b = found.number {
        return abs(a - b) < 1e-9 ? [] : ["\(path): expected \(a), found \(b)"]
      }
      return self == found ? [] : ["\(path): expected \(self), found \(found)"]
    }
  }
}
