import Dispatch
import Synchronization

/// Writes the packets of the minutes before and after an alert: `--write-on-alert NAME`. Until then
/// they are kept in memory.
///
/// A file is written when its alert comes, with what was before, and again, in its place, every ten
/// seconds and when the time after it is over: a kill costs no more than that. An alert within that time
/// lengthens it, and has no file of its own.
package final class AlertRecorder: ItemRecorder, Sendable {
  package struct Settings: Sendable {
    /// Files are `NAME-20260101T120000Z-<alert>.pcapng`; the ending may stand in the name.
    package var name: String
    /// Nanoseconds.
    package var before: Int64 = 120_000_000_000
    package var after: Int64 = 60_000_000_000
    /// Most bytes of packets in memory.
    package var mostBytes = 64 << 20
    /// Unless never, a file is on the disk before it takes its name.
    package var sync = SyncPolicy.every(seconds: 5)
    /// Whether who hands in packets waits for a disk that does not keep up: files that are replayed can, a
    /// radio cannot.
    package var waitsForDisk = false

    package init(_ name: String) { self.name = name }
  }

  package struct State: Equatable, Sendable {
    /// Latest file; empty before the first.
    package var path = ""
    package var files = 0
    /// Files that could not be written, or not with everything that was to be in them.
    package var notWritten = 0
    /// Files that wait for the disk, each with its packets in memory.
    package var waiting = 0
    /// Packets that went before their time because memory was full.
    package var gone = 0
    /// What went wrong last; nil where nothing did, or where it was done later.
    package var problem: String?
  }

  /// Alerts follow packets at a distance: so much longer than `before` packets are kept, nanoseconds, by
  /// the packets' clock and by that of whoever gives alerts.
  private static let lag: Int64 = 30_000_000_000

  private static let mostWaiting = 4

  private struct Watch {
    var ring: ItemRing
    var window: AlertWindow?
    /// When the file under way was last written, by the packets' clock.
    var writtenAt: Int64 = .min
    /// Up to when alerts have been given; nil: nobody said.
    var reached: Int64?
  }

  /// A file under way is written again after so much of the packets' time, nanoseconds.
  private static let rewriteAfter: Int64 = 10_000_000_000

  private let settings: Settings
  private let stem: String
  private let interfaces: [PcapngWriter.Interface]
  private let watch: Mutex<Watch>
  private let shown = Mutex(State())
  private let queue = DispatchQueue(label: "recording.alerts")

  package init(_ settings: Settings, interfaces: [PcapngWriter.Interface])
    throws(RecordingProblem)
  {
    let ending = RecordedForm.ending(settings.name)
    guard ["", ".pcapng"].contains(ending) else {
      throw RecordingProblem(
        path: settings.name, what: "packets around alerts are written as pcapng, not as \(ending)",
        remedy: "Leave the ending out, or name it .pcapng.")
    }
    let folder = RotatedNames(settings.name).folder
    guard RecordingFile.canWrite(folder: folder.isEmpty ? "." : folder) else {
      throw RecordingProblem(
        path: settings.name, what: "no files can be made in \(folder.isEmpty ? "." : folder)",
        remedy: "Make the folder, or choose one that can be written to.")
    }
    self.settings = settings
    self.interfaces = interfaces
    stem = String(settings.name.dropLast(ending.count))
    watch = Mutex(Watch(ring: ItemRing(mostBytes: settings.mostBytes)))
  }

  package var state: State { shown.withLock { $0 } }

  package func take(_ item: CaptureItem, frame: Int) {
    watch.withLock { watch in
      if let window = watch.window {
        // An alert that is still to come may lengthen it.
        if min(item.nanoseconds, watch.reached ?? .max) > window.until {
          write(window, watch.ring, isWhole: true)
          watch.window = nil
        } else if !watch.ring.hasRoom(for: item) {
          write(window, watch.ring, isWhole: true)
          watch.ring.removeAll()
          let next = path(window.causes[0], part: window.part + 1)
          watch.window = AlertWindow(after: window, path: next)
        } else if item.nanoseconds <= window.until,
          item.nanoseconds.minus(watch.writtenAt) > Self.rewriteAfter
        {
          write(window, watch.ring, isWhole: false)
          watch.writtenAt = item.nanoseconds
        }
      }
      let before = watch.ring.gone
      watch.ring.put(
        item, frame: frame, keeping: settings.before + Self.lag, at: watch.reached,
        holdsAll: watch.window != nil)
      let gone = watch.ring.gone
      if gone != before { shown.withLock { $0.gone = gone } }
    }
  }

  package func pause() {}

  /// Whoever gives alerts has come so far, nanoseconds since 1970, or has yet to begin (the smallest
  /// number): in a replay as fast as may be that is far behind the packets. Without a call alerts are
  /// taken to keep up with them.
  package func reach(_ time: Int64) { watch.withLock { $0.reached = time } }

  /// Writes what is under way.
  package func end() {
    // Nothing comes any more that could not wait.
    queue.sync {}
    watch.withLock { watch in
      if let window = watch.window { write(window, watch.ring, isWhole: true) }
      watch.window = nil
    }
    queue.sync {}
  }

  /// An alert was given.
  /// - Parameters:
  ///   - id: as it is shown; of letters and digits.
  ///   - frames: numbers of the frames that it cites.
  ///   - time: nanoseconds since 1970.
  package func alert(_ id: String, frames: [Int], time: Int64, title: String) {
    let cause = AlertWindow.Cause(id: id, title: title, time: time, frames: frames)
    watch.withLock { watch in
      if watch.window != nil {
        watch.window?.extend(cause, until: time.minus(-settings.after))
        return
      }
      // What a silence cites is as old as that: just before, and kept still.
      let cited = watch.ring.earliest(of: frames) ?? .max
      let window = AlertWindow(
        path: path(cause, part: 1), from: min(time.minus(settings.before), cited),
        until: time.minus(-settings.after),
        cause: cause)
      watch.window = window
      watch.writtenAt = time
      write(window, watch.ring, isWhole: false)
    }
  }

  /// A name that no file has.
  private func path(_ cause: AlertWindow.Cause, part: Int) -> String {
    let id = cause.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let base = "\(stem)-\(FileTime(cause.time).compact)-\(id)"
    var number = part
    while true {
      let path = base + (number == 1 ? "" : "_" + RotatedNames.digits(number)) + ".pcapng"
      if !RecordingFile.exists(path) { return path }
      number += 1
    }
  }

  /// Writes a file beside the run, in the place of what was written of it before.
  /// - Parameter isWhole: nothing more comes to it.
  private func write(_ window: AlertWindow, _ ring: ItemRing, isWhole: Bool) {
    if isWhole, settings.waitsForDisk, state.waiting >= Self.mostWaiting { queue.sync {} }
    let mayWait = shown.withLock { state -> Bool in
      guard state.waiting >= Self.mostWaiting else {
        state.waiting += 1
        return true
      }
      if isWhole {
        state.notWritten += 1
        state.problem = "the disk does not keep up"
      }
      return false
    }
    // What is not whole is written again anyway.
    guard mayWait else { return }
    let (entries, goneUntil) = (ring.all, ring.goneUntil)
    queue.async {
      let bytes = window.file(entries, self.interfaces, goneUntil: goneUntil)
      let problem = Self.write(bytes, to: window.path, syncs: self.settings.sync != .never)
      self.shown.withLock { state in
        state.waiting -= 1
        if let problem {
          state.problem = problem
          // What is not whole is written again: nothing is lost yet.
          if isWhole { state.notWritten += 1 }
          return
        }
        if state.notWritten == 0 { state.problem = nil }
        guard state.path != window.path else { return }
        state.path = window.path
        state.files += 1
      }
    }
  }

  /// Returns what went wrong.
  private static func write(_ bytes: [UInt8], to path: String, syncs: Bool) -> String? {
    let part = path + ".part"
    do throws(OutputProblem) {
      var file = try OutputFile.create(part)
      file.pending = bytes
      try file.end(syncs: syncs)
    } catch {
      _ = RecordingFile.remove(part)
      return error.reason
    }
    return RecordingFile.replace(path, by: part, syncs: syncs)
  }
}
