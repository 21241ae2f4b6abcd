public import CaptureReader

/// When a controller was scanning, and how: from the commands that succeeded (PROTOCOLS.md 3.6).
public struct ScanState: Sendable {
  public enum EndReason: String, Sendable {
    case disabled, restarted, reset
    case timeout
    case adapterRemoved = "adapter_removed"
    case endOfCapture = "end_of_capture"
  }

  public struct Parameters: Sendable, Equatable {
    public var isActive: Bool
    /// In 0.625 ms.
    public var interval: UInt16
    public var window: UInt16
    /// Filter policy 1 or 3 (Core, Vol 4 Part E 7.8.10, 7.8.64): only advertisers on the filter accept
    /// list are heard.
    public var hearsListedOnly: Bool
    /// In 10 ms and in 1.28 s: the scan lasts so long, and begins anew so often; it goes on without a pause where the
    /// period is 0 (Core, Vol 4 Part E 7.8.65).
    public var duration: UInt16 = 0
    public var period: UInt16 = 0

    public init(isActive: Bool, interval: UInt16, window: UInt16, hearsListedOnly: Bool = false) {
      self.isActive = isActive
      self.interval = interval
      self.window = window
      self.hearsListedOnly = hearsListedOnly
    }

    /// Which part of its time the radio listens, 0…1; nil for an interval of 0.
    public var share: Double? {
      interval == 0 ? nil : min(1, Double(window) / Double(interval)) * (rests ?? 1)
    }

    /// Which part of the time it scans at all, 0…1; nil where it scans without a pause.
    public var rests: Double? { Rhythm(duration: duration, period: period).share }
  }

  /// What the command says that begins a scan, whose parameters need not be known: how long it lasts, in 10 ms, and how
  /// often it begins anew, in 1.28 s.
  public struct Rhythm: Sendable, Equatable {
    public var duration: UInt16 = 0
    public var period: UInt16 = 0

    /// Which part of the time it scans at all, 0…1; nil where it scans without a pause.
    public var share: Double? {
      guard period > 0, duration > 0 else { return nil }
      let share = Double(duration) * 10 / (Double(period) * 1280)
      return share < 1 ? share : nil
    }
  }

  /// A span of time in which the controller scanned.
  public struct Window: Sendable {
    public let start: Timestamp
    public var end: Timestamp
    public var endReason: EndReason
    /// nil where the parameters were never seen.
    public let parameters: Parameters?
    public let rhythm: Rhythm
    /// nil for an inferred window.
    public let filtersDuplicates: Bool?
    /// No enable command was seen: from the first report to the last before something told of a scan.
    public let isInferred: Bool
    /// Nanoseconds, without gaps in the recording. While duplicates are filtered a gap shows nothing, unless the
    /// recorder says that it captured nothing: nobody but who was heard already may be there.
    public fileprivate(set) var listening: Int64 = 0
    /// How much of that Android's content filter left somebody out.
    public fileprivate(set) var contentFiltered: Int64 = 0
    /// How much of it only those were passed on who are on the controller's list, or whom the content filter lets
    /// through.
    public var listedOnly: Int64 {
      parameters?.hearsListedOnly == true ? listening : contentFiltered
    }

    /// Which part of its time the radio listens, as far as is known, 0…1: where the parameters were never seen, by its
    /// rests alone; nil: all of it, or nobody knows.
    public var share: Double? { parameters?.share ?? rhythm.share }

    fileprivate mutating func measure(_ gaps: RecordGaps, _ filtered: FilteredTimes) {
      let (from, to) = (start.nanoseconds, end.nanoseconds)
      listening = listening(from: from, to: to, gaps)
      contentFiltered = contentFiltered(from: from, to: to, gaps, filtered)
    }

    fileprivate func contentFiltered(
      from: Int64, to: Int64, _ gaps: RecordGaps, _ filtered: FilteredTimes
    ) -> Int64 {
      let whole = listening(from: from, to: to, gaps)
      var length: Int64 = 0
      for part in filtered.parts(from: from, to: to) {
        let sum = length.addingReportingOverflow(listening(from: part.from, to: part.to, gaps))
        // Where a clock was set back parts may lie one above the other.
        length = sum.overflow ? whole : min(sum.partialValue, whole)
      }
      return length
    }

