import FoundationEssentials
package import TrackReader

/// Messages as NDJSON: an object a line, with the members `beacon`, `namespace`, `type` and
/// `content` (SEMANTICS 5). `content` is a text, or bytes as `{"hex": "0a1b"}` or
/// `{"base64": "Chs="}`.
package enum MessageFile {
  private static let members = ["beacon", "namespace", "type", "content"]
  private static let contentForms = "a text, {\"hex\": \"…\"} or {\"base64\": \"…\"}"

  /// - Throws: what is wrong in which line, and what is allowed.
  package static func read(_ path: String) throws(TextProblem) -> [BeaconMessage] {
    try read(TextFile.read(path), name: path)
  }

  package static func read(_ bytes: [UInt8], name: String) throws(TextProblem) -> [BeaconMessage] {
    var messages: [BeaconMessage] = []
    try TextFile.eachLine(bytes) { line, number throws(TextProblem) in
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      messages.append(try Line(line, file: name, number: number).message())
    }
    return messages
  }

  private struct Line {
    let file: String
    let number: Int
    private var values: [String: Value]

    init(_ bytes: ArraySlice<UInt8>, file: String, number: Int) throws(TextProblem) {
      self.file = file
      self.number = number
      guard let values = try? JSONDecoder().decode([String: Value].self, from: Data(bytes)) else {
        throw TextProblem(
          .badSetting, file: file, line: number,
          "is no JSON object; each line has to be one, with \(members.joined(separator: ", "))")
      }
      self.values = values
      // In an order that does not change from run to run.
      if let unknown = values.keys.sorted().first(where: { !members.contains($0) }) {
        throw problem(
          String(unknown.prefix(40)),
          "is unknown; the members are \(members.joined(separator: ", "))")
      }
    }

    func problem(_ field: String, _ detail: String) -> TextProblem {
      TextProblem(.badSetting, file: file, line: number, field: field, detail)
    }

    func message() throws(TextProblem) -> BeaconMessage {
      let written = try text("beacon")
      let beacon: MessageBeacon
      do throws(MessageBeaconProblem) {
        beacon = try MessageBeacon(written)
      } catch {
        throw problem("beacon", error.text)
      }
      return BeaconMessage(
        beacon: beacon, namespace: try text("namespace"), type: try text("type"),
        content: try content())
    }

    private func text(_ name: String) throws(TextProblem) -> String {
      guard let value = values[name] else { throw problem(name, "is missing") }
      guard case .text(let text) = value, !text.isEmpty else {
        throw problem(name, "has to be a text that is not empty, not \(value.words)")
      }
      return text
    }

    private func content() throws(TextProblem) -> BeaconMessage.Content {
      guard let value = values["content"] else { throw problem("content", "is missing") }
      switch value {
      case .text(let text): return .text(text)
      case .object(let members):
        guard members.count == 1, let bytes = bytes(members) else {
          throw problem("content", "has to be \(contentForms)")
        }
        return .bytes(bytes)
      case .other: throw problem("content", "has to be \(contentForms), not \(value.words)")
      }
    }

    private func bytes(_ members: [String: String]) -> [UInt8]? {
      if let hex = members["hex"] { return SettingText.hex(hex, count: hex.utf8.count / 2) }
      return members["base64"].flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }
  }

  private enum Value: Decodable {
    case text(String)
    case object([String: String])
    case other(String)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let members = try? value.decode([String: String].self) {
        self = .object(members)
      } else if value.decodeNil() {
        self = .other("null")
      } else if (try? value.decode(Bool.self)) != nil {
        self = .other("true or false")
      } else if (try? value.decode(Double.self)) != nil {
        self = .other("a number")
      } else {
        self = .other("a list or another object")
      }
    }

    var words: String {
      switch self {
      case .text(let text): text.isEmpty ? "an empty one" : "a text"
      case .object: "an object"
      case .other(let words): words
      }
    }
  }
}
