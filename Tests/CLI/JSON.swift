import Foundation

/// A JSON value.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(_ data: Data) throws { self = try JSONDecoder().decode(JSON.self, from: data) }
  init(_ line: String) throws { try self.init(Data(line.utf8)) }

  subscript(key: String) -> JSON? {
    if case .object(let members) = self { return members[key] }
    return nil
  }

  var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }
  var list: [JSON]? { if case .list(let items) = self { items } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var int: Int? { number.flatMap { Int(exactly: $0) } }
}

extension JSON: Decodable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let members = try? value.decode([String: JSON].self) {
      self = .object(members)
    } else if let items = try? value.decode([JSON].self) {
      self = .list(items)
    } else {
      self = .bool(try value.decode(Bool.self))
    }
  }
}
