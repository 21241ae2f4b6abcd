import CaptureReader
import CaseStore
import Exports
import Regions

/// Clocks of captures that somebody moved (`--clock`): whoever has an export alone must see that its times
/// stand otherwise in the captures. Cases of older forms do not say it but in their remarks.
struct MovedClocks {
  /// Nanoseconds by capture, later than in it.
  private var captures: [Int64: Int64] = [:]
  /// By observer: those of the captures that are called as it is.
  private var observers: [Int64: Int64] = [:]
  /// How, of captures of which a part was moved, or a drift was taken out.
  private var parts: [Int64: String] = [:]

  init() {}

  init(_ file: CaseFile) throws {
    var stems: [String: Int64] = [:]
    try file.forEach(CaptureRow.self) { capture in
      if let moved = capture.movedNs, moved != 0 { captures[capture.id ?? 0] = moved }
      if let stem = capture.observer { stems[stem] = capture.movedNs ?? 0 }
      if let how = capture.movedHow { parts[capture.id ?? 0] = how }
    }
    guard !captures.isEmpty else { return }
    try file.forEach(ObserverRow.self) { observer in
      // `pi/hci0` is of the capture `pi`, or of one that is called all of that.
      let whole = observer.name
      let start = whole.lastIndex(of: "/").map { String(whole[..<$0]) }
      if let moved = stems[whole] ?? start.flatMap({ stems[$0] }), moved != 0 {
        observers[observer.id ?? 0] = moved
      }
    }
  }

  /// Nil where it was not.
  subscript(capture capture: Int64?) -> Int64? { capture.flatMap { captures[$0] } }

  subscript(observer observer: Int64?) -> Int64? { observer.flatMap { observers[$0] } }

  /// A clause where a capture was moved in parts; nil where it was moved as a whole, or not at all.
  func how(capture: Int64?) -> String? { capture.flatMap { parts[$0] } }

  /// Of an event: by the first capture that it cites.
  func how(_ evidence: ArraySlice<CitedEvidence.Item>) -> String? {
    how(capture: evidence.first { $0.capture != nil }?.capture)
  }

  /// Of an event: by the first capture that it cites, or else by its observer.
  func of(_ evidence: ArraySlice<CitedEvidence.Item>, observer: Int64?) -> Int64? {
    if let capture = evidence.first(where: { $0.capture != nil })?.capture {
      return captures[capture]
    }
    return self[observer: observer]
  }

  /// `clock moved: its times are told 2 h 00 min later than they stand in it before 2000-01-01 00:00:00`.
  static func words(how: String) -> String { "clock moved: its times are told \(how)" }

  /// `clock moved by +7200 s`.
  static func words(_ moved: Int64) -> String {
    "clock moved by \(moved > 0 ? "+" : "-")\(SettingText.text(span: Int64(clamping: moved.magnitude))) s"
  }

  /// `clock moved by +7200 s: in the capture it is of 2026-05-19 08:00:00.041 UTC`.
  static func words(_ moved: Int64, time: Int64) -> String {
    let (own, isOutside) = time.subtractingReportingOverflow(moved)
    guard !isOutside else { return words(moved) }
    let stamp = Timestamp(nanoseconds: own)
    return
      "\(words(moved)): in the capture it is of \(TextColumns.date(stamp)) \(Figures.clock(stamp)) UTC"
  }
}
