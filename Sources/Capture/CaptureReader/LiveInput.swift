/// A capture that is still being made.
final class LiveInput: ByteInput {
  private let bytes: any LiveBytes
  let isStream = true
  /// What time it was when nothing came, by the clock of the records; unknown where something came.
  private(set) var silentUntil = Timestamp.none

  /// What `read` gives where nothing has come, and more may.
  static let nothing = -1

  init(_ bytes: any LiveBytes) { self.bytes = bytes }

  var name: String { bytes.name }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    silentUntil = .none
    switch unsafe bytes.read(into: buffer) {
    case .bytes(let count): return count
    case .nothing(let until):
      silentUntil = until
      return Self.nothing
    case .ended: return 0
    }
  }
}
