public import CaptureReader

/// A report on which a decoder of somebody's own failed.
public struct UndecodedReport: BitwiseCopyable, Sendable {
  /// Of the report; unknown where it has none.
  public let time: Timestamp
  public let frame: Int
  /// Index into the decoder's observers.
  public let observer: UInt16
  /// The decoder's number, + 1, where it has been switched off; 0: it goes on.
  public let decoderOff: UInt8

  public init(time: Timestamp, frame: Int, observer: UInt16, decoderOff: UInt8) {
    self.time = time
    self.frame = frame
    self.observer = observer
    self.decoderOff = decoderOff
  }
}

extension FrameDecoder {
  /// Puts among the notes of the batch that nobody knows what these reports of it hold, which are in their order.
  /// Reports between which there is no other note are one note: a decoder that has been switched off has many.
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
      let note = note(report, frame)
      if let last = merged.last, last.kind == .undecoded, last.code == 0, note.code == 0,
        last.observer == note.observer
      {
        merged[merged.count - 1] = note.counting(last)
      } else {
        merged.append(note)
      }
    }
    notes = merged + notes[next...]
  }

  private mutating func note(_ report: UndecodedReport, _ frame: Int) -> ObserverNote {
    let index = Int(report.observer)
    let watch = index == lastObserver.index ? watch : observers[index].watch
    let isNews = report.decoderOff > 0 && decodersOff.insert(report.decoderOff).inserted
    return ObserverNote(
      time: report.time.isKnown ? report.time : watch.clock, frame: frame,
      observer: report.observer, kind: .undecoded, lastRecord: watch.clock,
      lastReport: watch.lastReport, reports: watch.reports, code: isNews ? report.decoderOff : 0,
      step: 1)
  }
}

extension ObserverNote {
  /// What was not decoded just before it is of this note, too. It is not earlier than either: a silence that begins
  /// between them may have one too many, and none too few.
  fileprivate func counting(_ before: ObserverNote) -> ObserverNote {
    ObserverNote(
      time: time.nanoseconds < before.time.nanoseconds ? before.time : time, frame: frame,
      observer: observer, kind: kind, lastRecord: lastRecord, lastReport: lastReport,
      reports: reports, step: before.step + step)
  }
}
