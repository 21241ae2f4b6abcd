import Synchronization

/// Records a capture while it is analysed: `--write FILE`. What cannot be written is counted, and
/// tried again; the analysis goes on.
package final class CaptureRecorder: ItemRecorder, Sendable {
  package struct Settings: Sendable {
    /// Its ending says in what form: `.pcapng`; `.btsnoop`, `.snoop` or `.log`.
    package var path: String
    /// Whether a file of that name may go. Rotating files never overwrite any.
    package var overwrites = false
    package var rotation: Rotation?
    package var sync = SyncPolicy.every(seconds: 5)

    package init(_ path: String) { self.path = path }
  }

  /// As the user named it.
  package let path: String
  private let recording: Mutex<Recording>
  // Apart, so that nobody who asks waits for a disk.
  private let shown: Mutex<RecordingState>

  /// Without rotation the file is made at once; with it when the first item comes, whose time it is
  /// named for. Open after privileges are dropped: later files are made with what is left of them.
  /// - Parameter clock: nanoseconds of a clock that goes on by itself, from any moment.
  package init(
    _ settings: Settings, interfaces: [PcapngWriter.Interface],
    clock: @escaping @Sendable () -> Int64
  ) throws(RecordingProblem) {
    path = settings.path
    let recording = try Recording(settings, interfaces, clock)
    shown = Mutex(recording.state)
    self.recording = Mutex(recording)
  }

  package func take(_ item: CaptureItem, frame: Int) {
    change { $0.take(item, frame: frame) }
  }

  package func pause() { change { $0.pause() } }

  package func end() { change { $0.end() } }

  private func change(_ body: (inout Recording) -> Void) {
    let state = recording.withLock { recording -> RecordingState? in
      let before = recording.changes
      body(&recording)
      return recording.changes == before ? nil : recording.state
    }
    if let state { shown.withLock { $0 = state } }
  }

  /// How it goes; from any thread.
  package var state: RecordingState { shown.withLock { $0 } }
}
