import Beacons
import CaptureReader
import FrameDecoder
package import Twin

/// What the decoder and its twin make of the same bytes, side by side.
package enum TwinComparison {
  /// Where the two differ over the records that the reader found; empty where they agree.
  package static func differences(_ reading: Reading) -> [String] {
    differences(reading.decoding, twin(of: reading))
  }

  /// The twin, fed with the records that the reader found.
  package static func twin(of reading: Reading) -> Twin {
    var twin = Twin()
    for record in reading.records { twin.feed(TwinRecord(record)) }
    twin.finish()
    return twin
  }

  /// Where the two differ over a whole file. Damage the twin cannot read past: nothing is compared
  /// behind it, but the reader has to have seen it, too.
  package static func differences(_ reading: Reading, _ bytes: [UInt8]) -> [String] {
    guard reading.compression == nil, reading.format != "btsnooz", reading.problem == nil else {
      return []
    }
    guard var capture = TwinCapture(bytes) else {
      return ["\(reading.format) is none for the twin"]
    }
    let isWhole = reading.log.gaps.isEmpty && damage.allSatisfy { reading.log.notes[$0] == nil }
    guard capture.isClean, isWhole else {
      return isWhole ? ["the twin sees damage, the reader does not"] : []
    }
    capture.dropOutliers(reading.ends)
    var twin = Twin()
    for record in capture.records { twin.feed(record) }
    twin.finish()
    return differences(reading.decoding, twin)
  }

  /// Notes about blocks or records that could not be taken as they are.
  private static let damage: [ProblemCode] = [
    .fileTruncated, .damageSkipped, .blockLengthMismatch, .blockLengthInvalid, .optionOverrun,
    .sectionSkipped,
  ]

  package static func differences(_ decoding: Decoding, _ twin: Twin) -> [String] {
    var found = lists("report", decoding.reports.map(TwinReport.init), twin.reports)
    let table = decoding.beacons.identities
    found += differences(decoding.sightings.map { TwinSighting($0, table) }, from: twin.sightings)
    let outcomes = decoding.outcomes
    for (outcome, count) in twin.outcomes where outcomes[outcome, default: 0] != count {
      found.append(
        "\(outcome.kind) \(outcome.reason): \(outcomes[outcome, default: 0]), the twin has \(count)"
      )
    }
    return found
  }

  /// Of sightings in the twin's words.
  package static func differences(_ ours: [TwinSighting], from twins: [TwinSighting]) -> [String] {
    lists("sighting", ours, twins.map(\.bare))
  }

  /// As sets with counts: what comes at the end of a capture has no order of its own.
  private static func lists<Item: Hashable>(_ what: String, _ ours: [Item], _ twins: [Item])
    -> [String]
  {
    if ours == twins { return [] }
    var counts: [Item: Int] = [:]
    for item in ours { counts[item, default: 0] += 1 }
    for item in twins { counts[item, default: 0] -= 1 }
    return counts.filter { $0.value != 0 }.map {
      ($0.value > 0 ? "\(what) the twin lacks: " : "\(what) only the twin has: ") + "\($0.key)"
    }.sorted()
  }
}

extension Decoding {
  /// How often each class and reason was given. A record with several reasons has none here.
  fileprivate var outcomes: [TwinOutcome: Int] {
    var counts: [TwinOutcome: Int] = [:]
    for kind in RecordClass.allCases {
      var rest = count(kind)
      for (reason, entry) in zip(FrameReason.names, decoder.tally.reasons[Int(kind.rawValue)])
      where entry.count > 0 {
        counts[TwinOutcome("\(kind.name)", "\(reason)")] = entry.count
        rest -= entry.count
      }
      if rest != 0 { counts[TwinOutcome("\(kind.name)")] = rest }
    }
    return counts
  }
}
