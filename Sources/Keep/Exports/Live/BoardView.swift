/// A key, as a terminal sends it.
package enum BoardKey: Equatable, Sendable {
  case character(Character)
  case enter, escape, backspace
  case up, down, pageUp, pageDown, home
}

extension BoardKey {
  package static let escapeByte: UInt8 = 0x1B
  private static let sequences: [([UInt8], BoardKey)] = [
    (Array("[A".utf8), .up), (Array("OA".utf8), .up), (Array("[B".utf8), .down),
    (Array("OB".utf8), .down), (Array("[5~".utf8), .pageUp), (Array("[6~".utf8), .pageDown),
    (Array("[H".utf8), .home), (Array("OH".utf8), .home), (Array("[1~".utf8), .home),
  ]

  /// The keys in what was read; sequences that mean nothing here are passed over whole.
  /// - Returns: the keys, and what may be the beginning of a sequence or of a character whose end was not read
  ///   yet. Where nothing follows an escape soon, it is the key Esc.
  package static func keys(_ bytes: [UInt8]) -> (keys: [BoardKey], rest: [UInt8]) {
    var keys: [BoardKey] = []
    var text: [UInt8] = []
    func characters() {
      keys += String(decoding: text, as: UTF8.self).map { .character($0) }
      text = []
    }
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == escapeByte {
        characters()
        guard let (length, key) = sequence(rest) else { return (keys, Array(rest)) }
        if let key { keys.append(key) }
        rest = rest.dropFirst(length)
        continue
      }
      rest = rest.dropFirst()
      switch byte {
      case 0x0A, 0x0D:
        characters()
        keys.append(.enter)
      case 0x08, 0x7F:
        characters()
        keys.append(.backspace)
      case 0..<0x20: characters()
      default: text.append(byte)
      }
    }
    let unfinished = Array(text.suffix(unfinishedCharacter(text)))
    text.removeLast(unfinished.count)
    characters()
    return (keys, unfinished)
  }

  /// How many bytes at the end are the beginning of a character in UTF-8, whose others were not read yet.
  private static func unfinishedCharacter(_ text: [UInt8]) -> Int {
    let tail = text.suffix(3).reversed().enumerated()
    guard let (behind, first) = tail.first(where: { $1 & 0xC0 != 0x80 }) else { return 0 }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    return behind + 1 < length ? behind + 1 : 0
  }

  /// A sequence at the beginning (ECMA-48, 5.4): how long it is, and what it means; nil: it is not whole.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: BoardKey?)? {
    let behind = bytes.dropFirst()
    guard let first = behind.first else { return nil }
    // Esc twice is Esc; with anything else it is that key with Alt held.
    if first == escapeByte { return (1, .escape) }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return (2, nil) }
    guard let end = behind.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // Longer than any: it is none.
      return behind.count > longest ? (bytes.count, nil) : nil
    }
    let words = Array(behind[...end])
    return (words.count + 1, sequences.first { $0.0 == words }?.1)
  }

  private static let longest = 32
}

/// How somebody looks at a board: what the keys change.
package struct BoardView: Equatable, Sendable {
  package enum Order: String, CaseIterable, Sendable {
    case name = "by name"
    case signal = "strongest first"
    case heard = "heard last first"
    case appeared = "newest first"
    case silent = "silent longest first"

    var next: Order {
      let all = Self.allCases
      return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
  }

  package private(set) var order = Order.name
  package private(set) var filter = ""
  /// The filter is being written.
  package private(set) var isWriting = false
  package private(set) var isHeld = false
  package private(set) var showsHelp = false
  /// How many beacons are above the first one shown.
  package private(set) var offset = 0
  private static let longestFilter = 40
  private static let page = 10

  package init() {}

  package func shows(_ text: String) -> Bool {
    filter.isEmpty || text.lowercased().contains(filter.lowercased())
  }

  /// - Parameter lastOffset: how far one can move down, where it was drawn last.
  /// - Returns: whether the run is to end.
  package mutating func press(_ key: BoardKey, lastOffset: Int) -> Bool {
    if isWriting {
      write(key)
      return false
    }
    switch key {
    case .character("q"), .character("Q"): return true
    case .character("s"): order = order.next
    case .character("/"):
      isWriting = true
      showsHelp = false
    case .character(" "): isHeld.toggle()
    case .character("?"): showsHelp.toggle()
    case .escape: if showsHelp { showsHelp = false } else { filter = "" }
    case .up, .character("k"): move(-1, lastOffset)
    case .down, .character("j"): move(1, lastOffset)
    case .pageUp: move(-Self.page, lastOffset)
    case .pageDown: move(Self.page, lastOffset)
    case .home: offset = 0
    default: break
    }
    return false
  }

  private mutating func move(_ rows: Int, _ last: Int) {
    offset = max(0, min(min(offset, last) + rows, last))
  }

  private mutating func write(_ key: BoardKey) {
    switch key {
    case .character(let character) where filter.count < Self.longestFilter:
      filter.append(character)
      offset = 0
    case .backspace: filter = String(filter.dropLast())
    case .enter: isWriting = false
    case .escape: (filter, isWriting) = ("", false)
    default: break
    }
  }
}
