import Regions
import Testing

/// The help of regions is written by hand: these hold it against what there is.
@Suite(.timeLimit(.minutes(60)))
struct RegionHelpTests {
  private static let help = Result { try Tool.run("help", "events").output }

  /// One text from the line that begins so to the one that begins with `end`.
  private static func part(_ begin: String, _ end: String) throws -> [String] {
    let lines = Text.lines(try help.get())
    let first = try #require(lines.firstIndex { $0.hasPrefix(begin) })
    let last = try #require(lines[first...].firstIndex { $0.hasPrefix(end) })
    return Array(lines[(first + 1)..<last])
  }

  /// Words that begin lines of the list, and what is said of each in one line.
  private static func entries(_ lines: [String]) -> [(names: [String], about: String)] {
    var entries: [(names: [String], about: String)] = []
    for line in lines where line.hasPrefix("  ") {
      let words = line.split(separator: " ").map(String.init)
      guard line.hasPrefix("   ") else {
        let names = words.prefix { $0.hasSuffix(",") }.count + 1
        entries.append(
          (
            words.prefix(names).map { $0.filter { $0 != "," } },
            words.dropFirst(names).joined(separator: " ")
          ))
        continue
      }
      guard let last = entries.indices.last else { continue }
      entries[last].about += (entries[last].about.isEmpty ? "" : " ") + words.joined(separator: " ")
    }
    return entries
  }

  @Test func namesEveryKindWithItsForm() throws {
    let kinds = try Self.part("A region is", "Keys of a region").filter { !$0.isEmpty }
    #expect(kinds == RegionKinds.all.map { "  \($0.name):\($0.form)" })
  }

  @Test func saysOfEveryKeyOfARegionWhatItMeans() throws {
    let entries = Self.entries(try Self.part("Keys of a region", "Numbers of the profile"))
    let numbers = Set(ProfileSetting.all.map(\.name))
    #expect(entries.flatMap(\.names) == RegionOptions.names.filter { !numbers.contains($0) })
    #expect(entries.allSatisfy { !$0.about.isEmpty })
  }

  @Test func saysOfEveryNumberWhatEachProfileHas() throws {
    let entries = Self.entries(
      try Self.part("Numbers of the profile", "With --set alone")
        + Self.part("With --set alone", "Examples"))
    let own = ProfileSetting.ofRegions
    let others = ProfileSetting.all.filter { !$0.mayDifferByRegion }
    #expect(entries.flatMap(\.names) == (own + others).map(\.name))
    for (entry, setting) in zip(entries, own + others) {
      let usual = setting.read(Profiles.site)
      let different = Profiles.all.filter { setting.read($0) != usual }
        .map { "\($0.name) \(setting.read($0))" }
      let values =
        "(" + usual + (different.isEmpty ? "" : "; ")
        + different.joined(separator: ", ") + ")"
      #expect(entry.about.hasSuffix(values), "\(setting.name)")
      #expect(entry.about.count > values.count + 10, "\(setting.name)")
    }
  }
}
