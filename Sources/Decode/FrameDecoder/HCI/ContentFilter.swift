import CaptureReader

/// What Android's content filter lets through: whoever none of its filters is for is not reported (vendor command
/// 0xFD57, LE_APCF; Android, "HCI requirements", Advertising packet content filter).
struct ContentFilter: Sendable {
  static let opcode: UInt16 = 0xFD57

  /// A command that has succeeded.
  enum Order: Sendable {
    case turn(on: Bool)
    /// Of everybody, where it asks for nothing.
    case add(UInt8, isOfAll: Bool)
    case delete(UInt8)
    case clear
  }

  /// Which command it is: its subcommand, and the byte behind it (on, or an action), which its answer has, too.
  struct Kind: Sendable {
    private let subcommand: UInt8?
    private let action: UInt8?

    init(_ bytes: RawSpan) {
      subcommand = bytes.byteCount > 0 ? bytes.u8(0) : nil
      action = bytes.byteCount > 1 ? bytes.u8(1) : nil
    }

    /// Whether an answer that says so may be one to a command; one that is cut is to any.
    func answers(_ command: Kind) -> Bool {
      guard let subcommand else { return true }
      return subcommand == command.subcommand && (action == nil || action == command.action)
    }
  }

  private var isOn = false
  /// By index.
  private var filters: [UInt8: Bool] = [:]

  /// Whether somebody is left out: it is on, and all filters that were seen ask for something. One that is on and
  /// has none may have some from before the recording, or none at all: of that nothing is said.
  var hides: Bool { isOn && !filters.isEmpty && !filters.values.contains(true) }

  /// Nil of a command that changes nothing here (what filters ask for), and of one that is cut.
  ///
  /// u8 subcommand. 0: u8 on. 1: u8 action (0 add, 1 delete, 2 clear), u8 index, u16 features (what is compared: 0
  /// nothing), u16 list logic, u8 filter logic, i8 least RSSI, u8 delivery (0 at once), …
  static func order(_ bytes: RawSpan) -> Order? {
    guard bytes.byteCount >= 2 else { return nil }
    switch (bytes.u8(0), bytes.u8(1)) {
    case (0, let on): return .turn(on: on != 0)
    case (1, 2): return .clear
    case (1, 1): return bytes.byteCount < 3 ? nil : .delete(bytes.u8(2))
    case (1, 0):
      guard bytes.byteCount >= 10 else { return nil }
      let asksForSignal = Int8(bitPattern: bytes.u8(8)) > weakest
      // Whom it collects for later, or tells of once, there are no reports of.
      let isAtOnce = bytes.u8(9) == 0
      return .add(bytes.u8(2), isOfAll: bytes.le16(3) == 0 && !asksForSignal && isAtOnce)
    default: return nil
    }
  }

  /// dBm: what asks for no more than that is passed by everybody who is received.
  private static let weakest: Int8 = -100

  mutating func apply(_ order: Order) {
    switch order {
    case .turn(let on): isOn = on
    case .add(let index, let isOfAll): filters[index] = isOfAll
    case .delete(let index): filters[index] = nil
    case .clear: filters = [:]
    }
  }
}

/// When a content filter left somebody out, whatever scans were on.
struct FilteredTimes: Sendable {
  /// In the order of the recording.
  private var spans: [RecordGaps.Span] = []
  private var since: Int64?
  /// The latest are kept: scans are asked about as they end, each about all of them where a clock was set back.
  private static let mostSpans = 200

  /// - Parameter hides: whether it does from now on.
  mutating func note(_ hides: Bool, at time: Timestamp) {
    guard hides != (since != nil), time.isKnown else { return }
    let moment = time.nanoseconds
    if let since, moment > since {
      if spans.count == Self.mostSpans { spans.removeFirst(Self.mostSpans / 2) }
      spans.append(RecordGaps.Span(from: since, to: moment))
    }
    since = hides ? moment : nil
  }

  /// What of them lies in a time, the latest first.
  func parts(from: Int64, to: Int64) -> [RecordGaps.Span] {
    var parts: [RecordGaps.Span] = []
    if let since, since < to { parts.append(RecordGaps.Span(from: max(from, since), to: to)) }
    for span in spans.reversed() {
      guard span.to > from else { break }
      if span.from < to {
        parts.append(RecordGaps.Span(from: max(from, span.from), to: min(to, span.to)))
      }
    }
    return parts
  }
}
