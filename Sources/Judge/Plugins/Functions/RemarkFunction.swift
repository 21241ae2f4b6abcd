import CaptureReader

/// `remark("there is no list of the site's beacons")`
extension PluginFunction {
  static let remark = PluginFunction(name: "remark") { plugin, arguments throws(LuaMessage) in
    guard let text = arguments.first?.text, !text.isEmpty else {
      throw LuaMessage(
        "remark: a sentence is needed, not " + (arguments.first ?? .none).shown)
    }
    plugin.remark(text)
    return .none
  }
}

/// What a rule says about the run as a whole: each sentence once.
struct PluginRemarks {
  static let most = 20
  /// Bytes of a sentence.
  static let longest = 1000

  private(set) var sentences: [String] = []
  /// Others that there was no room for.
  private(set) var leftOut = 0

  /// Whether it is new, and there is room for it.
  mutating func add(_ sentence: String) -> Bool {
    guard !sentences.contains(sentence) else { return false }
    guard sentences.count < Self.most else {
      leftOut += 1
      return false
    }
    sentences.append(sentence)
    return true
  }
}

extension Plugin {
  /// - Parameter text: cut where it is too long.
  func remark(_ text: String) {
    let bytes = text.utf8.prefix(PluginRemarks.longest)
    let sentence =
      text.utf8.count == bytes.count ? text : String(decoding: bytes, as: UTF8.self) + "…"
    guard record.said.add(sentence) else { return }
    // Who watches a run, or tests a rule, hears of it now.
    print(Array(sentence.utf8))
  }
}
