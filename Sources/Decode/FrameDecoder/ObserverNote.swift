public import CaptureReader

/// What happened to an observer beside the reports it handed on: what tells "gone" from "we were
/// deaf". Notes come in the order of the capture, between the sightings of a batch.
public struct ObserverNote: BitwiseCopyable, Equatable, Sendable {
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The first record behind the end of a second of the observer's clock. A pause of a second or
    /// longer always has one at its end; an observer's first record of known time has one too, and a
    /// record from before the clock, where others came since the tick before. `Options.tick` makes
    /// seconds shorter.
    /// While no report has come for a second there is one every hundredth of a second, so that the
    /// report that ends a silence is soon known.
    case tick
    /// Scanning is known to go on from here.
    case scanOn
    /// Scanning is known to be off from here: disabled, or timed out.
    case scanOff
    /// The controller was reset or removed; it does not scan from here.
    case reset
    /// The observer's last record is behind: `time` is that of its latest record, `frame` is
    /// `Int.max`, as it comes behind whatever waited for the end; `step` is the capture's last frame.
    case end
    /// A record that `FrameTally` counts as malformed; `code` tells why. Only where
    /// `FrameDecoder.Options.notesMalformed` asks for it. One that the recorder cut or whose checksum
    /// is wrong is not malformed. Told of the observer that was heard last on the record's interface;
    /// before any was, and on link types that cannot be read, nothing is told.
    case malformed
    /// The time of a record is before that of the one before of its interface, or more than ten
    /// minutes behind it; `step` tells how much. Only where `FrameDecoder.Options.notesClock` asks
    /// for it. Told of the record's observer, of the one that was heard last on its interface where
    /// it has none, and of nobody before any was heard.
    case clock
    /// `packetsLost` packets of the observer's interface did not get into the capture. Of several
    /// controllers behind one interface each has the note: nobody knows whose they were.
    case lost
    /// From here on nothing is captured on the observer's interface, whether or not it scans.
    case captureOff
    /// Capturing goes on.
    case captureOn
    /// Live: nothing has come of the observer for so long that its next record is going to be noted,
    /// and the time is this. Only a pause that goes on has such notes, and they say nothing that the
    /// note at its end would not say, too.
    case silence
    /// A decoder of somebody's own failed on the record, or had been switched off: what it would have found
    /// is missing. Such notes come from who decodes beacons (`FrameDecoder.noteUndecoded`); those that come one after the other are one.
    case undecoded
    /// The scan goes on, and leaves out others than before: `scanLimits`.
    case scanLimits

    /// Whether it only tells of a record or a loss: what is followed does not depend on it.
    @inlinable
    public var isRemark: Bool {
      self == .malformed || self == .clock || self == .lost || self == .undecoded
    }
    /// Whether capturing stopped or went on.
    @inlinable
    public var isOfCapturing: Bool { self == .captureOff || self == .captureOn }
    /// Whether it tells of a time at which there is no record.
    @inlinable
    public var isBetweenRecords: Bool { isOfCapturing || self == .silence }
  }

  /// The observer's clock. Not before that of any note of this observer that came earlier, remarks
  /// (`Kind.isRemark`), pauses and silences aside: theirs is the time of their record (unknown where it has none), what the
  /// capture tells, or the wall clock's, or the observer's clock where that is later.
  public let time: Timestamp
  /// The record that led to it, or the one before (`isBehind`).
  public let frame: Int
  /// Index into the decoder's observers.
  public let observer: UInt16
  public let kind: Kind
  /// Of a malformed record: raw value of its `FrameReason`. Of a scan that begins, or goes on with others:
  /// raw value of its `ScanLimits`. 0 for any other note.
  public let code: UInt8
  /// Whether it comes behind its record and all that is in it.
  public let isBehind: Bool
  /// Of a clock: nanoseconds from the time before to the new one, negative for a step back. Of a loss:
  /// how many packets. Of what was not decoded: how many reports, of which this is the last. Of an end: the
  /// capture's last frame. Of a scan that begins: millionths of its time that it listens; 0: not known.
  public let step: Int64
  /// The observer's clock before this record; unknown with its first.
  public let lastRecord: Timestamp
  /// The clock at its latest report of any advertiser before this record.
  public let lastReport: Timestamp
  /// Its reports of any advertiser before this record.
  public let reports: Int
  /// Of a loss: see `CaptureMark.since`; unknown for any other note.
  public let lostSince: Timestamp
  /// Who failed, and on whose report; nil for any other note.
  public let undecoded: Undecoded?

  public init(
    time: Timestamp, frame: Int, observer: UInt16, kind: Kind, lastRecord: Timestamp,
    lastReport: Timestamp, reports: Int, code: UInt8 = 0, step: Int64 = 0, isBehind: Bool = false,
    lostSince: Timestamp = .none, undecoded: Undecoded? = nil
  ) {
    self.time = time
    self.frame = frame
    self.observer = observer
    self.kind = kind
    self.code = code
    self.step = step
    self.isBehind = isBehind
    self.lastRecord = lastRecord
    self.lastReport = lastReport
    self.reports = reports
    self.lostSince = lostSince
    self.undecoded = undecoded
  }

  /// Why a record is malformed.
  public var reason: FrameReason { FrameReason(rawValue: code) }

  /// Of a scan that begins: the part of its time that it listens, 0…1; nil where that is not known, and for
  /// any other note.
  public var scanShare: Double? { kind == .scanOn && step > 0 ? Double(step) / 1e6 : nil }

  /// What a scan leaves out that begins, or goes on leaving out others; nothing for any other note.
  public var scanLimits: ScanLimits {
    ScanLimits(rawValue: kind == .scanOn || kind == .scanLimits ? code : 0)
  }

  /// Packets that a loss is about; 0 for any other note.
  public var packetsLost: Int64 { kind == .lost ? step : 0 }

  /// Sightings of frames before this one come before it, all others behind it.
  @inlinable
  public var place: Int { isBehind && frame < .max ? frame + 1 : frame }
}

/// Whom a scan leaves out, by the commands that began it.
public struct ScanLimits: OptionSet, BitwiseCopyable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The controller's duplicate filter: who was heard once is not heard again.
  public static let duplicates = ScanLimits(rawValue: 1)
  /// Only advertisers on the controller's list are heard.
  public static let unlisted = ScanLimits(rawValue: 2)
}
