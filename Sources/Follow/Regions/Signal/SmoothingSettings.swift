/// Which filter smooths the RSSI, and its numbers (SEMANTICS 3).
package struct SmoothingSettings: Equatable, Sendable {
  package var filter: SmoothingFilter
  /// Nanoseconds: samples younger than this are in the window. More than 0, at most an hour.
  package var window: Int64
  /// `kalman`: variance that a step adds, dB². 0 or more.
  package var processNoise = 0.008
  /// `kalman`: variance of a sample, dB². More than 0.
  package var measurementNoise = 4.0

  /// - Parameter window: nanoseconds; the filter's usual one where nothing is said.
  package init(filter: SmoothingFilter, window: Int64? = nil) {
    self.filter = filter
    self.window = window ?? filter.usualWindow
  }

  /// Nanoseconds: a transmitter that was silent for so long begins anew, as one that is dropped from
  /// the lists does; never before its samples have left the window.
  package var forgetAfter: Int64 { max(10_000_000_000, window) }

  package func check() throws(SettingProblem) {
    guard window > 0, window <= 3_600_000_000_000 else {
      throw SettingProblem(
        "smoothing window \(seconds(window))",
        allowed: "allowed is more than 0 s, at most 3600 s")
    }
    guard processNoise.isFinite, processNoise >= 0 else {
      throw SettingProblem(
        "process noise \(processNoise)",
        allowed: "allowed is 0 dB² or more")
    }
    guard measurementNoise.isFinite, measurementNoise > 0 else {
      throw SettingProblem(
        "measurement noise \(measurementNoise)",
        allowed: "allowed is more than 0 dB²")
    }
  }
}

/// A duration as errors name it.
/// - Parameter nanoseconds: any.
func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds) / 1e9) s" }
