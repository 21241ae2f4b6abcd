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
    let limits = numbers.map { (immediate: $0.zones.immediateBelow, near: $0.zones.nearUpTo) }
    try page.add(
      """
      <p class="lead">The distance to the nearest beacon of each region, by the lists of profile \
      \(contents.profiles.first?.name ?? ""). Distances out of signal strengths are rough: the interval belongs to them.</p>
      <div class="timed-group">

      """)
    var (drawn, points) = (0, 0)
    for pair in moments.regions.keys.sorted() {
      guard let list = moments.regions[pair], drawn < Most.rangedRegions,
        points + list.count <= Most.ranged
      else { break }
      let name = contents.region(pair.region)
      let title: HTMLText =
        contents.receivers.count > 1 ? "\(name) at \(contents.observer(pair.observer))" : "\(name)"
      drawn += 1
      points += list.count
      if let plot = RangedMoments.plot(list, title: title, words: Self.words(list), scale, limits) {
        try page.add(plot.html(scale))
      } else {
        try page.add("<p class=\"note\"><b>\(title)</b> no distance is known.</p>\n")
      }
    }
    try page.add(scale.axis + "</div>\n")
    let others = moments.regions.count - drawn
    if others > 0 || moments.isCut {
      try page.add(
        """
        <p class="note">\(others > 0 ? Words.counted(others, "more chart") : "What came later is") not drawn: \
        \(CaseQuery.html("SELECT * FROM ranging WHERE region_id = 1"))</p>

        """)
    }
    try page.add("</section>\n")
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
