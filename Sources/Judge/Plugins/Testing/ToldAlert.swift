import Analysis
import CaptureReader
import Regions
import TrackReader

/// An alert as it came, in the words that a test has for it.
struct ToldAlert {
  let time: Timestamp
  /// Seconds from the test's beginning.
  let at: Double
  /// As `ExpectedAlert.textKeys` has them.
  let texts: [String: String]
  let heldBack: Int
  let fields: [String: LuaValue]
  /// Seconds from the test's beginning: when the cited frames were received; nil for one without a time.
  let evidence: [Double?]

  /// - Parameter cited: times of the cited frames.
  init(_ alert: Alert, _ timeline: Timeline, cited: [Timestamp?], start: Timestamp) {
    func seconds(_ time: Timestamp) -> Double {
      Double(time.nanoseconds.since(start.nanoseconds)) / 1e9
    }
    time = alert.time
    at = seconds(alert.time)
    evidence = cited.map { $0.map(seconds) }
    heldBack = alert.heldBack
    var texts = [
      "severity": alert.severity.rawValue, "title": alert.title, "text": alert.text,
      "dedupe_key": alert.dedupeKey.isEmpty ? alert.title : alert.dedupeKey,
    ]
    texts["region"] = alert.region.map { timeline.regions[$0].identifier }
    texts["observer"] = alert.observer.map { timeline.observers[$0].name }
    self.texts = texts
    fields = Dictionary(
      alert.fields.map { ($0.name, LuaValue($0.value)) }, uniquingKeysWith: { $1 })
  }

  /// `60.000 s  2026-01-01T00:01:00.000Z  warning  Battery low`
  var line: String {
    "\(TestTime.text(at: at, time))  \(texts["severity"] ?? "")  \(texts["title"] ?? "")"
  }
}

extension ExpectedAlert {
  /// Times in tests are written to so many seconds.
  static let tolerance = 0.001

  /// What differs, a line for each key; none: the alert is the one that is expected.
  func differences(_ told: ToldAlert) -> [String] {
    var lines: [String] = []
    func tell(_ key: String, _ expected: String, _ found: String?) {
      lines.append("\(key): \(expected) expected, \(found ?? "none") told")
    }
    if let at, !Self.isNear(at, told.at) {
      tell("at", TestTime.seconds(at), TestTime.seconds(told.at))
    }
    for (key, text) in texts where told.texts[key] != text {
      tell(key, "'\(text)'", told.texts[key].map { "'\($0)'" })
    }
    if let heldBack, told.heldBack != heldBack {
      tell("held_back", "\(heldBack)", "\(told.heldBack)")
    }
    if let evidence, !evidence.elementsEqual(told.evidence, by: Self.isNear) {
      tell("evidence", TestTime.list(evidence), TestTime.list(told.evidence))
    }
    for (name, value) in fields where !Self.agree(value, told.fields[name]) {
      tell("fields.\(name)", value.wholeText, told.fields[name]?.wholeText)
    }
    return lines
  }

  private static func isNear(_ expected: Double, _ told: Double?) -> Bool {
    told.map { abs($0 - expected) <= tolerance + 1e-9 } ?? false
  }

  /// Integers are the same; other numbers agree to a millionth, and to a thousandth where they are large:
  /// times do.
  private static func agree(_ expected: LuaValue, _ told: LuaValue?) -> Bool {
    if case .integer(let a) = expected, case .integer(let b)? = told { return a == b }
    guard let a = expected.number, let b = told?.number else { return expected == told }
    if a == b || a.isNaN && b.isNaN { return true }
    guard a.isFinite, b.isFinite else { return false }
    return abs(a - b) <= min(1e-6 * max(abs(a), abs(b)), tolerance + 1e-9)
  }

  /// As `ToldAlert.line`, of what is written.
  func line(start: Timestamp) -> String {
    let texts = Dictionary(texts, uniquingKeysWith: { $1 })
    let time = at.map { at in
      TestTime.text(at: at, Timestamp(nanoseconds: start.nanoseconds + Int64(at * 1e9)))
    }
    let others = ExpectedAlert.textKeys.dropFirst(2).compactMap { key in
      texts[key].map { "\(key) '\($0)'" }
    }
    let words =
      [time ?? "at any time", texts["severity"], texts["title"]].compactMap { $0 } + others
    return words.joined(separator: "  ")
  }
}

extension LuaValue {
  /// As `shown`, in full.
  fileprivate var wholeText: String { text.map { "'\($0)'" } ?? shown }
}

/// Times as a failed test shows them.
enum TestTime {
  /// Relative, so that it can be written into the test, and absolute, so that it can be looked up.
  static func text(at seconds: Double, _ time: Timestamp) -> String {
    "\(Self.seconds(seconds))  \(UTCTime.rfc3339(time).prefix(23))Z"
  }

  /// `frames of 0.000 s, 60.000 s`
  static func list(_ times: [Double?]) -> String {
    let words = times.map { $0.map(seconds) ?? "no known time" }
    return words.isEmpty ? "no frame" : "frames of " + words.joined(separator: ", ")
  }

  /// `60.000 s`
  static func seconds(_ seconds: Double) -> String {
    let thousandths = Int64((seconds * 1000).rounded())
    let rest = String(abs(thousandths) % 1000)
    return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1000)."
      + String(repeating: "0", count: 3 - rest.count) + rest + " s"
  }
}
