import FrameDecoder

/// The names as strings, made once.
enum FrameWarningNames {
  static let all = FrameWarnings.names.map { "\($0)" }
}
