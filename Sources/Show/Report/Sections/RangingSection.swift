import CaseStore
import Regions

/// How near the nearest beacon of each region was, over time.
struct RangingSection {
  let contents: Contents
  let moments: RangedMoments
  let numbers: RangingNumbers?

  func write(to page: inout PageWriter) throws {
    guard let scale = contents.scale, !moments.regions.isEmpty else { return }
    try page.add(
      "<section id=\"ranging\" aria-labelledby=\"ranging-title\"><h2 id=\"ranging-title\">Ranging by region</h2>\n"
    )
    let shown = self.shown
    let limits = numbers.map { (immediate: $0.zones.immediateBelow, near: $0.zones.nearUpTo) }
    try page.add(
      """
      <p class="lead">The distance to the nearest beacon of each region, by the lists of profile \
      \(contents.profiles.first?.name ?? ""). Distances out of signal strengths are rough: the interval belongs to them.</p>
      \(notDrawn(beside: shown.count))<div class="timed-group">

      """)
    for (pair, list) in shown {
      let name = contents.region(pair.region)
      let title: HTMLText =
        contents.receivers.count > 1 ? "\(name) at \(contents.observer(pair.observer))" : "\(name)"
      if let plot = RangedMoments.plot(list, title: title, words: Self.words(list), scale, limits) {
        try page.add(plot.html(scale))
      } else {
        try page.add("<p class=\"note\"><b>\(title)</b> no distance is known.</p>\n")
      }
    }
    try page.add(scale.axis + "</div>\n</section>\n")
  }

  /// The first ones, as far as there is room.
  private var shown: [(pair: RangedMoments.Pair, moments: [RangedMoments.Moment])] {
    var points = 0
    let lists = moments.regions.keys.sorted().prefix(Most.rangedRegions).map {
      (pair: $0, moments: moments.regions[$0] ?? [])
    }
    return Array(
      lists.prefix { list in
        points += list.moments.count
        return points <= Most.ranged
      })
  }

  private func notDrawn(beside shown: Int) -> HTMLText {
    let others = moments.regions.count - shown
    guard others > 0 || moments.isCut else { return "" }
    return """
      <p class="note">\(others > 0 ? Words.counted(others, "more chart") : "What came later is") not drawn: \
      \(CaseQuery.html("SELECT * FROM ranging WHERE region_id = 1"))</p>

      """
  }

  /// How the moments are spread over the zones.
  private static func words(_ moments: [RangedMoments.Moment]) -> String {
    let parts = ["immediate", "near", "far", "unknown"].compactMap { zone -> String? in
      let count = moments.filter { $0.proximity == zone }.count
      guard count > 0 else { return nil }
      return "\(zone) at \(Words.percent(Double(count) / Double(moments.count)))"
    }
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + " of the moments ranged; "
  }
}
