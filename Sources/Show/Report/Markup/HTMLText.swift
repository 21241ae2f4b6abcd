import Exports

/// Markup of the page. Literals stand as they are written; text that is put into one is text there,
/// whatever is in it: elements, quotes, control characters, what turns or hides other text.
package struct HTMLText: ExpressibleByStringInterpolation, Sendable, Equatable {
  package private(set) var markup: String

  // `StaticString`: what was made at run time cannot be taken for markup.
  package init(stringLiteral markup: StaticString) { self.markup = markup.description }

  package init(stringInterpolation pieces: Pieces) { markup = pieces.markup }

  package init() { markup = "" }

  /// Text that says what it says, between elements and in quoted attributes.
  package init(text: String) { markup = Self.escaped(text) }

  /// Path data of SVG, however long; anything else in it is left out.
  init(path data: String) {
    let allowed = { (byte: UInt8) -> Bool in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "-"),
        UInt8(ascii: "M"), UInt8(ascii: "H"), UInt8(ascii: "V"), UInt8(ascii: "L"),
        UInt8(ascii: "h"), UInt8(ascii: "v"), UInt8(ascii: "z"):
        true
      default: false
      }
    }
    markup =
      data.utf8.allSatisfy(allowed)
      ? data : String(decoding: data.utf8.filter(allowed), as: UTF8.self)
  }

  package var isEmpty: Bool { markup.isEmpty }

  package static func += (left: inout HTMLText, right: HTMLText) { left.markup += right.markup }

  package static func + (left: HTMLText, right: HTMLText) -> HTMLText {
    var both = left
    both += right
    return both
  }

  package struct Pieces: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      markup += literal.description
    }

    package mutating func appendInterpolation(_ text: String) {
      markup += HTMLText.escaped(text)
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      markup += String(number)
    }

    package mutating func appendInterpolation(_ html: HTMLText) { markup += html.markup }
  }

  /// More than this of one text is nothing to read, but a way to fill a page.
  private static let mostCharacters = 4000

  private static func escaped(_ text: String) -> String {
    if text.utf8.count <= mostCharacters, text.utf8.allSatisfy({ standsForItself($0) }) {
      return text
    }
    let length = text.unicodeScalars.count
    var escaped = ""
    for scalar in text.unicodeScalars.prefix(mostCharacters) {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped += TextColumns.printable(String(scalar))
      }
    }
    if length > mostCharacters {
      escaped += "… (\(TextColumns.grouped(length - mostCharacters)) more characters)"
    }
    return escaped
  }

  private static func standsForItself(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      false
    default: byte >= 0x20 && byte < 0x7F
    }
  }
}

extension Sequence<HTMLText> {
  func joined(_ separator: HTMLText = "") -> HTMLText {
    var all = HTMLText()
    for piece in self {
      if !all.isEmpty { all += separator }
      all += piece
    }
    return all
  }
}
