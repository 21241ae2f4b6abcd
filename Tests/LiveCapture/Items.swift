import CaptureWriter
import Dispatch
import Testing

@testable import LiveCapture

/// What a test puts into a ring and finds behind it, in a form that compares.
enum Passed: Equatable {
  case packet([UInt8], Int64, original: Int, CaptureItem.Direction)
  case lost(UInt64, Int64, CaptureItem.Loss)
  case off(Int64)
  case on(Int64)

  init(_ item: CaptureItem) {
    switch item {
    case .packet(let record, _, let direction):
      self = .packet(
        record.data, record.nanoseconds, original: Int(record.originalCount), direction)
    case .lost(let count, _, let time, let loss): self = .lost(count, time, loss)
    case .off(_, let time): self = .off(time)
    case .on(_, let time): self = .on(time)
    }
  }
}

extension RecordRing {
  @discardableResult
  func put(_ number: Int, length: Int = 8, waits: Bool = false) -> Bool {
    put(
      packet(number, length: length).span, nanoseconds: Int64(number), original: length,
      waits: waits)
  }

  /// The oldest item; nil where there is none.
  func next() -> CaptureItem? {
    var item: CaptureItem?
    guard take({ entry, bytes in item = entry.item(bytes) }) else { return nil }
    hasTaken()
    return item
  }

  func all() -> [Passed] {
    var items: [Passed] = []
    while let item = next() { items.append(Passed(item)) }
    return items
  }
}

/// Bytes that say which packet they are of.
func packet(_ number: Int, length: Int) -> [UInt8] {
  (0..<length).map { (place: Int) -> UInt8 in
    let part = UInt8(truncatingIfNeeded: number >> (8 * (place % 8)))
    return part &+ UInt8(truncatingIfNeeded: place / 8)
  }
}

func passed(_ number: Int, length: Int = 8) -> Passed {
  .packet(packet(number, length: length), Int64(number), original: length, .unknown)
}

/// Runs work on a thread of its own; waits for it.
final class Beside {
  private let done = DispatchGroup()

  init(_ work: @escaping @Sendable () -> Void) {
    let done = done
    done.enter()
    _ = CaptureThread {
      work()
      done.leave()
    }
  }

  func finish() { done.wait() }
}
