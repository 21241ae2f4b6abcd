import Analysis
import CaptureReader
import FrameDecoder
import Regions

extension Remarks {
  static func listening(_ facts: CaptureFacts) -> [Remark] {
    facts.observers.flatMap { observer -> [Remark] in
      var remarks: [Remark] = []
      if observer.scan.filteredWindows > 0 {
        remarks.append(
          Remark(
            "duplicate_filter_on", capture: facts.name,
            "\(observer.name) filtered duplicates\(part(observer.scan)): counts, intervals and RSSI are not "
              + "representative."))
      }
      if let text = listedOnly(observer.scan) {
        remarks.append(
          Remark("listed_only", capture: facts.name, "\(observer.name) passed on only \(text)"))
      }
      // What was on its way when the scan ended comes all the same.
      if observer.reportsWhileOff > max(10, observer.reports / 1000) {
        remarks.append(
          Remark(
            "reports_while_scan_off", capture: facts.name,
            "\(TextColumns.grouped(observer.reportsWhileOff)) reports came while the scan of "
              + "\(observer.name) was off by its commands: another scan was under way, or commands are "
              + "missing; it may have heard where it is called deaf."))
      }
      return remarks
    }
  }

  /// Of a tenth of the scans and more.
  private static func listedOnly(_ scan: ScanState) -> String? {
    let share = Double(scan.listedOnly) / Double(max(1, scan.listening))
    guard share >= 0.1 else { return nil }
    let whom =
      scan.contentFiltered == 0
      ? "advertisers on its list"
      : scan.contentFiltered == scan.listedOnly
        ? "whom Android's content filter lets through"
        : "advertisers on its list, or whom Android's content filter lets through"
    let time = share > 0.99 ? "" : " for \(TextColumns.duration(scan.listedOnly)) of its scans"
    return "\(whom)\(time): who else was there was not heard."
  }

  /// ` in 4 of its 10 scans`; nothing where it did in all of them.
  private static func part(_ scan: ScanState) -> String {
    let all = scan.windows.count + scan.windowsNotListed
    guard scan.filteredWindows < all else { return "" }
    return
      " in \(TextColumns.grouped(scan.filteredWindows)) of its \(TextColumns.grouped(all)) scans"
  }

  /// Nanoseconds: what a recorder that is stopped has behind its scan is shorter.
  private static let shortestDeafEnd: Int64 = 60_000_000_000
  private static let longDeafEnd: Int64 = 300_000_000_000

  /// Observers whose scan ended long before their recording did, and who heard nobody from there on: for
  /// five minutes, or a tenth of the time that they heard and a minute at least.
  static func scansEnded(_ result: AnalysisResult) -> [Remark] {
    var remarks: [Remark] = []
    for facts in result.captures {
      for observer in facts.observers where observer.reports > 0 {
        guard let end = observer.quietEnd, end.time.isKnown, observer.firstReport.isKnown,
          result.limits.map({ end.time.nanoseconds < $0.to }) ?? true
        else { continue }
        // Rotated logs go on where the one before ends.
        let own = result.captures.filter { capture in
          capture.observers.contains { $0.name == observer.name }
        }
        let isHeardLater = own.contains { capture in
          capture.observers.contains {
            $0.name == observer.name && $0.lastReport.isKnown
              && $0.lastReport.nanoseconds > observer.lastReport.nanoseconds
          }
        }
        let last = own.map(\.span.latest.nanoseconds).max() ?? .min
        let (silence, overflow) = last.subtractingReportingOverflow(end.time.nanoseconds)
        guard !isHeardLater, !overflow, silence >= shortestDeafEnd,
          silence >= longDeafEnd
            || silence >= end.time.nanoseconds.since(observer.firstReport.nanoseconds) / 10
        else { continue }
        remarks.append(ended(end, of: observer, facts, at: Timestamp(nanoseconds: last), silence))
      }
    }
    return remarks
  }

  /// Observers of whom nothing came any more while others of their capture went on, for a minute and more:
  /// no command told that they ended, so that they count as being there still.
  static func recordsEnded(_ facts: CaptureFacts) -> [Remark] {
    guard facts.observers.count > 1 else { return [] }
    return facts.observers.compactMap { observer in
      guard observer.reports > 0, observer.quietEnd == nil, facts.span.latest.isKnown,
        let gap = observer.scan.gaps.spans.last, gap.to >= facts.span.latest.nanoseconds,
        gap.from >= observer.lastReport.nanoseconds, gap.to.since(gap.from) >= shortestDeafEnd
      else { return nil }
      let from = Timestamp(nanoseconds: gap.from)
      return Remark(
        "records_ended", capture: facts.name,
        "nothing came from \(observer.name) after \(TextColumns.clockAndZone(from)), while others of its capture "
          + "went on for \(TextColumns.duration(gap.to.since(gap.from))): what stands as 'still inside' of it was so then."
      )
    }
  }

  private static func ended(
    _ end: ScanEnd, of observer: ObserverFacts, _ facts: CaptureFacts, at last: Timestamp,
    _ silence: Int64
  ) -> Remark {
    let what =
      end.isReset
      ? "the controller of \(observer.name) was reset or removed"
      : "the scan of \(observer.name) was switched off"
    let isOneDay = TextColumns.date(end.time) == TextColumns.date(last)
    let until = isOneDay ? TextColumns.clockAndZone(last) : TextColumns.moment(last)
    return Remark(
      "scan_ended", capture: facts.name,
      "\(what) at \(TextColumns.clockAndZone(end.time)) (frame \(TextColumns.grouped(end.frame))), and "
        + "nobody was heard from then until the end, \(until): it was deaf for the last "
        + "\(TextColumns.duration(silence)).")
  }
}
