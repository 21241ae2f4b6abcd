import Foundation
import Testing

/// A row of `golden.json` of kind `gpx` or `nmea`.
struct GoldenTrack: Decodable, Sendable, CustomTestStringConvertible {
  struct Expectation: Decodable, Sendable {
    let ok: Bool
    let reason: String?
    let warnings: Set<String>?
    let points: [Point]?
    let fixes: [Point]?
  }
  struct Point: Decodable, Sendable {
    let time: String?
    let time_ms: Int64?
    let lat: Double
    let lon: Double
    let ele_m: Double?
    let alt_m: Double?

    /// Milliseconds since 1970, by Foundation where the row gives a text.
    func milliseconds() throws -> Int64 {
      guard let time else { return time_ms ?? .min }
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: time.contains("."))
      return Int64((try style.parse(time).timeIntervalSince1970 * 1000).rounded())
    }
  }
  let id: String
  let kind: String
  let input: String
  let expect: Expectation
  var testDescription: String { id }

  /// All rows of a kind; none where the file cannot be read, which a test looks for.
  static func all(_ kind: String) -> [GoldenTrack] {
    struct Whole: Decodable { let cases: [Row] }
    /// A row of another kind has another shape.
    struct Row: Decodable {
      let track: GoldenTrack?
      init(from decoder: any Decoder) throws { track = try? GoldenTrack(from: decoder) }
    }
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/golden.json")
    guard let data = try? Data(contentsOf: path),
      let whole = try? JSONDecoder().decode(Whole.self, from: data)
    else { return [] }
    return whole.cases.compactMap(\.track).filter { $0.kind == kind }
  }
}
