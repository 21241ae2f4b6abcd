import CaptureReader
import FrameDecoder

/// In which order advertisers are listed; where two are equal, by when they were heard first, then by address.
package enum AdvertiserOrder: String, CaseIterable, Sendable {
  /// Most heard first.
  case heard
  /// By when they were heard first.
  case first
  /// The strongest median signal first; those of none behind them.
  case signal
}

extension AdvertiserCensus {
  /// Numbers of all advertisers. To be asked when everything was read.
  package mutating func order(_ order: AdvertiserOrder) -> [Int] {
    sort()
    tellSuccession()
    let keys = advertisers.indices.map { number in
      let profile = profiles[number]
      let rank =
        switch order {
        case .heard: -profile.reports
        case .first: 0
        case .signal: -(profile.signals.range?.median ?? Int(Int8.min) - 1)
        }
      return (rank, profile.first.nanoseconds, advertisers[number].address.rawValue)
    }
    return advertisers.indices.sorted { keys[$0] < keys[$1] }
  }
}