    /// The same of a part of it.
    public func listening(from: Int64, to: Int64, _ gaps: RecordGaps) -> Int64 {
      let (span, overflow) = to.subtractingReportingOverflow(from)
      guard !overflow, span > 0 else { return 0 }
      let without =
        filtersDuplicates == true
        ? gaps.uncaptured(from: from, to: to) : gaps.length(from: from, to: to)
      return span - min(without, span)
    }
  }

  /// When the recording had no record of this radio.
  public internal(set) var gaps = RecordGaps()

  /// Windows that have ended, oldest first; beyond `mostWindows` only counted.
  public private(set) var windows: [Window] = []
  public private(set) var windowsNotListed = 0
  /// Total of all windows, nanoseconds, without gaps in the recording where duplicates were kept.
  public private(set) var listening: Int64 = 0
  /// What of the windows lies in gaps of the recording, nanoseconds.
  public private(set) var unrecorded: Int64 = 0
  /// What of `listening` is `contentFiltered` and `listedOnly`.
  public private(set) var contentFiltered: Int64 = 0
  public private(set) var listedOnly: Int64 = 0
  /// Windows with the duplicate filter on.
  public private(set) var filteredWindows = 0
  public static let mostWindows = 10_000
  private static let mostPending = 64
  /// Nanoseconds. Hosts give a controller up that has not answered by then.
  private static let longestWait: Int64 = 10_000_000_000

  /// What of a part of a window is `listedOnly`, nanoseconds; of content filters by the latest times at which one was on.
  public func listedOnly(of window: Window, from: Int64, to: Int64) -> Int64 {
    window.parameters?.hearsListedOnly == true
      ? window.listening(from: from, to: to, gaps)
      : window.contentFiltered(from: from, to: to, gaps, filteredTimes)
  }

  /// Windows of the same parameters.
  public struct Kind: Sendable {
    public let parameters: Parameters?
    public let rhythm: Rhythm
    /// As a window's.
    public let share: Double?
    /// Nanoseconds.
    public fileprivate(set) var listening: Int64

    /// For how long it hears nobody between two windows, or two times of scanning, nanoseconds; the longer of both.
    public var rest: Int64 {
      let window = parameters.map { Int64($0.interval) - Int64($0.window) } ?? 0
      let pause =
        rhythm.share == nil ? 0 : Int64(rhythm.period) * 1_280 - Int64(rhythm.duration) * 10
      return max(0, window * 625_000, pause * 1_000_000)
    }
  }

  /// The windows by their parameters, those that last longest first.
  public var byParameters: [Kind] {
    var found: [Kind] = []
    for window in windows where window.start.isKnown && window.end.isKnown {
      let place = found.firstIndex {
        $0.parameters == window.parameters && $0.rhythm == window.rhythm
      }
      if let place {
        let (sum, overflow) = found[place].listening.addingReportingOverflow(window.listening)
        found[place].listening = overflow ? .max : sum
      } else {
        found.append(
          Kind(
            parameters: window.parameters, rhythm: window.rhythm, share: window.share,
            listening: window.listening))
      }
    }
    return found.sorted { $0.listening > $1.listening }
  }

  private struct Pending: Sendable {
    var opcode: UInt16 = 0
    var parameters: Parameters?
    var enable: (on: Bool, filter: Bool)?
    /// Of an extended enable.
    var rhythm = Rhythm()
    var filter: (of: ContentFilter.Kind, order: ContentFilter.Order?, time: Timestamp)?
  }
  private var contentFilter = ContentFilter()
  private var filteredTimes = FilteredTimes()
  private var pending: [Pending] = []
  private var parameters: Parameters?
  private var open: (start: Timestamp, parameters: Parameters?, rhythm: Rhythm, filter: Bool)?

  /// Whether the scan that is known to go on leaves duplicates out; nil where none is known.
  public var filtersNow: Bool? { open?.filter }

  /// Whom the scan that is known to go on leaves out.
  var limitsNow: ScanLimits {
    var limits: ScanLimits = open?.filter == true ? .duplicates : []
    // A content filter holds of a scan whose beginning was not seen, too.
    if open?.parameters?.hearsListedOnly == true || contentFilter.hides { limits.insert(.unlisted) }
    return limits
  }

