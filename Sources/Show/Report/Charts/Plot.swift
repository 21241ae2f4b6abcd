/// A chart over time: paths that are stretched to the width of the page, and text beside and above
/// them, which is not. What is drawn lies on `TimeScale`'s million steps, so that another range of time
/// is only another part of the same picture.
struct Plot {
  /// A part of the chart's height with a name.
  struct Band {
    let from: Int
    let to: Int
    let style: HTMLText
    let label: String
  }

  let title: HTMLText
  /// What the picture says, in words.
  let words: String
  /// CSS pixels.
  let height: Int
  /// Steps of the chart, upwards.
  let low: Int
  let high: Int
  /// Where lines are drawn and what stands beside them.
  var labels: [(at: Int, text: String)] = []
  var bands: [Band] = []
  /// Style and path data.
  var paths: [(style: HTMLText, data: String)] = []

  func html(_ scale: TimeScale) -> HTMLText {
    let lines: HTMLText = labels.map { HTMLText("M0 \(-$0.at)H1000000") }.joined()
    let parts: [HTMLText] = [
      clippedBands.map {
        "<rect class=\"\($0.style)\" x=\"0\" y=\"\(-$0.to)\" width=\"1000000\" height=\"\($0.to - $0.from)\"/>"
      }.joined(),
      lines.isEmpty ? "" : "<path class=\"rule\" d=\"\(lines)\"/>",
      paths.filter { !$0.data.isEmpty }.map {
        "<path class=\"\($0.style)\" d=\"\(HTMLText(path: $0.data))\"/>"
      }.joined(),
    ]
    return """
      <figure class="plot"><figcaption><b>\(title)</b> \(words)</figcaption>
      <div class="frame" style="height:\(height)px"><div class="scale" aria-hidden="true">\(scaleLabels)</div>
      <div class="field"><svg class="timed" viewBox="0 \(-high) 1000000 \(high - low)" \
      preserveAspectRatio="none" role="img" aria-label="\(words)">\(parts.joined())</svg>\(scale.cuts)\(bandLabels)</div></div></figure>

      """
  }

  private var clippedBands: [Band] {
    bands.compactMap { band in
      let (from, to) = (max(band.from, low), min(band.to, high))
      return to > from ? Band(from: from, to: to, style: band.style, label: band.label) : nil
    }
  }

  private var scaleLabels: HTMLText {
    labels.map { "<span style=\"top:\(place($0.at))%\">\($0.text)</span>" }.joined()
  }

  private var bandLabels: HTMLText {
    // A name needs room in its band.
    clippedBands.filter { height * ($0.to - $0.from) >= 14 * (high - low) }.map {
      "<span class=\"zone\" aria-hidden=\"true\" style=\"top:\(place($0.to))%\">\($0.label)</span>"
    }.joined()
  }

  /// Percent from above.
  private func place(_ value: Int) -> Int { 100 * (high - value) / max(1, high - low) }
}

extension TimeScale {
  /// The line of times below charts. The script writes it anew for each range.
  var axis: HTMLText {
    let labels = ticks().map { tick -> HTMLText in
      "<span style=\"--t:\(share(tick.time))\">\(tick.label)</span>"
    }
    return "<div class=\"axis\" aria-hidden=\"true\"><div>\(labels.joined())</div></div>\n"
  }
}
