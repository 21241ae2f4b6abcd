import Glibc

/// What the system says of a call that failed.
public struct SystemError: Error, Equatable, Sendable {
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// Such as `no such device`: in lower case, as the middle of a sentence.
  public var text: String {
    guard let words = unsafe strerror(code) else { return "error \(code)" }
    let text = unsafe String(cString: words)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
