import Glibc

/// What the system says of a call that failed.
enum SystemWords {
  /// Such as `no such file or directory`: in lower case, as the middle of a sentence.
  static func text(_ code: Int32) -> String {
    guard let words = unsafe strerror(code) else { return "error \(code)" }
    let text = unsafe String(cString: words)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
