import Plugins

/// The files that a live run reads and writes.
enum LiveFiles {
  /// - Parameter captures: what is replayed; folders stand for what is in them.
  static func all(
    _ captures: [String], _ follow: FollowOptions, _ output: LiveOutputOptions,
    _ recording: RecordingOptions, _ state: StateOptions
  ) -> RunFiles {
    var files = RunFiles()
    files.reads(captures, "a capture")
    follow.add(to: &files)
    if let file = recording.file {
      if recording.rotates {
        files.rotates(file, "--write", removes: recording.keep != nil)
      } else {
        files.writes(file, "--write")
      }
    }
    files.writes(output.alertFile, "--alerts")
    files.writes(output.undeliveredFile, "--undelivered")
    files.writes(output.statusFile, "--status", beside: [".lock", ".new"])
    files.writes(state.file, "--state", beside: [".lock", ".new", ".damaged"])
    return files
  }

  /// Once more, when everything has been read that is read before anything is written.
  /// - Parameter host: plugins, which know their modules now.
  static func check(_ files: RunFiles, _ host: PluginHost?) throws {
    var files = files
    files.reads((host?.modules ?? []).map(\.path), "a plugin's module")
    try files.check()
  }
}
