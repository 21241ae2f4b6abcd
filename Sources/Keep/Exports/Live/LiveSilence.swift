/// Says when a live run hears nobody any more who was heard before: a controller that hangs says nothing of
/// itself.
package struct LiveSilence: Sendable {
  /// What there is to say: a sentence, and whether something is wrong.
  package struct Remark: Equatable, Sendable {
    package let text: String
    package let isBad: Bool
  }

  /// Nobody is heard, for longer than is usual here.
  package private(set) var isSilent = false
  private var reports = 0
  /// Seconds of the run: when somebody was heard first and last, and the longest time between, so far.
  private var first: Double?
  private var last: Double?
  private var longest = 0.0
  /// From here on nobody was heard, or there was nothing that could have heard.
  private var waitsFrom = 0.0
  private static let least = 30.0
  private static let leastAtFirst = 60.0
  /// So many times as long as usual is no accident.
  private static let many = 30.0

  package init() {}

  /// - Parameters:
  ///   - reports: advertisements of anybody so far.
  ///   - canHear: the interface is there, and up; else that is told elsewhere.
  ///   - now: seconds of the run, by a clock that runs evenly.
  package mutating func next(reports: Int, canHear: Bool, now: Double) -> Remark? {
    if reports > self.reports { return hear(reports, now) }
    guard canHear else {
      waitsFrom = now
      return nil
    }
    let silence = now - waitsFrom
    guard !isSilent, silence > patience else { return nil }
    isSilent = true
    let span = Self.span(silence)
    guard let first, let last else {
      return Remark(
        text:
          "no advertisement of anybody was heard in \(span). Does it scan, and is anybody there?",
        isBad: true)
    }
    let usual = last > first ? Double(self.reports - 1) / (last - first) : 0
    let before =
      usual >= 1
      ? "\(TextColumns.grouped(Int(usual.rounded()))) advertisements came a second"
      : usual > 0 ? "one advertisement came every \(Self.span(1 / usual))" : "one came"
    return Remark(
      text: "nobody was heard for \(span); before that \(before). Does it still scan?", isBad: true)
  }

  private mutating func hear(_ reports: Int, _ now: Double) -> Remark? {
    let silence = now - waitsFrom
    if first == nil { first = now } else { longest = max(longest, silence) }
    (self.reports, last, waitsFrom) = (reports, now, now)
    guard isSilent else { return nil }
    isSilent = false
    return Remark(text: "somebody is heard again, after \(Self.span(silence)).", isBad: false)
  }

  /// How long it may be silent. Where beacons are rare, or come and go, longer.
  private var patience: Double {
    guard let first, let last else { return Self.leastAtFirst }
    let mean = reports > 1 ? (last - first) / Double(reports - 1) : 0
    return max(Self.least, Self.many * mean, 3 * longest)
  }

  private static func span(_ seconds: Double) -> String {
    TextColumns.duration(Int64(seconds.rounded()) * 1_000_000_000)
  }
}
