import Regions

/// How regions are written, for the help of every command that takes them.
enum RegionHelp {
  /// Made once: every start asks for the help of every command.
  static let text = {
    var lines = ["A region is NAME=KIND:SPEC[,key=value...]; the kinds:"]
    let forms = RegionKinds.all.map { "\($0.name):\($0.form)" }
    lines += forms.map { "  \($0)" }
    lines.append("")
    let own = ProfileSetting.ofRegions.map(\.name)
    lines.append("Keys of a region, and --set for all of them, change numbers of the profile:")
    lines += wrapped(own)
    lines.append("--set alone:")
    lines += wrapped(ProfileSetting.all.map(\.name).filter { !own.contains($0) })
    lines.append("Keys of a region alone:")
    let shared = Set(ProfileSetting.all.map(\.name))
    lines += wrapped(RegionOptions.names.filter { !shared.contains($0) })
    return lines.joined(separator: "\n")
  }()

  private static func wrapped(_ words: [String]) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.utf8.count + word.utf8.count < 72 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append("  \(word)")
      }
    }
    return lines
  }
}
