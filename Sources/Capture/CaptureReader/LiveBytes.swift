/// The bytes of a capture that is still being made, as they come.
public protocol LiveBytes: AnyObject, Sendable {
  /// As the user named the interface, or what is replayed.
  var name: String { get }
  /// Fills up to the whole buffer with what has come; waits a tenth of a second at most where nothing
  /// has.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> LiveRead
}

/// What a reading of live bytes came to.
public enum LiveRead: Sendable {
  /// So many bytes, more than none.
  case bytes(Int)
  /// Nothing has come. By the clock of the records it is this time: all records before it have been
  /// handed on. Unknown where nobody can say.
  case nothing(until: Timestamp)
  /// Nothing will come any more.
  case ended
}
