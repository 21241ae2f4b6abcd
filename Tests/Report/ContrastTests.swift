import Foundation
import Testing

@testable import Report

/// WCAG 2: text has a contrast of 4.5 to 1, what is drawn one of 3 to 1.
@Suite("The page's colours") struct ContrastTests {
  /// Variables of a rule, by name.
  private static func colours(_ selector: String) throws -> [String: [Double]] {
    let rule = try #require(PageFiles.style.range(of: selector + " {"))
    let rest = PageFiles.style[rule.upperBound...]
    let block = rest[..<(rest.firstIndex(of: "}") ?? rest.endIndex)]
    var colours: [String: [Double]] = [:]
    for match in block.matches(of: /--([a-z0-9-]+): #([0-9a-f]+);/) {
      let digits = match.2.count == 3 ? match.2.map { "\($0)\($0)" }.joined() : String(match.2)
      let number = try #require(Int(digits, radix: 16))
      colours[String(match.1)] = [16, 8, 0].map { Double((number >> $0) & 255) / 255 }
    }
    return colours
  }

  private static func luminance(_ colour: [Double]) -> Double {
    let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  @Test(
    "can be told apart, light and dark", arguments: [":root", ":root[data-theme=\"dark\"]"])
  func contrast(_ selector: String) throws {
    let colours = try Self.colours(selector)
    let text = [
      ("ink", "paper"), ("ink", "raised"), ("ink", "mark"), ("quiet", "paper"), ("quiet", "raised"),
      ("quiet", "mark"), ("quiet", "zone1"), ("quiet", "zone2"), ("accent", "paper"),
      ("deaf", "paper"),
      ("alert", "alert-soft"),
    ]
    let drawn = [
      ("accent", "paper"), ("accent", "accent-soft"), ("accent", "zone1"), ("second", "paper"),
      ("second", "second-soft"), ("deaf", "paper"), ("idle", "paper"), ("alert", "paper"),
      ("second", "raised"),
    ]
    for (pairs, least) in [(text, 4.5), (drawn, 3.0)] {
      for (one, other) in pairs {
        let values = [try #require(colours[one]), try #require(colours[other])].map(Self.luminance)
        let contrast = ((values.max() ?? 0) + 0.05) / ((values.min() ?? 0) + 0.05)
        #expect(contrast >= least, "\(one) on \(other): \(contrast)")
      }
    }
  }

  @Test("are the same by choice as by the system's setting") func sameDark() throws {
    let chosen = try Self.colours(":root[data-theme=\"dark\"]")
    let system = try Self.colours(":root:not([data-theme=\"light\"])")
    #expect(chosen == system && !chosen.isEmpty)
  }
}
