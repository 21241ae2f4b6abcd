import Foundation
import Testing

/// A line of a list that was copied, and of which the name alone was changed.
@Suite("Regions that are defined alike", .timeLimit(.minutes(60))) struct SameRegionsTests {
  private static let uuid = SiteScene.uuid

  private static func told(_ regions: String...) throws -> String {
    let site = try SiteScene()
    try site.record(seconds: 30)
    let words = regions.flatMap { ["--region", $0] }
    let run = try Tool.run(["analyze"] + words + ["site.btsnoop"], in: site.scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("are told once, with their names")
  func told() throws {
    let told = try Self.told(
      "till=ibeacon:\(Self.uuid):1:1", "door=ibeacon:\(Self.uuid):1:2",
      "cash=ibeacon:\(Self.uuid):1:1", "safe=ibeacon:\(Self.uuid.uppercased()):1:1")
    let sentence =
      "Regions till, cash, safe are of the same beacons, by the same settings: one of them may be mistyped."
    #expect(told.components(separatedBy: "of the same beacons").count == 2)
    #expect(told.contains(sentence), "\(told)")
  }

  @Test("are alike in whatever order their settings stand")
  func order() throws {
    let told = try Self.told(
      "a=ibeacon:\(Self.uuid):1:1,exit_after=10,cycle=2",
      "b=ibeacon:\(Self.uuid):1:1,cycle=2,exit_after=10")
    #expect(told.contains("Regions a, b are of the same beacons"), "\(told)")
  }

  @Test("are meant where their settings differ, or one is within the other")
  func meant() throws {
    let told = try Self.told(
      "near=ibeacon:\(Self.uuid):1:1,within=near", "far=ibeacon:\(Self.uuid):1:1",
      "slow=ibeacon:\(Self.uuid):1:1,exit_after=90", "all=ibeacon:\(Self.uuid):1",
      "one=ibeacon:\(Self.uuid):1:1,address=c4:b0:00:00:01:01")
    #expect(!told.contains("of the same beacons"), "\(told)")
  }
}
