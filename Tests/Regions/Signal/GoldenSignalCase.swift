import Foundation
import Testing

/// The golden cases of distances and filters.
struct GoldenSignalCase: Decodable, Sendable, CustomTestStringConvertible {
  let id: String
  let kind: String
  let input: Input
  let expect: Expectation
  let tolerance: Double?
  var testDescription: String { id }

  struct Input: Decodable, Sendable {
    let formula: String?
    let rssi: Double?
    let power_1m: Int?
    let n: Double?
    let a: Double?
    let b: Double?
    let c: Double?
    let metres: Double?
    let now_ms: Int64?
    let samples: [Sample]?
  }

  /// A number, or an object with its time.
  struct Sample: Decodable, Sendable {
    let time: Int64
    /// dBm; nil where it was not available.
    let rssi: Int8?

    init(from decoder: any Decoder) throws {
      if let plain = try? decoder.singleValueContainer().decode(Int8.self) {
        (time, rssi) = (0, plain)
        return
      }
      let object = try decoder.container(keyedBy: Key.self)
      time = try object.decode(Int64.self, forKey: .t_ms) * 1_000_000
      rssi = try object.decodeIfPresent(Int8.self, forKey: .rssi)
    }

    private enum Key: String, CodingKey { case t_ms, rssi }
  }

  struct Expectation: Decodable, Sendable {
    let metres: Double?
    let zone: String?
    let average: Double?
    let samples_used: Int?
    let outputs: [Double]?
  }

  static let kinds = ["distance", "proximity", "running_average", "arma"]

  private struct File: Decodable { let cases: [Row] }

  /// Rows of other kinds hold other inputs.
  private struct Row: Decodable {
    let signal: GoldenSignalCase?

    init(from decoder: any Decoder) throws {
      let kind = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .kind)
      signal = kinds.contains(kind) ? try GoldenSignalCase(from: decoder) : nil
    }

    private enum Key: String, CodingKey { case kind }
  }

  static let all: [GoldenSignalCase] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Golden/golden.json")
    do {
      let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: path))
      return file.cases.compactMap(\.signal)
    } catch {
      fatalError("\(path.path): \(error)")
    }
  }()

  static func cases(_ kind: String) -> [GoldenSignalCase] { all.filter { $0.kind == kind } }
}