  /// Which part of its time the scan that is known to go on listens, 0…1; nil where none is known, or neither its
  /// parameters nor its rests are.
  var shareNow: Double? { open.flatMap { $0.parameters?.share ?? $0.rhythm.share } }

  static let setParameters: UInt16 = 0x200B
  static let setEnable: UInt16 = 0x200C
  static let setExtendedParameters: UInt16 = 0x2041
  static let setExtendedEnable: UInt16 = 0x2042
  static let reset: UInt16 = 0x0C03

  /// A command on its way; it counts when its Command Complete says so. Returns whether it was
  /// shorter than its layout.
  mutating func command(opcode: UInt16, _ bytes: RawSpan, at time: Timestamp) -> Bool {
    var order = Pending(opcode: opcode)
    switch opcode {
    case Self.setParameters:
      guard bytes.byteCount >= 7 else { return forget(opcode) }
      order.parameters = Parameters(
        isActive: bytes.u8(0) == 1, interval: bytes.le16(1), window: bytes.le16(3),
        hearsListedOnly: bytes.u8(6) & 1 == 1)
    case Self.setEnable:
      guard bytes.byteCount >= 2 else { return forget(opcode) }
      order.enable = (bytes.u8(0) == 1, bytes.u8(1) != 0)
    case Self.setExtendedParameters:
      // Parameters of the first PHY named: 1M where it is scanned, otherwise coded.
      guard bytes.byteCount >= 3 else { return forget(opcode) }
      if bytes.u8(2) & 0x05 != 0 {
        guard bytes.byteCount >= 8 else { return forget(opcode) }
        order.parameters = Parameters(
          isActive: bytes.u8(3) == 1, interval: bytes.le16(4), window: bytes.le16(6),
          hearsListedOnly: bytes.u8(1) & 1 == 1)
      }
    case Self.setExtendedEnable:
      guard bytes.byteCount >= 6 else { return forget(opcode) }
      order.enable = (bytes.u8(0) == 1, bytes.u8(1) != 0)
      order.rhythm = Rhythm(duration: bytes.le16(2), period: bytes.le16(4))
    case Self.reset: break
    case ContentFilter.opcode:
      // Several of them may be on their way, and are done in their order; what has waited for long is not answered
      // any more.
      pending.removeAll { $0.filter.map { Self.isGivenUp($0.time, at: time) } ?? false }
      order.filter = (ContentFilter.Kind(bytes), ContentFilter.order(bytes), time)
      if pending.count >= Self.mostPending { pending.removeAll { $0.opcode == opcode } }
      pending.append(order)
      return false
    default: return false
    }
    pending.removeAll { $0.opcode == opcode }
    pending.append(order)
    return false
  }

  private static func isGivenUp(_ sent: Timestamp, at time: Timestamp) -> Bool {
    let (age, overflow) = time.nanoseconds.subtractingReportingOverflow(sent.nanoseconds)
    return overflow || age > longestWait
  }

  private mutating func forget(_ opcode: UInt16) -> Bool {
    pending.removeAll { $0.opcode == opcode }
    return true
  }

  /// Command Complete; `status` 0 makes the command count. Returns what it changed.
  /// - Parameter filter: of a command of the content filter, which one it says that it was.
  mutating func complete(
    opcode: UInt16, status: UInt8, filter: ContentFilter.Kind, at time: Timestamp
  ) -> ObserverNote.Kind? {
    if opcode == ContentFilter.opcode { return completeFilter(status, filter, at: time) }
    guard let place = pending.firstIndex(where: { $0.opcode == opcode }) else { return nil }
    let order = pending.remove(at: place)
    guard status == 0 else { return nil }
    if let new = order.parameters { parameters = new }
    if let enable = order.enable {
      close(at: time, enable.on ? .restarted : .disabled)
      if enable.on {
        var own = parameters
        own?.duration = order.rhythm.duration
        own?.period = order.rhythm.period
        open = (time, own, order.rhythm, enable.filter)
      }
      return enable.on ? .scanOn : .scanOff
    }
    guard opcode == Self.reset else { return nil }
    close(at: time, .reset)
    parameters = nil
    forgetFilter(at: time)
    return .reset
  }

