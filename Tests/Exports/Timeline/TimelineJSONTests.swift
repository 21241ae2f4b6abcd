import CaptureReader
import Foundation
import Testing

@testable import Analysis
@testable import Exports
@testable import Regions

@Suite struct TimelineJSONTests {
  private static func document(_ result: AnalysisResult) throws -> [String: Any] {
    let collector = EventCollector()
    try AnalysisJSON.write(result, to: collector)
    let value = try JSONSerialization.jsonObject(with: Data(collector.string.utf8))
    return try #require(value as? [String: Any])
  }

  private static func result(_ scene: TimelineScene) -> AnalysisResult {
    var result = AnalysisResult()
    result.timeline = scene.timeline
    result.captureNames = ["site.pcapng"]
    result.observers = scene.timeline.observers.map(\.name)
    result.statistics = scene.statistics
    return result
  }

  @Test func thereIsNoneWhereNothingWasFollowed() throws {
    #expect(try Self.document(AnalysisResult())["timeline"] == nil)
  }

  @Test func everyPartOfATimeline() throws {
    let scene = try TimelineTextTests.museum()
    let timeline = try #require(
      Self.document(Self.result(scene))["timeline"] as? [String: Any])
    func rows(_ key: String) throws -> [[String: Any]] {
      try #require(timeline[key] as? [[String: Any]])
    }
    let profile = try #require(rows("profiles").first)
    #expect(profile["name"] as? String == "site")
    #expect(profile["exit_after_s"] as? Double == 30)
    #expect(profile["near_up_to_m"] as? Double == 4)
    #expect(profile["enter_on_first_sight"] as? Bool == false)
    #expect(profile["limit"] is NSNull)
    #expect(profile.count == ProfileSetting.all.count + 1)
    let regions = try rows("regions")
    #expect(regions[1]["identifier"] as? String == "exhibit A")
    #expect(regions[2]["condition"] as? String == "eddystone:edd1ebeac04e5defa017")
    #expect(try (rows("observers")[0]["deaf"] as? [Any])?.count == 1)
    let stays = try rows("stays")
    #expect(stays.map { $0["region"] as? String } == ["lobby", "exhibit A", "lobby"])
    #expect(stays[0]["already_inside"] as? Bool == true)
    #expect(stays[0]["sightings"] as? Int == 1612)
    #expect((stays[0]["nearest"] as? [String: Any])?["accuracy_m"] as? Double == 0.83)
    #expect(stays[1]["grade"] as? String == "deaf")
    #expect(stays[1]["duration_s"] as? Double == 220)
    #expect(stays[2]["until"] is NSNull && stays[2]["grade"] == nil)
    #expect((stays[2]["first"] as? [String: Any])?["frame"] as? Int == 3)
    #expect(try rows("states").map { $0["state"] as? String } == ["inside", "outside", "outside"])
    #expect(try rows("hints")[0]["code"] as? String == "one_uuid")
    #expect((timeline["warnings"] as? [String])?.count == 1)
  }

  @Test func everySettingSaysWhetherItHasAUnit() {
    #expect(Set(SettingUnit.all.map(\.name)) == Set(ProfileSetting.all.map(\.name)))
  }

  @Test func everyProfileHasItsOwnStays() throws {
    var scene = try TimelineScene(profiles: [Profiles.site, Profiles.nearbyMessages])
    scene.stay(from: 1, until: 100)
    scene.stay(profile: 1, from: 1, until: 90)
    let timeline = try #require(
      Self.document(Self.result(scene))["timeline"] as? [String: Any])
    let stays = try #require(timeline["stays"] as? [[String: Any]])
    #expect(stays.map { $0["profile"] as? String } == ["site", "nearby-messages"])
  }
}
