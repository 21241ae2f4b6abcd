import CaptureReader
import Glibc

/// Temporary files cannot be written or read.
package struct LogProblem: Error, CustomStringConvertible {
  package let folder: String
  package let reason: String

  package var description: String {
    "what is to be drawn cannot be kept in \(folder): \(reason). "
      + "Cases and reports need 8 bytes per sighting: name a folder with room for that in TMPDIR."
  }
}

/// Fixed-size values in a temporary file without a name: for runs whose sightings do not fit into
/// memory, and have to be gone through once more. Gone with its owner.
@safe struct RowLog<Row: BitwiseCopyable>: ~Copyable {
  private let descriptor: Int32
  private let folder: String
  /// Rows that are not in the file yet; when they are read, those that are read.
  private var rows: [Row]
  private var pending = 0
  private var count = 0
  /// As many can be appended at once.
  static var chunk: Int { 1 << 16 }

  private init(_ descriptor: Int32, _ folder: String) {
    self.descriptor = descriptor
    self.folder = folder
    rows = unsafe [Row](unsafeUninitializedCapacity: Self.chunk) { buffer, used in
      // Bits of any pattern are a row.
      unsafe UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      used = Self.chunk
    }
  }

  deinit { close(descriptor) }

  static func create() throws(LogProblem) -> RowLog {
    let folder = UnnamedFile.folder
    do throws(SystemError) { return RowLog(try UnnamedFile.make(), folder) } catch {
      throw LogProblem(folder: folder, reason: error.text)
    }
  }

  /// - Parameters:
  ///   - most: `chunk` at most.
  ///   - body: puts rows one behind the other from a place on; returns the place behind them.
  @inline(__always)
  mutating func append(
    most: Int, _ body: (_ rows: inout MutableSpan<Row>, _ place: Int) -> Int
  ) throws(LogProblem) {
    if pending + most > Self.chunk { try flush() }
    let place = pending
    var span = rows.mutableSpan
    let end = body(&span, place)
    pending = end
  }

  mutating func append(_ row: Row) throws(LogProblem) {
    try append(most: 1) { rows, place in
      rows[place] = row
      return place + 1
    }
  }

  private mutating func flush() throws(LogProblem) {
    var at = 0
    let size = pending * MemoryLayout<Row>.stride
    while at < size {
      let written = unsafe rows.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress! + at, size - at)
      }
      if written >= 0 {
        at += written
      } else if errno != EINTR {
        throw Self.problem(folder)
      }
    }
    count += pending
    pending = 0
  }

  /// Hands on all rows in their order, many at a time.
  mutating func forEach(_ body: (Span<Row>) -> Void) throws(LogProblem) {
    try flush()
    let stride = MemoryLayout<Row>.stride
    var done = 0
    while done < count {
      let wanted = min(Self.chunk, count - done)
      var at = 0
      while at < wanted * stride {
        let read = unsafe rows.withUnsafeMutableBytes { bytes in
          unsafe pread(
            descriptor, bytes.baseAddress! + at, wanted * stride - at, done * stride + at)
        }
        if read > 0 {
          at += read
        } else if read == 0 || errno != EINTR {
          throw Self.problem(folder)
        }
      }
      body(rows.span.extracting(first: wanted))
      done += wanted
    }
  }

  private static func problem(_ folder: String) -> LogProblem {
    LogProblem(folder: folder, reason: SystemError(code: errno).text)
  }
}
