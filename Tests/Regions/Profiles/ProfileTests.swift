import Testing

@testable import Regions

@Suite struct ProfileTests {
  /// The table of SEMANTICS 2, row by row.
  @Test(arguments: [
    ("site", ["30", "0", "no", "none", "trimmed", "no", "1"]),
    ("core-location", ["30", "0", "no", "20", "mean", "no", "1"]),
    ("android-beacon-library", ["30", "1.1", "yes", "none", "abl-average", "yes", "1.1"]),
    ("abl-legacy", ["10", "1.1", "yes", "none", "abl-average", "yes", "1.1"]),
    ("nearby-messages", ["30", "0", "yes", "none", "last", "no", "0"]),
  ])
  func numbersAreThoseOfTheTable(_ name: String, _ expected: [String]) throws {
    let names = [
      "exit_after", "cycle", "enter_on_first_sight", "limit", "smoothing", "ignore_unknown_rssi",
      "ranging_period",
    ]
    let numbers = try Profiles.named(name).numbers
    #expect(names.map { wanted in numbers.first { $0.name == wanted }?.value } == expected)
  }

  @Test(arguments: [
    ("exit_after=10", "10"), ("cycle=500ms", "0.5"), ("scan_window=0", "0"),
    ("scan_interval=5min", "300"), ("enter_on_first_sight=yes", "yes"), ("limit=20", "20"),
    ("limit=none", "none"), ("smoothing=arma-abl", "arma-abl"), ("ignore_unknown_rssi=true", "yes"),
    ("ranging_period=1.1s", "1.1"), ("path_loss_exponent=2.7", "2.7"),
    ("immediate_below=1", "1.0"), ("near_up_to=3", "3.0"),
    ("exit_after=0.000000001", "0.000000001"), ("exit_after=5m", "300"),
    ("exit_after=1.5d", "129600"),
  ])
  func everyNumberCanBeOverridden(_ text: String, _ value: String) throws {
    let override = try ProfileOverride(parsing: text)
    var profile = Profiles.site
    try override.apply(to: &profile)
    #expect(profile.numbers.first { $0.name == override.name }?.value == value)
  }

  @Test func overridesCoverTheWholeTable() {
    #expect(ProfileSetting.all.count == Profiles.site.numbers.count)
    #expect(Set(ProfileSetting.all.map(\.name)).count == ProfileSetting.all.count)
  }

  @Test(arguments: [
    ("exit_after", "setting 'exit_after' has no value"),
    ("exit_aftr=3", "unknown setting 'exit_aftr' (did you mean 'exit_after'?)"),
    ("limit=0", "limit '0' is not a number from 1 to 1000000"),
    ("path_loss_exponent=9", "path_loss_exponent '9' is not a number from 1.0 to 6.0"),
  ])
  func mistakesGetASentence(_ text: String, _ sentence: String) {
    let problem = #expect(throws: SettingProblem.self) { try ProfileOverride(parsing: text) }
    #expect(problem?.description.contains(sentence) == true, "\(problem?.description ?? "")")
  }

  @Test(arguments: [
    (["scan_window=10"], "by halves"),
    (["scan_window=10", "scan_interval=5"], "scan_window is longer than scan_interval"),
    (["immediate_below=5"], "immediate_below is above near_up_to"),
  ])
  func contradictionsAreRefused(_ texts: [String], _ sentence: String) throws {
    let overrides = try texts.map { try ProfileOverride(parsing: $0) }
    let problem = #expect(throws: SettingProblem.self) { try Profiles.site.with(overrides) }
    #expect(problem?.description.contains(sentence) == true)
  }

  @Test func unknownProfilesAreNamedWithThoseThereAre() {
    let problem = #expect(throws: SettingProblem.self) { try Profiles.named("core-locaton") }
    #expect(problem?.what == "unknown profile 'core-locaton' (did you mean 'core-location'?)")
    #expect(problem?.allowed.contains("abl-legacy") == true)
  }
}
