import CaptureReader
import CaptureWriter
import Exports
import Foundation
import FrameDecoder
import Synth
import TestSupport
import Testing

@Suite struct ByteTextTests {
  private static func text(_ body: (inout ByteText) -> Void) -> String {
    var text = ByteText()
    body(&text)
    return text.string
  }

  @Test(arguments: [
    0, 1, -1, 9, 10, 99, 100, -128, 127, 65535, 1_000_000, .max, .min, .max - 1, .min + 1,
  ])
  func int(_ value: Int) {
    #expect(Self.text { $0.int(value) } == "\(value)")
    // Behind other text.
    #expect(
      Self.text {
        $0.text("x")
        $0.int(value)
      } == "x\(value)")
  }

  @Test(arguments: [
    (0, 1, "0"), (7, 2, "07"), (42, 2, "42"), (123, 2, "23"), (5, 9, "000000005"), (9, 0, ""),
  ])
  func padded(_ value: Int, _ width: Int, _ expected: String) {
    #expect(Self.text { $0.padded(value, width) } == expected)
  }

  @Test(arguments: [
    (0, 256, "0.0"), (1, 256, "0.00390625"), (-1, 256, "-0.00390625"), (-256, 256, "-1.0"),
    (-128, 256, "-0.5"), (5504, 256, "21.5"), (32767, 256, "127.99609375"),
    (-32767, 256, "-127.99609375"), (32640, 256, "127.5"), (-32640, 256, "-127.5"),
    (864_001, 10, "86400.1"), (0, 10, "0.0"), (4_294_967_295, 10, "429496729.5"),
  ])
  func decimal(_ numerator: Int, _ denominator: Int, _ expected: String) {
    #expect(Self.text { $0.decimal(numerator, denominator) } == expected)
  }

  /// Every temperature there is, read back.
  @Test func everyTemperatureIsExact() {
    var isExact = true
    for raw in -32768...32767 {
      isExact = isExact && Double(Self.text { $0.decimal(raw, 256) }) == Double(raw) / 256
    }
    #expect(isExact)
  }

  @Test func hex() {
    for byte in UInt8.min...UInt8.max {
      let digits = String(byte, radix: 16)
      #expect(Self.text { $0.hex(byte) } == (digits.count == 1 ? "0" + digits : digits))
    }
  }

  @Test(arguments: [
    ("plain", "\"plain\""), ("", "\"\""), ("a\"b\\c", #""a\"b\\c""#),
    ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1B}\u{7F}", #""\u0000\u001b\u007f""#),
    ("é🜁", "\"é🜁\""), ("\"\u{301}", "\"\\\"\u{301}\""),
  ])
  func jsonStrings(_ value: String, _ expected: String) throws {
    let found = Self.text { $0.jsonString(value) }
    #expect(Array(found.utf8) == Array(expected.utf8))
    #expect(try JSONDecoder().decode(String.self, from: Data(found.utf8)) == value)
  }

  // MARK: Time

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
    (1_779_184_800_123_456_789, "2026-05-19T10:00:00.123456789Z"),
    (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
    (-2_203_891_200_000_000_000, "1900-03-01T00:00:00.000000000Z"),
    (.max, "2262-04-11T23:47:16.854775807Z"), (.min + 1, "1677-09-21T00:12:43.145224193Z"),
  ])
  func time(_ nanoseconds: Int64, _ expected: String) {
    #expect(Self.text { $0.time(Timestamp(nanoseconds: nanoseconds)) } == expected)
  }

  /// One text keeps the day of the time before: it must not stick.
  @Test func timesOfOneTextAreThoseOfTheirOwn() {
    let day: Int64 = 86_400_000_000_000
    var random = SplitMix64(seed: 366)
    var text = ByteText()
    var expected = ""
    var time: Int64 = 0
    for step in 0..<2000 {
      switch random.next() % 4 {
      case 0: time = Int64(bitPattern: random.next())
      case 1: time = time / day * day &+ (step % 2 == 0 ? 0 : -1)
      case 2: time = [.min + 1, .max, -day, day - 1, day][step % 5]
      default: time = time / 2
      }
      guard time != .min else { continue }
      text.time(Timestamp(nanoseconds: time))
      expected += Self.text { $0.time(Timestamp(nanoseconds: time)) }
    }
    #expect(text.string == expected)
  }

  @Test(arguments: [
    (0.0, 1, "0.0"), (99.96, 1, "100.0"), (-0.25, 1, "-0.3"), (1234.5, 0, "1235"),
    (0.0625, 3, "0.063"), (12.5, 6, "12.500000"),
  ])
  func rounded(_ value: Double, _ decimals: Int, _ expected: String) {
    #expect(Self.text { $0.rounded(value, decimals: decimals) } == expected)
  }

  @Test func addresses() {
    var random = SplitMix64(seed: 48)
    for _ in 0..<200 {
      let value = random.next() >> 16
      let digits = String(value, radix: 16)
      let padded = Array(String(repeating: "0", count: 12 - digits.count) + digits)
      let expected = stride(from: 0, to: 12, by: 2).map { String(padded[$0..<($0 + 2)]) }
        .joined(separator: ":")
      #expect(Self.text { $0.address(DeviceAddress(value, .random)) } == expected)
    }
  }

  @Test func civilTimeIsThatOfTheCalendar() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var random = SplitMix64(seed: 1582)
    for _ in 0..<3000 {
      let nanoseconds = Int64(bitPattern: random.next())
      guard nanoseconds != .min else { continue }
      let moment = CivilTime(Timestamp(nanoseconds: nanoseconds))
      var seconds = nanoseconds / 1_000_000_000
      if nanoseconds % 1_000_000_000 < 0 { seconds -= 1 }
      let date = Date(timeIntervalSince1970: Double(seconds))
      let fields = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: date)
      #expect(moment.year == fields.year)
      #expect(moment.month == fields.month)
      #expect(moment.day == fields.day)
      #expect(moment.hour == fields.hour)
      #expect(moment.minute == fields.minute)
      #expect(moment.second == fields.second)
      #expect(Int64(moment.nanosecond) == nanoseconds - seconds * 1_000_000_000)
    }
  }

  // MARK: Cells

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
    ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), ("=1+1", "'=1+1"), ("+1", "+1"),
    ("-1", "-1"), ("-68.5", "-68.5"), ("-1+2", "'-1+2"), ("-1-2", "'-1-2"), ("-.", "'-."),
    ("@x", "'@x"), ("\tx", "\"'\tx\""), ("=a,b", "\"'=a,b\""), ("a=b", "a=b"),
    ("-", "-"), ("\r\n=1", "\"'\r\n=1\""), ("=\u{301}1", "'=\u{301}1"),
    ("a,\u{301}b", "\"a,\u{301}b\""), ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
    ("https://a.example/?q=1", "https://a.example/?q=1"), ("\u{1b}[1mx", "\\u{1b}[1mx"),
    ("a\u{0}b", "a\\u{0}b"), ("x\u{202e}y\u{9b}", "x\\u{202e}y\\u{9b}"), ("ü €", "ü €"),
    ("[\"\u{202e}\"]", "\"[\"\"\\u202e\"\"]\""),
  ])
  func cells(_ value: String, _ expected: String) {
    let found = Self.text { $0.csv(value) }
    #expect(Array(found.utf8) == Array(expected.utf8), "\(found)")
  }
}
