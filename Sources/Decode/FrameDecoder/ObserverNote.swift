public import CaptureReader

/// What happened to an observer beside the reports it handed on: what tells "gone" from "we were
/// deaf". Notes come in the order of the capture, between the sightings of a batch.
public struct ObserverNote: BitwiseCopyable, Equatable, Sendable {
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The first record behind the end of a second of the observer's clock. A pause of a second or
    /// longer always has one at its end; an observer's first record of known time has one too.
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
    /// `Int.max`, as it comes behind whatever waited for the end.
    case end
  }

  /// Not before that of any note of this observer that came earlier (the observer's clock).
  public let time: Timestamp
  /// The record that led to it.
  public let frame: Int
  /// Index into the decoder's observers.
  public let observer: UInt16
  public let kind: Kind
  /// The observer's clock before this record; unknown with its first.
  public let lastRecord: Timestamp
  /// The clock at its latest report of any advertiser before this record.
  public let lastReport: Timestamp
  /// Its reports of any advertiser before this record.
  public let reports: Int

  public init(
    time: Timestamp, frame: Int, observer: UInt16, kind: Kind, lastRecord: Timestamp,
    lastReport: Timestamp, reports: Int
  ) {
    self.time = time
    self.frame = frame
    self.observer = observer
    self.kind = kind
    self.lastRecord = lastRecord
    self.lastReport = lastReport
    self.reports = reports
  }
}
