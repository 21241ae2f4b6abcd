/// A capture that is still being made.
final class LiveInput: ByteInput {
  private let bytes: any LiveBytes
  let size: Int64? = nil
  let isStream = true

  init(_ bytes: any LiveBytes) { self.bytes = bytes }

  var name: String { bytes.name }

  /// Waits until bytes come.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      switch unsafe bytes.read(into: buffer) {
      case .bytes(let count): return count
      case .nothing: continue
      case .ended: return 0
      }
    }
  }
}
