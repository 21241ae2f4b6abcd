/// Everything a container said beside its records: warnings by code, damage, interfaces, drops.
public struct ContainerLog: Sendable {
  /// A warning: how often, and where it was seen first.
  public struct Note: Sendable {
    public var count: Int
    /// Frame number (1-based) nearest to the first one, 0 where there was none yet.
    public let firstFrame: Int
    /// Byte of the (unpacked) input.
    public let firstOffset: Int64
    public let detail: String
  }

  /// Bytes that could not be read as records.
  public struct Gap: Sendable {
    public let offset: Int64
    public let bytes: Int64
    public let reason: ProblemCode
    public let detail: String
    /// The first frame after the gap; nil where nothing readable followed.
    public let resumedAtFrame: Int?
    /// Of the last frame before it that has a time, and of the frame after it, as they stand in the capture:
    /// where the clock went on, what is missing was recorded between them. None where there is none.
    public internal(set) var from = Timestamp.none
    public internal(set) var to = Timestamp.none
    /// Number that the first frame behind it has, or would have.
    let frame: Int

    init(
      offset: Int64, bytes: Int64, reason: ProblemCode, detail: String, frame: Int,
      isResumed: Bool = true
    ) {
      self.offset = offset
      self.bytes = bytes
      self.reason = reason
      self.detail = detail
      self.frame = frame
      resumedAtFrame = isResumed ? frame : nil
    }

    /// Whether it is a capture of another container, which can be read by itself.
    public var isAnotherCapture: Bool { detail.hasSuffix(OtherContainer.advice) }

    func corrected(_ correction: ClockCorrection) -> Gap {
      var gap = self
      gap.from = correction.corrected(from)
      gap.to = correction.corrected(to)
      return gap
    }
  }

  public private(set) var notes: [ProblemCode: Note] = [:]
  public private(set) var gaps: [Gap] = []
  /// Those before it know the frames on both sides.
  private var timed = 0
  /// Gaps found beyond `maximumGaps`: counted in `notes`, not listed.
  public static let maximumGaps = 1000
  public var interfaces: [CaptureInterface] = []
  public var fixes: [PositionFix] = []
  /// What was said behind the records of the last batch: a batch ends there.
  public var marks: [CaptureMark] = []
  /// Packets the recorder says it could not keep.
  public var lost = CaptureLosses()
  /// When nothing was captured, in the order of the container; beyond `maximumPauses` only counted.
  public private(set) var pauses: [CapturePause] = []
  public private(set) var pausesNotListed = 0
  public static let maximumPauses = 1000
  /// What recorders say of whole sections (pcapng `opt_comment`): the first 8, of each its first 1 000 bytes.
  public private(set) var comments: [String] = []
  static let maximumComments = 8
  /// Of pcapng.
  public internal(set) var unread = UnreadWords()
  /// Records so far: the number of the last frame.
  public var frames = 0

  public init() {}

  public mutating func note(
    _ code: ProblemCode, frame: Int, offset: Int64, _ detail: @autoclosure () -> String = ""
  ) {
    if notes[code] != nil {
      notes[code]?.count += 1
    } else {
      notes[code] = Note(count: 1, firstFrame: frame, firstOffset: offset, detail: detail())
    }
  }

  mutating func comment(_ text: String) {
    if comments.count < Self.maximumComments { comments.append(text) }
  }

  /// Something said between records; the batch under way has to end with it.
  mutating func mark(_ mark: CaptureMark) {
    marks.append(mark)
    switch mark.kind {
    case .lost: lost.note(mark.time)
    case .off:
      guard pauses.count < Self.maximumPauses else { return pausesNotListed += 1 }
      pauses.append(CapturePause(interface: mark.interface, from: mark.time, to: .none))
    case .on:
      let open = pauses.lastIndex { $0.interface == mark.interface && !$0.to.isKnown }
      if let open { pauses[open].to = mark.time }
    }
  }

  public mutating func gap(_ gap: Gap) {
    note(
      .damageSkipped, frame: frames + 1, offset: gap.offset, "\(gap.bytes) bytes: \(gap.detail)")
    if gaps.count < Self.maximumGaps { gaps.append(gap) }
  }

  /// Whether gaps wait for the frames on both sides, whose times are known while their batch is there only.
  var hasUntimedGaps: Bool { timed < gaps.count }

  /// Of the first `count` records; nil where none has one.
  static func lastTime(of records: Span<CaptureRecord>, before count: Int) -> Timestamp? {
    var place = min(count, records.count) - 1
    while place >= 0 {
      if records[place].time.isKnown { return records[place].time }
      place -= 1
    }
    return nil
  }

  /// - Parameters:
  ///   - records: the batch that has just been read.
  ///   - last: known time of a record before it, the latest one; none where there is none.
  mutating func timeGaps(_ records: Span<CaptureRecord>, after last: Timestamp) {
    let first = records.isEmpty ? frames + 1 : records[0].frame
    for place in timed..<gaps.count {
      let behind = gaps[place].frame - first
      // The record before it may be held back.
      guard behind <= records.count else { continue }
      if !gaps[place].from.isKnown {
        gaps[place].from = Self.lastTime(of: records, before: behind) ?? last
      }
      guard behind < records.count else { continue }
      if behind >= 0 { gaps[place].to = records[behind].time }
      timed = place + 1
    }
  }
}

/// An interface of a capture: one radio, or one host controller.
public struct CaptureInterface: Sendable {
  public let link: LinkType
  /// The recorder's name for it (pcapng `if_name`), if it gave one.
  public let name: String?
  /// Bits of frame check sequence the file says it keeps (pcap, pcapng); nil where it does not say.
  public let frameCheckBits: Int?

  public init(link: LinkType, name: String? = nil, frameCheckBits: Int? = nil) {
    self.link = link
    self.name = name
    self.frameCheckBits = frameCheckBits
  }
}

/// A position written into the capture (PPI-GPS, Kismet's pcapng option), degrees WGS 84 and metres.
public struct PositionFix: Sendable, Equatable {
  public internal(set) var time: Timestamp
  /// The record that carries it, 1-based.
  public let frame: Int
  public let latitude: Double
  public let longitude: Double
  public let altitude: Double?
  /// Horizontal error in metres, where the recorder gives one.
  public let accuracy: Double?

  public init(
    time: Timestamp, frame: Int, latitude: Double, longitude: Double, altitude: Double?,
    accuracy: Double? = nil
  ) {
    self.time = time
    self.frame = frame
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.accuracy = accuracy
  }
}
