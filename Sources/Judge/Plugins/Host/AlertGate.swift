import Analysis
import CaptureReader
import Regions

/// Holds alerts of one plugin back that would say the same again, or too much at once.
struct AlertGate {
  /// As `alert` says.
  struct Rule {
    /// Nanoseconds.
    var oncePer: Int64?
    var atMost: (count: Int, per: Int64)?
  }

  /// An alert told, and for how long it holds others back that are no severer.
  private struct Told {
    var time: Int64
    var span: Int64
    var severity: Int
  }

  /// The latest alert by key, of those that hold others back.
  private var last: [String: Told] = [:]
  /// Times of those told, oldest first, and how severe they were.
  private var told: [(time: Int64, severity: Int)] = []
  /// The longest span of `at_most` so far: what is older does not count.
  private var longest: Int64 = 0
  /// Held back by `once_per`, by key.
  private var waiting: [String: Int] = [:]
  /// Held back by `at_most`, of any key: the next one that passes says so.
  private var waitingOfAny = 0
  /// All that were held back.
  private(set) var heldBack = 0

  private static let mostKept = 10_000

  init() {}

  /// - Parameter severity: the higher the severer.
  /// - Returns: how many were held back since the last one told: under this key by `once_per`, and by
  ///   `at_most`; nil where this one is held back, too.
  mutating func pass(_ key: String, _ severity: Int, at time: Int64, _ rule: Rule) -> Int? {
    if let span = rule.oncePer, let told = last[key], Self.isWithin(span, told.time, time),
      severity <= told.severity
    {
      waiting[key, default: 0] += 1
      heldBack += 1
      return nil
    }
    if let most = rule.atMost {
      longest = max(longest, most.per)
      // Milder ones are no reason to be silent about a severer one.
      let recent = told.reversed().prefix { Self.isWithin(most.per, $0.time, time) }
        .count { $0.severity >= severity }
      if recent >= most.count {
        waitingOfAny += 1
        heldBack += 1
        return nil
      }
    }
    last[key] = Told(
      time: time, span: rule.oncePer ?? last[key]?.span ?? 0, severity: severity)
    told.append((time, severity))
    if told.count > Self.mostKept { told.removeFirst(told.count / 2) }
    if last.count > 2 * Self.mostKept { last = remembered(at: time) }
    defer { waitingOfAny = 0 }
    return (waiting.removeValue(forKey: key) ?? 0) + waitingOfAny
  }

  /// What an earlier run told under a clock that was ahead is no reason to be silent.
  private static func isWithin(_ span: Int64, _ before: Int64, _ now: Int64) -> Bool {
    before <= now && now.since(before) < span
  }

  /// Those that still hold others back, the latest of them.
  private func remembered(at time: Int64) -> [String: Told] {
    let alive = last.filter { Self.isWithin($0.value.span, $0.value.time, time) }
    guard alive.count > Self.mostKept else { return alive }
    let latest = alive.sorted { ($1.value.time, $0.key) < ($0.value.time, $1.key) }
    return Dictionary(uniqueKeysWithValues: latest.prefix(Self.mostKept).map { ($0.key, $0.value) })
  }

  // MARK: Beyond a run

  /// What a later run has to know; nil where nothing would be held back by it.
  /// - Parameter time: nanoseconds, now.
  func saved(at time: Int64) -> LuaTable? {
    let alive = remembered(at: time)
    let recent = told.filter { Self.isWithin(longest, $0.time, time) }
    guard !alive.isEmpty || !recent.isEmpty || waitingOfAny > 0 else { return nil }
    var keys = LuaTable()
    for (key, told) in alive.sorted(by: { $0.key < $1.key }) {
      let row: [LuaValue] = [
        .integer(told.time), .integer(told.span), .integer(Int64(waiting[key] ?? 0)),
        .integer(Int64(told.severity)),
      ]
      keys.append(.text(key), .table(LuaTable(list: row)))
    }
    var table = LuaTable()
    table.append(.text("keys"), .table(keys))
    table.append(.text("longest"), .integer(longest))
    if waitingOfAny > 0 { table.append(.text("held"), .integer(Int64(waitingOfAny))) }
    table.append(
      .text("severities"), .table(LuaTable(list: recent.map { .integer(Int64($0.severity)) })))
    table.append(.text("told"), .table(LuaTable(list: recent.map { .integer($0.time) })))
    return table
  }

  /// Nil where it is not what `saved` made.
  init?(_ saved: LuaTable) {
    guard case .table(let keys) = saved["keys"], case .integer(let longest) = saved["longest"],
      case .table(let told) = saved["told"]
    else { return nil }
    self.longest = longest
    let times = told.list.compactMap(\.integer64)
    var severities: [Int64] = []
    if case .table(let list) = saved["severities"] {
      severities = list.list.compactMap(\.integer64)
    }
    // Earlier versions told none: those count for any other.
    let isTold = severities.count == times.count
    self.told = times.enumerated().map { ($1, isTold ? Int(clamping: severities[$0]) : .max) }
    waitingOfAny = max(0, saved["held"].integer ?? 0)
    for (key, row) in keys.pairs {
      guard let key = key.text, case .table(let row) = row else { return nil }
      let numbers = row.list.compactMap(\.integer64)
      guard [3, 4].contains(numbers.count) else { return nil }
      // Earlier versions told no severity: what they held back stays held back.
      let severity = numbers.count == 4 ? Int(clamping: numbers[3]) : Int.max
      last[key] = Told(time: numbers[0], span: numbers[1], severity: severity)
      if numbers[2] > 0 { waiting[key] = Int(numbers[2]) }
    }
  }
}

extension LuaValue {
  fileprivate var integer64: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }
}
