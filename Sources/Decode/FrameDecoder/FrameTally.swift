/// Records by class, reasons and warnings by code, each with the first frame that shows it.
public struct FrameTally: Sendable {
  public struct Count: Sendable {
    public var count = 0
    /// 0 where there is none.
    public var firstFrame = 0

    public init() {}

    @inlinable @inline(__always)
    public mutating func add(_ frame: Int) {
      count += 1
      if firstFrame == 0 { firstFrame = frame }
    }
  }

  /// Nearly every record is in one of two classes: these are plain numbers.
  public var advertising = 0
  public var other = 0
  /// The rest, by `RecordClass.rawValue`.
  private var odd = [Int](repeating: 0, count: RecordClass.allCases.count)
  /// By class, then reason: a reason may make a frame `malformed` or `truncated`.
  public var reasons = [[Count]](
    repeating: [Count](repeating: Count(), count: FrameReason.names.count),
    count: RecordClass.allCases.count)
  /// By bit of `FrameWarnings`.
  public var warnings = [Count](repeating: Count(), count: FrameWarnings.names.count)
  /// Reports handed on.
  public var reports = 0
  /// Advertising records that the recorder cut, so that the reports at their end are missing.
  public var cutOff = Count()

  public init() {}

  public mutating func warn(_ set: FrameWarnings, frame: Int) {
    var bits = set.rawValue
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      if bit < warnings.count { warnings[bit].add(frame) }
    }
  }

  public mutating func add(_ kind: RecordClass) {
    switch kind {
    case .advertising: advertising += 1
    case .other: other += 1
    default: odd[Int(kind.rawValue)] += 1
    }
  }

  public var records: Int { RecordClass.allCases.reduce(0) { $0 + count($1) } }

  public func count(_ kind: RecordClass) -> Int {
    switch kind {
    case .advertising: advertising
    case .other: other
    default: odd[Int(kind.rawValue)]
    }
  }
}
