package import CaptureReader

/// Writes a JSON document as it goes, so that a run with a million beacons needs no tree of them.
/// Objects and arrays down to a depth get lines of their own, deeper ones stay on one line.
package struct JSONWriter {
  private var output: any TextOutput
  private var text = ByteText()
  /// Whether the object or array at each depth has a member yet.
  private var hasMember: [Bool] = []
  private var lineDepth: Int
  private var afterKey = false

  package init(_ output: any TextOutput, lineDepth: Int) {
    self.output = output
    self.lineDepth = lineDepth
  }

  package mutating func object(_ body: (inout JSONWriter) throws -> Void) throws {
    try nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array(_ body: (inout JSONWriter) throws -> Void) throws {
    try nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// Writes a value with lines of their own down to another depth.
  mutating func listing(downTo depth: Int, _ body: (inout JSONWriter) throws -> Void) rethrows {
    let before = lineDepth
    lineDepth = depth
    try body(&self)
    lineDepth = before
  }

  package mutating func key(_ name: String) {
    separate()
    text.jsonString(name)
    text.text(hasMember.count <= lineDepth ? ": " : ":")
    afterKey = true
  }

  package mutating func string(_ value: String?) {
    separate()
    if let value { text.jsonString(value) } else { text.text("null") }
  }

  package mutating func int(_ value: Int?) {
    separate()
    if let value { text.int(value) } else { text.text("null") }
  }

  package mutating func bool(_ value: Bool?) {
    separate()
    text.text(value.map { $0 ? "true" : "false" } ?? "null")
  }

  /// A number with a fixed number of decimals.
  package mutating func number(_ value: Double?, decimals: Int) {
    separate()
    guard let value else { return text.text("null") }
    text.rounded(value, decimals: decimals)
  }

  package mutating func time(_ value: Timestamp) {
    separate()
    guard value.isKnown else { return text.text("null") }
    text.text("\"")
    text.time(value)
    text.text("\"")
  }

  /// Text that is JSON already.
  package mutating func raw(_ value: (inout ByteText) -> Void) {
    separate()
    value(&text)
  }

  /// Many values, each of which is JSON already.
  mutating func values<Writer: ValueWriter>(_ count: Int, writer: () -> Writer) throws {
    var separator = ByteText()
    separator.byte(UInt8(ascii: ","))
    if hasMember.count <= lineDepth { Self.newLine(hasMember.count, in: &separator) }
    let pieces = PiecewiseText(count: count, separator: separator.bytes, writer: writer)
    try pieces.forEachPiece { piece in
      separate()
      text.append(piece.bytes)
      try flush()
    }
  }

  /// Writes what has been collected where that is enough; for use between many values.
  package mutating func flush() throws { try text.flush(to: &output, keeping: Exports.chunk) }

  package mutating func finish() throws {
    text.text("\n")
    try text.flush(to: &output)
  }

  private mutating func nest(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) throws -> Void
  ) throws {
    separate()
    text.byte(open)
    hasMember.append(false)
    try body(&self)
    let wasEmpty = hasMember.removeLast() == false
    if !wasEmpty && hasMember.count < lineDepth { Self.newLine(hasMember.count, in: &text) }
    text.byte(close)
    try flush()
  }

  private mutating func separate() {
    if afterKey {
      afterKey = false
      return
    }
    guard let has = hasMember.last else { return }
    if has { text.byte(UInt8(ascii: ",")) }
    hasMember[hasMember.count - 1] = true
    if hasMember.count <= lineDepth { Self.newLine(hasMember.count, in: &text) }
  }

  private static func newLine(_ depth: Int, in text: inout ByteText) {
    text.text("\n")
    for _ in 0..<depth { text.text("  ") }
  }
}

extension JSONWriter {
  package mutating func pair(_ name: String, _ value: String?) {
    key(name)
    string(value)
  }
  package mutating func pair(_ name: String, _ value: Int?) {
    key(name)
    int(value)
  }
  package mutating func pair(_ name: String, _ value: Bool?) {
    key(name)
    bool(value)
  }
  package mutating func pair(_ name: String, _ value: Timestamp) {
    key(name)
    time(value)
  }
  package mutating func pair(_ name: String, _ value: Double?, decimals: Int) {
    key(name)
    number(value, decimals: decimals)
  }
}
