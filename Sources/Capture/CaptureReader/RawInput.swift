import Synchronization

/// An input with a few bytes of foresight: enough to recognise what it is before reading on.
final class RawInput: ByteInput {
  private let input: any ByteInput
  private var ahead: [UInt8] = []
  private var taken = 0
  private var ended = false
  private let hash: StreamHash?
  private let total = Atomic<Int64>(0)
  /// Asked for while another thread reads.
  var bytesRead: Int64 { total.load(ordering: .relaxed) }

  /// - Parameter hash: takes every byte as it is read; nil where the window does it.
  init(_ input: any ByteInput, hash: StreamHash?) {
    self.input = input
    self.hash = hash
  }

  var name: String { input.name }
  var isStream: Bool { input.isStream }

  /// The first bytes: at least `least` unless the input is shorter, at most `most`.
  func peek(atLeast least: Int, atMost most: Int) throws(CaptureProblem) -> [UInt8] {
    while ahead.count - taken < least && !ended {
      var chunk = [UInt8](repeating: 0, count: most)
      let count = try Self.read(input, into: &chunk)
      if count == 0 { ended = true }
      // Live, the first bytes are waited for.
      ahead.append(contentsOf: chunk.prefix(max(0, count)))
    }
    return Array(ahead[taken...].prefix(most))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    var count = min(buffer.count, ahead.count - taken)
    if count > 0 {
      unsafe ahead.withUnsafeBytes { source in
        unsafe buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[taken..<(taken + count)]))
      }
      taken += count
      if taken == ahead.count { (ahead, taken) = ([], 0) }
    } else if !ended {
      count = try unsafe input.read(into: buffer)
      if count == 0 { ended = true }
      if count < 0 { return count }
    }
    total.add(Int64(count), ordering: .relaxed)
    if count > 0, let hash {
      unsafe hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return count
  }

  /// Reads into an array: for the places that are not on the way of a frame.
  static func read(_ input: any ByteInput, into array: inout [UInt8]) throws(CaptureProblem) -> Int
  {
    var problem: CaptureProblem?
    let count = unsafe array.withUnsafeMutableBytes { buffer -> Int in
      do throws(CaptureProblem) { return try unsafe input.read(into: buffer) } catch {
        problem = error
        return 0
      }
    }
    if let problem { throw problem }
    return count
  }
}
