import Analysis
import CaptureReader

/// What makes a comparison worth less: sides that hardly listened, or otherwise.
enum CompareRemarks {
  /// Of the listening, and of the reports in a second, on the other side.
  private static let muchLess = 0.5
  private static let muchQuieter = 0.25

  static func all(_ comparison: Comparison) -> [(code: String, text: String)] {
    let (before, now) = (comparison.before, comparison.now)
    var remarks: [(code: String, text: String)] = same(before, now)
    if before.first.isKnown, now.first.isKnown, now.first.nanoseconds < before.first.nanoseconds {
      remarks.append(
        ("order", "AFTER begins before BEFORE does: were they named the other way round?"))
    }
    remarks += listening(now, than: before, "AFTER", "BEFORE", "missing")
    remarks += listening(before, than: now, "BEFORE", "AFTER", "new")
    if !comparison.comparesIntervals {
      remarks.append(
        (
          "intervals_not_compared",
          before.filtersDuplicates || now.filtersDuplicates
            ? "Duplicates were filtered while listening: intervals are not compared, and signals "
              + "are not representative."
            : "The radios listened for another part of their time before: intervals are not compared."
        ))
    }
    return remarks
  }

  private static func same(
    _ before: ComparedSide, _ now: ComparedSide
  ) -> [(code: String, text: String)] {
    let digests = Set(before.result.captures.map(\.sha256).filter { !$0.isEmpty })
    let both = now.result.captures.filter { digests.contains($0.sha256) }
    guard let first = both.first else { return [] }
    return [
      (
        "same_capture",
        both.count == 1
          ? "\(TextColumns.printable(first.name)) is on both sides, byte for byte."
          : "\(both.count) captures are on both sides, byte for byte."
      )
    ]
  }

  /// - Parameter what: what it makes of beacons that were not heard on this side.
  private static func listening(
    _ side: ComparedSide, than other: ComparedSide, _ name: String, _ otherName: String,
    _ what: String
  ) -> [(code: String, text: String)] {
    guard side.reports > 0 else {
      return [
        (
          "heard_nobody",
          "\(name) has no advertising report at all: nothing can be said of who is \(what)."
        )
      ]
    }
    if Double(side.listened) < muchLess * Double(other.listened) {
      return [
        (
          "listened_less",
          "\(name) listened for \(TextColumns.duration(side.listened)) only, \(otherName) for "
            + "\(TextColumns.duration(other.listened)): who is \(what) may just not have been heard "
            + "in that time."
        )
      ]
    }
    guard let own = side.reportsPerSecond, let others = other.reportsPerSecond,
      own < muchQuieter * others
    else { return [] }
    return [
      (
        "heard_less",
        "\(name) heard \(TextColumns.decimal(own)) reports a second, \(otherName) "
          + "\(TextColumns.decimal(others)): its radio was somewhere else or hard of hearing, and who is "
          + "\(what) may just not have been heard."
      )
    ]
  }
}
