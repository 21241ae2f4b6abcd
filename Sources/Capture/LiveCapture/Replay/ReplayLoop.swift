package import CaptureReader
package import CaptureWriter
import Dispatch

/// Recorded captures as if they were just being made: several of them together by time, at their own
/// pace or another one.
package final class ReplayLoop: @unchecked Sendable {
  // Unchecked: after `start` everything belongs to the one thread.
  /// How fast the clock goes.
  package enum Pace: Equatable, Sendable {
    /// So many seconds of the captures in a second.
    case times(Double)
    /// As fast as what is behind it takes them.
    case most
  }

  package let interfaces: [PcapngWriter.Interface]
  /// First and last time of all.
  package let first: Timestamp
  package let last: Timestamp
  /// Packets of one round.
  package let packets: Int
  /// By interface: its capture, by place, its number there, and the names of all interfaces of that.
  package var origins: [(capture: Int, interface: Int, names: [String?])] {
    outlines.enumerated().flatMap { place, outline in
      outline.interfaces.map { (place, Int($0.key.interface), outline.names) }
    }
  }
  /// Captures that are damaged, and how.
  package var damages: [(path: String, sentence: String)] {
    zip(sources, outlines).filter { !$1.damage.isEmpty }.map { ($0.name, $1.damage) }
  }
  private let sources: [CaptureSource]
  private let outlines: [ReplayFile.Outline]
  private let pace: Pace
  private let isEndless: Bool
  /// When its clock begins: 1970 where no packet has a time. Nanoseconds.
  private var start: Int64 { first.isKnown ? first.nanoseconds : 0 }
  private let clock = ContinuousClock()
  private var waiting: @Sendable (Wait) -> Void = { _ in }
  /// Seconds: who waits longer is told for how long.
  private static let longWait = 60.0
  private static let second: Int64 = 1_000_000_000

  /// A time without any packet that takes more than a minute.
  package struct Wait: Sendable {
    /// By the clock of the captures, nanoseconds.
    package let length: Int64
    /// How long it takes, seconds.
    package let seconds: Double
  }

  /// Reads every capture through once. More than 65 536 interfaces are a problem.
  /// - Parameters:
  ///   - names: what interfaces without a name are called, by capture, where there are several. An
  ///     only one has none, so that its observer has the name that it has in any analysis.
  ///   - isEndless: begins anew at the end, its clock a second later.
  package init(_ sources: [CaptureSource], names: [String], pace: Pace, isEndless: Bool)
    throws(CaptureProblem)
  {
    var outlines: [ReplayFile.Outline] = []
    var interfaces: [PcapngWriter.Interface] = []
    var first = Timestamp.none
    var last = Timestamp.none
    for (place, source) in sources.enumerated() {
      let outline = try ReplayFile.outline(of: source)
      for (key, name) in outline.interfaces {
        interfaces.append(
          PcapngWriter.Interface(
            linkType: key.link.number, name: name ?? (sources.count > 1 ? names[place] : nil),
            resolution: 9))
      }
      if outline.first.isKnown {
        if !first.isKnown || outline.first.nanoseconds < first.nanoseconds {
          first = outline.first
        }
        if outline.last.nanoseconds > last.nanoseconds { last = outline.last }
      }
      guard interfaces.count <= RingEntry.mostInterfaces else {
        throw CaptureProblem(
          .cannotOpen, capture: source.name,
          detail: "has, with those before it, more than \(RingEntry.mostInterfaces) interfaces",
          remedy: "Replay fewer of them at once.")
      }
      outlines.append(outline)
    }
    self.sources = sources
    self.outlines = outlines
    self.interfaces = interfaces
    self.first = first
    self.last = last
    self.pace = pace
    self.isEndless = isEndless
    packets = outlines.reduce(0) { $0 + $1.packets }
  }

  /// Begins, on a thread of its own. The ring is closed at the end.
  /// - Parameters:
  ///   - failed: told when a capture cannot be read again.
  ///   - waiting: told when nothing comes for more than a minute.
  package func start(
    into ring: RecordRing, failed: @escaping @Sendable (CaptureProblem) -> Void,
    waiting: @escaping @Sendable (Wait) -> Void = { _ in }
  ) {
    self.waiting = waiting
    DispatchQueue(label: "beacontrace.replay", qos: .userInitiated).async {
      do throws(CaptureProblem) {
        try self.run(ring)
      } catch {
        failed(error)
      }
      ring.close()
    }
  }

  private func run(_ ring: RecordRing) throws(CaptureProblem) {
    let began = clock.now
    var shift: Int64 = 0
    repeat {
      guard try round(ring, shift: shift, began: began) else { return }
      guard first.isKnown else { return }
      let span = last.nanoseconds.moved(by: first.nanoseconds == .min ? .max : -first.nanoseconds)
      shift = shift.moved(by: span.moved(by: Self.second))
    } while isEndless
  }

  /// - Parameter shift: nanoseconds that are added to every time.
  /// - Returns: false where it was asked to stop.
  private func round(_ ring: RecordRing, shift: Int64, began: ContinuousClock.Instant)
    throws(CaptureProblem) -> Bool
  {
    var files: [ReplayFile] = []
    var firstNumber = 0
    for (source, outline) in zip(sources, outlines) {
      files.append(try ReplayFile(source, outline, firstNumber: firstNumber, start: start))
      firstNumber += outline.interfaces.count
    }
    var now = start
    while true {
      var turn: (file: ReplayFile, time: Int64)?
      for file in files {
        guard let time = try file.nextTime() else { continue }
        let known = time.isKnown ? time.nanoseconds : file.latest
        if let turn, turn.time <= known { continue }
        turn = (file, known)
      }
      guard let (file, time) = turn else {
        for file in files { tellMarks(of: file, ring, at: now, shift) }
        return !ring.isStopping
      }
      now = max(now, time)
      guard waits(until: now.moved(by: shift), ring, began: began) else { return false }
      tellMarks(of: file, ring, at: now, shift)
      file.take { record, interface, bytes in
        ring.put(
          bytes.span, nanoseconds: time.moved(by: shift),
          original: bytes.count + Int(record.originalCount) - Int(record.count),
          interface: interface, direction: CaptureItem.Direction(record.direction), waits: true)
      }
    }
  }

  /// - Parameter time: of marks that have none.
  private func tellMarks(of file: ReplayFile, _ ring: RecordRing, at time: Int64, _ shift: Int64) {
    file.takeMarks { mark, interface in
      let moment = (mark.time.isKnown ? mark.time.nanoseconds : time).moved(by: shift)
      switch mark.kind {
      case .lost:
        // Not of this run: whoever recorded lost them.
        ring.lost(mark.count, interface: interface, nanoseconds: moment, isOwn: false)
      case .off: ring.off(interface: interface, nanoseconds: moment)
      case .on: ring.on(interface: interface, nanoseconds: moment)
      }
    }
  }

  /// Waits until it is so late by the clock of the captures, and says how late it is meanwhile.
  private func waits(until time: Int64, _ ring: RecordRing, began: ContinuousClock.Instant) -> Bool
  {
    // Without times there is no pace to keep.
    guard case .times(let speed) = pace, first.isKnown else { return !ring.isStopping }
    var isTold = false
    while true {
      let passed = clock.now - began
      let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18
      let now = first.nanoseconds.moved(by: Int64(min(seconds * speed * 1e9, 9e18)))
      let left = (Double(time) - Double(now)) / speed / 1e6
      // The timer of the system is no more exact than that.
      if left < 0.5 { return !ring.isStopping }
      if !isTold, left > Self.longWait * 1e3 {
        waiting(Wait(length: time.moved(by: now == .min ? .max : -now), seconds: left / 1e3))
        isTold = true
      }
      ring.drained(until: min(now, time))
      guard ring.pauses(milliseconds: Int32(min(100, max(1, left)))) else { return false }
    }
  }

}

extension Int64 {
  /// Stays where there is no further.
  fileprivate func moved(by span: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(span)
    return overflow ? (span > 0 ? .max : .min) : sum
  }
}
