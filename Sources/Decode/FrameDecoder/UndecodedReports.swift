public import CaptureReader

/// A decoder of somebody's own that failed, and the sender of the report on which it did.
public struct Undecoded: BitwiseCopyable, Equatable, Sendable {
  /// Its number; 2¹⁶ − 1: that or a higher one.
  public let decoder: UInt16
  public let sender: DeviceAddress
  /// Of several decoders that failed on one report the first: each report has one.
  public let isFirst: Bool
  /// It has just been switched off: said once of each.
  public let isSwitchedOff: Bool

  public init(decoder: UInt16, sender: DeviceAddress, isFirst: Bool, isSwitchedOff: Bool) {
    self.decoder = decoder
    self.sender = sender
    self.isFirst = isFirst
    self.isSwitchedOff = isSwitchedOff
  }
}

/// A report on which a decoder of somebody's own failed.
public struct UndecodedReport: BitwiseCopyable, Sendable {
  /// Of the report; unknown where it has none.
  public let time: Timestamp
  public let frame: Int
  /// Index into the decoder's observers.
  public let observer: UInt16
  public let what: Undecoded

  public init(time: Timestamp, frame: Int, observer: UInt16, _ what: Undecoded) {
    self.time = time
    self.frame = frame
    self.observer = observer
    self.what = what
  }
}

extension FrameDecoder {
  /// Puts among the notes of the batch that nobody knows what these reports of it hold, which are in their order.
  /// Those of one decoder and sender between which there is no other note are one note.
  public mutating func noteUndecoded(_ reports: [UndecodedReport]) {
    guard !reports.isEmpty else { return }
    var merged: [ObserverNote] = []
    merged.reserveCapacity(notes.count + 8)
    var next = 0
    var frame = 0
    for report in reports where Int(report.observer) < observers.count {
      // What was put together of several frames has the number of the first.
      frame = max(frame, report.frame)
      while next < notes.count, notes[next].place <= frame {
        merged.append(notes[next])
        next += 1
      }
      let note = Self.note(report, frame)
      if let last = merged.last, last.undecoded == note.undecoded,
        last.observer == note.observer, last.time.isKnown == note.time.isKnown,
        !report.what.isSwitchedOff
      {
        merged[merged.count - 1] = note.counting(last)
      } else {
        merged.append(note)
      }
    }
    notes = merged + notes[next...]
  }

  private static func note(_ report: UndecodedReport, _ frame: Int) -> ObserverNote {
    ObserverNote(
      time: report.time, frame: frame, observer: report.observer, kind: .undecoded,
      lastRecord: .none, lastReport: .none, reports: 0, step: 1, undecoded: report.what)
  }
}

extension ObserverNote {
  /// What was not decoded just before it is of this note, too. It is not earlier than either: a silence that begins
  /// between them may have one too many, and none too few.
  fileprivate func counting(_ before: ObserverNote) -> ObserverNote {
    ObserverNote(
      time: time.nanoseconds < before.time.nanoseconds ? before.time : time, frame: frame,
      observer: observer, kind: kind, lastRecord: lastRecord, lastReport: lastReport,
      reports: reports, step: before.step + step, undecoded: undecoded)
  }
}