  /// Those that went before it without an answer are not counted.
  private mutating func completeFilter(
    _ status: UInt8, _ kind: ContentFilter.Kind, at time: Timestamp
  ) -> ObserverNote.Kind? {
    let known = pending.firstIndex { $0.filter.map { kind.answers($0.of) } ?? false }
    guard let known, let filter = pending[known].filter else { return nil }
    let behind = pending[(known + 1)...]
    pending = pending[..<known].filter { $0.filter == nil } + behind
    guard status == 0, let order = filter.order else { return nil }
    let hid = contentFilter.hides
    contentFilter.apply(order)
    filteredTimes.note(contentFilter.hides, at: time)
    return contentFilter.hides == hid ? nil : .scanLimits
  }

  private mutating func forgetFilter(at time: Timestamp) {
    contentFilter = ContentFilter()
    filteredTimes.note(false, at: time)
    pending.removeAll { $0.opcode == ContentFilter.opcode }
  }

  /// The adapter has gone: its next life begins with nothing known.
  mutating func adapterRemoved(at time: Timestamp) {
    close(at: time, .adapterRemoved)
    parameters = nil
    forgetFilter(at: time)
    pending.removeAll()
  }

  /// When the scan that is known to go on ended by the duration that its command gave it: it has been over for a while,
  /// and no Scan Timeout came, which may not be in the capture. Nil where it goes on.
  func overdueEnd(at time: Timestamp) -> Timestamp? {
    guard let open, open.rhythm.duration > 0, open.rhythm.period == 0, time.isKnown else {
      return nil
    }
    let end = open.start.later(by: Int64(open.rhythm.duration) * 10_000_000)
    guard end.isKnown, end.nanoseconds < time.nanoseconds else { return nil }
    let (wait, overflow) = time.nanoseconds.subtractingReportingOverflow(end.nanoseconds)
    return overflow || wait >= Self.timeoutWait ? end : nil
  }

  /// Nanoseconds for which a Scan Timeout is waited for.
  private static let timeoutWait: Int64 = 1_000_000_000

  mutating func close(at time: Timestamp, _ reason: EndReason) {
    let end = overdueEnd(at: time)
    guard let window = open else { return }
    open = nil
    keep(
      Window(
        start: window.start, end: end ?? time, endReason: end == nil ? reason : .timeout,
        parameters: window.parameters,
        rhythm: window.rhythm, filtersDuplicates: window.filter, isInferred: false))
  }

  /// Reports without any enable: one window from the first to the last of them, before all others.
  /// - Parameter reason: what ended it.
  mutating func infer(first: Timestamp, last: Timestamp, _ reason: EndReason) {
    guard first.isKnown, last.isKnown else { return }
    let isOnly = windows.isEmpty && windowsNotListed == 0
    // Where a clock was set back nobody knows which was before which.
    guard isOnly || last.nanoseconds >= first.nanoseconds else { return }
    if let known = windows.first, known.start.isKnown, known.start.nanoseconds < last.nanoseconds {
      return
    }
    let window = measured(
      Window(
        start: first, end: last, endReason: reason, parameters: isOnly ? parameters : nil,
        rhythm: Rhythm(), filtersDuplicates: nil, isInferred: true))
    windows.insert(window, at: 0)
    guard windows.count > Self.mostWindows else { return }
    windows.removeLast()
    windowsNotListed += 1
  }

  private mutating func keep(_ window: Window) {
    let window = measured(window)
    if window.filtersDuplicates == true { filteredWindows += 1 }
    if windows.count < Self.mostWindows { windows.append(window) } else { windowsNotListed += 1 }
  }

  /// With how long it listened, which counts in the sums.
  private mutating func measured(_ window: Window) -> Window {
    var window = window
    if window.start.isKnown, window.end.isKnown {
      let (from, to) = (window.start.nanoseconds, window.end.nanoseconds)
      let span = to.subtractingReportingOverflow(from)
      if !span.overflow, span.partialValue > 0 {
        let gaps = min(gaps.length(from: from, to: to), span.partialValue)
        window.measure(self.gaps, filteredTimes)
        let sum = listening.addingReportingOverflow(window.listening)
        if !sum.overflow {
          listening = sum.partialValue
          contentFiltered += window.contentFiltered
          listedOnly += window.listedOnly
        }
        let without = unrecorded.addingReportingOverflow(gaps)
        if !without.overflow { unrecorded = without.partialValue }
      }
    }
    return window
  }
}
