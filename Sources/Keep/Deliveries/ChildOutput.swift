import Glibc

/// What a program writes: shown, up to a limit, and counted beyond it.
struct ChildOutput {
  /// Nothing is read or shown.
  let isQuiet: Bool
  /// Bytes that were not shown.
  private(set) var notShown = 0
  private let name: String
  private let show: DeliverySettings.Shower
  /// How many may still be shown.
  private var left: Int
  private static let piece = 64 << 10
  /// So many pieces at most are read of a program that has ended: another one may go on writing.
  private static let mostPieces = 16

  /// - Parameters:
  ///   - name: what it is called where something is not shown.
  ///   - settings: how much of it is shown, and where.
  init(_ name: String, _ settings: DeliverySettings) {
    self.name = name
    isQuiet = settings.isQuiet
    left = settings.mostShown
    show = settings.show
  }

  /// Reads what is there.
  /// - Parameter all: everything, not only a piece.
  /// - Returns: whether more may come.
  mutating func take(from descriptor: Int32, all: Bool) -> Bool {
    var piece = [UInt8](repeating: 0, count: Self.piece)
    for _ in 0..<(all ? Self.mostPieces : 1) {
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count == 0 { return false }
      take(piece[..<count])
    }
    return true
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    let shown = bytes.prefix(left)
    show(shown)
    left -= shown.count
    guard shown.count < bytes.count else { return }
    if notShown == 0 {
      let isLine = shown.isEmpty || shown.last == UInt8(ascii: "\n")
      show(Array("\(isLine ? "" : "\n")[\(name): the rest is not shown]\n".utf8)[...])
    }
    notShown += bytes.count - shown.count
  }

  /// On standard error.
  @Sendable
  static func showOnError(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      // Nobody reads it: that is no reason to wait, or to end.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
