import Foundation

/// One row of `golden.json`: an input and what has to come of it.
package struct GoldenCase: Sendable {
  package let id: String
  package let area: String
  package let kind: String
  package let input: JSON
  package let expect: JSON
  package let linkType: Int?

  /// The input as bytes, for all kinds but `hci_sequence`.
  package var bytes: [UInt8] { Hex.bytes(input.text ?? "") }

  /// Sequences: microseconds and H4 packet.
  package var packets: [(micros: Int, bytes: [UInt8])] {
    (input.list ?? []).map { ($0["t_us"]?.int ?? 0, Hex.bytes($0["h4"]?.text ?? "")) }
  }

  package var isAccepted: Bool { expect["ok"]?.bool ?? false }
  package var reason: String? { expect["reason"]?.text }
}

/// The golden cases of the areas that lead to sightings.
package enum Golden {
  package static let areas: Set<String> = [
    "ad", "ibeacon", "altbeacon", "eddystone", "labels", "hci", "hci_sequence", "link_layer",
    "container",
  ]

  private static let whole: JSON = {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Golden/golden.json")
    guard let data = try? Data(contentsOf: path),
      let value = try? JSONDecoder().decode(JSON.self, from: data)
    else { return .null }
    return value
  }()

  package static let cases: [GoldenCase] = (whole["cases"]?.list ?? []).compactMap { row in
    guard let id = row["id"]?.text, let area = row["area"]?.text, let kind = row["kind"]?.text,
      let input = row["input"], let expect = row["expect"], areas.contains(area)
    else { return nil }
    return GoldenCase(
      id: id, area: area, kind: kind, input: input, expect: expect,
      linkType: row["linktype"]?.int)
  }

  package static func cases(_ kind: String) -> [GoldenCase] { cases.filter { $0.kind == kind } }

  /// Codes that the cases know; others of ours do not count in the comparison.
  package static let warnings: Set<String> = {
    guard case .object(let table)? = whole["warnings"] else { return [] }
    return Set(table.keys)
  }()
}

package enum Hex {
  package static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

/// Found warnings against expected ones, as sets of the codes that the cases know.
package func differencesOfWarnings(_ testCase: GoldenCase, found: Set<String>) -> [String] {
  let known = found.intersection(Golden.warnings)
  if let least = testCase.expect["warnings_include"]?.words {
    let missing = least.subtracting(known)
    return missing.isEmpty ? [] : ["warnings: missing \(missing.sorted())"]
  }
  // Rejected inputs of some kinds list no warnings: the reason says all.
  guard let expected = testCase.expect["warnings"]?.words else { return [] }
  return known == expected
    ? [] : ["warnings: expected \(expected.sorted()), found \(known.sorted())"]
}
