import Synchronization

/// What a capture has come to so far, for people.
package struct CaptureCounts: Equatable, Sendable {
  /// Packets that went into the ring.
  package var received: UInt64 = 0
  /// Packets lost: the socket's buffer was full; the ring was full.
  package var lostInKernel: UInt64 = 0
  package var lostInProgram: UInt64 = 0
  /// Nothing is captured now: the device is gone.
  package var isOff = false
  /// Bytes in the ring that nobody has taken yet.
  package var waiting = 0

  package init() {}
}

/// The counters, written by the thread that captures and read by any.
struct CaptureTally: ~Copyable {
  let received = Atomic<UInt64>(0)
  let lostInKernel = Atomic<UInt64>(0)
  let lostInProgram = Atomic<UInt64>(0)
  let isOff = Atomic<Bool>(false)

  func add(_ count: UInt64, to counter: borrowing Atomic<UInt64>) {
    counter.wrappingAdd(count, ordering: .relaxed)
  }

  var counts: CaptureCounts {
    var counts = CaptureCounts()
    counts.received = received.load(ordering: .relaxed)
    counts.lostInKernel = lostInKernel.load(ordering: .relaxed)
    counts.lostInProgram = lostInProgram.load(ordering: .relaxed)
    counts.isOff = isOff.load(ordering: .relaxed)
    return counts
  }
}
