import CaptureReader
import Dispatch

/// Writes one of many values; what it needs for that, it keeps from one to the next.
protocol ValueWriter: Sendable {
  mutating func write(_ place: Int, to text: inout ByteText)
}

/// The text of many values in their order. With a second processor every other piece is put together
/// on a queue of its own.
struct PiecewiseText<Writer: ValueWriter> {
  private let count: Int
  private let separator: [UInt8]
  private let here: Piece
  private let aside: Piece
  private let queue: DispatchQueue?

  /// Values of the first pieces and of the longest: short ones, so that a few hundred values are shared
  /// and little memory is taken for them; then longer ones, so that the two seldom wait for each other.
  private static var lengths: ClosedRange<Int> { 128...1024 }

  @safe private final class Piece: @unchecked Sendable {
    // Unchecked: the queue has it from `async` until the group is done.
    var writer: Writer
    var text = ByteText()

    init(_ writer: Writer) { self.writer = writer }

    func write(_ places: Range<Int>, _ separator: [UInt8]) {
      text.bytes.removeAll(keepingCapacity: true)
      for place in places {
        if place > places.lowerBound { text.append(separator) }
        writer.write(place, to: &text)
      }
    }
  }

  /// - Parameters:
  ///   - separator: what stands between two values.
  ///   - writer: makes a new one for each thread.
  init(count: Int, separator: [UInt8], writer: () -> Writer) {
    self.count = count
    self.separator = separator
    here = Piece(writer())
    let isWorthIt = count > Self.lengths.lowerBound && CaptureReader.canReadAhead
    aside = isWorthIt ? Piece(writer()) : here
    queue = isWorthIt ? DispatchQueue(label: "beacontrace.text") : nil
  }

  /// Lends piece after piece.
  func forEachPiece(_ take: (ByteText) throws -> Void) rethrows {
    var next = 0
    var length = Self.lengths.lowerBound
    while next < count {
      let first = next..<Swift.min(next + length, count)
      let second = first.upperBound..<Swift.min(first.upperBound + length, count)
      length = Swift.min(length * 2, Self.lengths.upperBound)
      let group = DispatchGroup()
      if let queue, !second.isEmpty {
        let (aside, separator) = (aside, separator)
        queue.async(group: group) { aside.write(second, separator) }
      }
      here.write(first, separator)
      defer { group.wait() }
      try take(here.text)
      next = first.upperBound
      if queue != nil, !second.isEmpty {
        group.wait()
        try take(aside.text)
        next = second.upperBound
      }
    }
  }
}
