import CaptureReader
import Exports
import Testing

@Suite struct JSONWriterTests {
  /// What a writer has written. The writer keeps its output, so that it is collected here.
  final class Collector: TextOutput {
    private(set) var string = ""
    private(set) var pieces = 0
    func write(_ bytes: [UInt8]) {
      string += String(decoding: bytes, as: UTF8.self)
      pieces += 1
    }
  }

  private static func document(
    lineDepth: Int, _ body: (inout JSONWriter) throws -> Void
  ) throws -> String {
    let collector = Collector()
    var json = JSONWriter(collector, lineDepth: lineDepth)
    try body(&json)
    try json.finish()
    return collector.string
  }

  private static func nested(_ json: inout JSONWriter) throws {
    try json.object { json in
      json.pair("a", 1)
      json.key("list")
      try json.array { json in
        try json.object { json in
          json.pair("x", "y")
          json.pair("z", nil as Int?)
        }
        try json.object { _ in }
        json.int(-3)
      }
      json.key("none")
      try json.array { _ in }
      json.pair("last", true)
    }
  }

  @Test(arguments: [
    (0, #"{"a":1,"list":[{"x":"y","z":null},{},-3],"none":[],"last":true}"#),
    (
      1,
      """
      {
        "a": 1,
        "list": [{"x":"y","z":null},{},-3],
        "none": [],
        "last": true
      }
      """
    ),
    (
      2,
      """
      {
        "a": 1,
        "list": [
          {"x":"y","z":null},
          {},
          -3
        ],
        "none": [],
        "last": true
      }
      """
    ),
    (
      3,
      """
      {
        "a": 1,
        "list": [
          {
            "x": "y",
            "z": null
          },
          {},
          -3
        ],
        "none": [],
        "last": true
      }
      """
    ),
  ])
  func nesting(_ depth: Int, _ expected: String) throws {
    #expect(try Self.document(lineDepth: depth, Self.nested) == expected + "\n")
  }

  @Test func escapes() throws {
    let text = try Self.document(lineDepth: 0) { json in
      try json.object { json in json.pair("k\"\n", "\u{1B}\\ é") }
    }
    #expect(text == #"{"k\"\n":"\u001b\\ é"}"# + "\n")
  }

  @Test(
    arguments: [
      (1.0, 3, "1.000"), (-0.0004, 3, "0.000"), (-1.5, 1, "-1.5"), (0.05, 1, "0.1"),
      (1234.5678, 2, "1234.57"), (7, 0, "7"), (nil, 3, "null"), (-0.5, 3, "-0.500"),
    ] as [(Double?, Int, String)])
  func numbers(_ value: Double?, _ decimals: Int, _ expected: String) throws {
    let text = try Self.document(lineDepth: 0) { $0.number(value, decimals: decimals) }
    #expect(text == expected + "\n")
  }

  @Test func scalars() throws {
    let text = try Self.document(lineDepth: 0) { json in
      try json.array { json in
        json.string(nil)
        json.bool(nil)
        json.bool(false)
        json.int(.min)
        json.time(.none)
        json.time(Timestamp(nanoseconds: 1))
        json.raw { $0.text("1.25") }
      }
    }
    #expect(
      text == #"[null,null,false,-9223372036854775808,null,"1970-01-01T00:00:00.000000001Z",1.25]"#
        + "\n")
  }

  /// A long document goes out in pieces.
  @Test func pieces() throws {
    let collector = Collector()
    var json = JSONWriter(collector, lineDepth: 1)
    let filler = String(repeating: "x", count: 1000)
    try json.array { json in
      for number in 0..<1000 { try json.object { json in json.pair("\(number)", filler) } }
    }
    try json.finish()
    #expect(collector.pieces > 2)
    #expect(collector.string.hasSuffix("}\n]\n"))
    #expect(collector.string.split(separator: "\n").count == 1002)
  }
}
