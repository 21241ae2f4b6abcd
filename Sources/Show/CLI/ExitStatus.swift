import ArgumentParser

/// What the shell is told (sysexits.h where it has a word for it).
enum ExitStatus {
  /// There was an alert, and somebody wanted to know. What went wrong is said rather than this.
  static let alerted = ExitCode(1)
  /// Input was damaged; it was read as far as it goes and the results are printed. A case was changed.
  static let damaged = ExitCode(65)
  /// An input could not be opened, is not a capture, or holds nothing Bluetooth.
  static let noInput = ExitCode(66)
  /// Live captures cannot be made: no Bluetooth here, no such interface; no terminal for a screen.
  static let unavailable = ExitCode(69)
  /// A plugin, or an expression in Lua, failed; everything else was done.
  static let plugin = ExitCode(70)
  /// Output could not be written, or did not get to whom it was for.
  static let output = ExitCode(74)
  /// Something may not be done: CAP_NET_RAW is missing.
  static let noPermission = ExitCode(77)

  static let table = """
    Exit status:
      0   done
      1   events --fail-from: there was an alert, and all else is well;
          plugin check, test, compare: a mistake, a failed test, other alerts
      64  usage or settings
      65  damaged input: read as far as it goes, results printed; a case that
          was changed
      66  an input could not be opened, is not a capture, or holds nothing
          Bluetooth (the others are still read)
      69  no live capture here: no Bluetooth, or no such interface; no
          terminal for --screen
      70  a plugin failed on the way, or rules were behind when a live run was
          ended; everything else was done
      74  output could not be written, or not all that was to be recorded; a
          receiver did not get an alert
      77  live, doctor, interfaces: not permitted, or plugins would run as root
    """
}
