import FrameDecoder

/// Air sniffers that heard other advertising channels than before. The three are heard unlike one another, and who hears
/// one of them hears an event once at most: medians of signals, and counts, are others without anybody having moved.
package enum ComparedChannels {
  /// A radio, or all of a side.
  package struct Other: Sendable {
    let pair: ComparedRadios.Pair
    /// Nil for all of a side.
    package let name: String?
    /// Ascending.
    package let before: [Int]
    package let now: [Int]
  }

  static func others(
    _ pairs: [Int: Int], _ before: ComparedSide, _ now: ComparedSide
  ) -> [Other] {
    pairs.compactMap { old, new -> Other? in
      guard let radio = before.radios[old], let channels = radio.channels.channels,
        let channelsNow = now.radios[new]?.channels.channels, channels != channelsNow
      else { return nil }
      return Other(
        pair: ComparedRadios.Pair(before: old, now: new), name: radio.name, before: channels,
        now: channelsNow)
    }
    .sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// The same where all of a side count as one.
  static func others(_ before: ComparedSide, _ now: ComparedSide) -> [Other] {
    guard let channels = before.channels, let channelsNow = now.channels, channels != channelsNow
    else { return [] }
    return [Other(pair: .all, name: nil, before: channels, now: channelsNow)]
  }
}

extension ComparedSide {
  /// Advertising channels on which its radios heard somebody, ascending; nil where one of them does not tell.
  package var channels: [Int]? {
    let all = radios.values.map(\.channels.channels)
    guard !all.isEmpty, !all.contains(nil) else { return nil }
    return Set(all.compactMap(\.self).joined()).sorted()
  }
}
