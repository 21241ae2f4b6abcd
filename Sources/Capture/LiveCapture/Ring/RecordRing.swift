package import CaptureWriter
import Dispatch
import Synchronization

/// Bounded memory for items on their way from the thread that captures to the one that analyses.
///
/// One producer, one consumer (`LiveStream`). The producer
/// - puts packets, losses and pauses in the order in which they happened. A live one never waits: a
///   packet that finds no room is counted, and `.lost(by: .program)` stands before the next packet
///   that finds some. A replay puts with `waits: true` and loses nothing.
/// - says with `drained(until:)` how far the records' clock has come where no packet says it;
/// - looks whether it should stop (`isStopping`, `pauses(milliseconds:)`, or `stopDescriptor` in
///   its own poll), and ends with `close()`.
package final class RecordRing: @unchecked Sendable {
  // Unchecked: the memory from `taken` to `written` is the consumer's, the rest and `owed` are the
  // producer's. The two positions hand it over.
  private let memory: RingMemory
  private let written = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private var owed: [RingEntry] = []

  private let drainedUntil = Atomic<Int64>(.min)
  private let closed = Atomic<Bool>(false)
  private let stopping = StopSignal()
  private let isConsumerWaiting = Atomic<Bool>(false)
  private let hasCome = DispatchSemaphore(value: 0)
  private let isProducerWaiting = Atomic<Bool>(false)
  private let hasRoom = DispatchSemaphore(value: 0)
  let tally = CaptureTally()

  /// Kept free of packets, so that there is always room to tell a loss.
  private static let reserve = 1024
  /// The least that makes sense: packets of libpcap take up to 262 148 bytes, and a packet needs
  /// twice its room.
  package static let leastCapacity = 1 << 20
  package static let usualCapacity = 32 << 20

  /// - Parameter capacity: bytes, 4096 at least; `leastCapacity` where packets may be of any size.
  package init(capacity: Int = RecordRing.usualCapacity) {
    precondition(capacity >= 4096, "a ring of less than 4096 bytes")
    memory = RingMemory(capacity: capacity & ~7)
  }

  // MARK: the producer's side

  /// Puts a packet.
  /// - Parameters:
  ///   - nanoseconds: since 1970; earlier ones count as 1970.
  ///   - original: its length on the wire.
  ///   - waits: for room, until there is some or the stop signal comes.
  /// - Returns: false where there was no room: then it is counted as lost.
  @discardableResult
  package func put(
    _ bytes: Span<UInt8>, nanoseconds: Int64, original: Int, interface: Int = 0,
    direction: CaptureItem.Direction = .unknown, waits: Bool = false
  ) -> Bool {
    let entry = RingEntry(
      kind: .packet, direction: direction, interface: interface,
      nanoseconds: max(0, nanoseconds), amount: UInt64(max(0, original)))
    guard isRoom(for: bytes.count) || (waits && waitForRoom(bytes.count)) else {
      owe(.lostInProgram, 1, interface: interface, nanoseconds: nanoseconds)
      tally.add(1, to: tally.lostInProgram)
      return false
    }
    settle()
    publish(entry, bytes)
    tally.add(1, to: tally.received)
    return true
  }

  /// Says that the kernel lost packets. Told at once where there is room, or before the next packet.
  /// - Parameter isOwn: lost in this run; otherwise in the one that is replayed.
  package func lost(
    _ count: UInt64, interface: Int = 0, nanoseconds: Int64, isOwn: Bool = true
  ) {
    owe(.lostInKernel, count, interface: interface, nanoseconds: nanoseconds)
    if isOwn { tally.add(count, to: tally.lostInKernel) }
    settleIfRoom()
  }

  /// From here on nothing is captured. Told as losses are.
  package func off(interface: Int = 0, nanoseconds: Int64) {
    owed.append(RingEntry(kind: .off, interface: interface, nanoseconds: max(0, nanoseconds)))
    tally.isOff.store(true, ordering: .relaxed)
    settleIfRoom()
  }

  /// Capturing goes on.
  package func on(interface: Int = 0, nanoseconds: Int64) {
    owed.append(RingEntry(kind: .on, interface: interface, nanoseconds: max(0, nanoseconds)))
    tally.isOff.store(false, ordering: .relaxed)
    settleIfRoom()
  }

  /// All packets with a stamp before this have been put. Never goes back.
  package func drained(until nanoseconds: Int64) {
    settleIfRoom()
    guard owed.isEmpty, nanoseconds > drainedUntil.load(ordering: .relaxed) else { return }
    drainedUntil.store(nanoseconds, ordering: .releasing)
  }

  /// Nothing will come any more: the producer's last word. Waits for room where losses have yet to be
  /// told and the reserve is used up; five seconds at most, as the consumer may be gone.
  package func close() {
    settle()
    var patience = 50
    while !owed.isEmpty, patience > 0 {
      isProducerWaiting.store(true, ordering: .sequentiallyConsistent)
      if hasRoom.wait(timeout: .now() + .milliseconds(100)) == .timedOut { patience -= 1 }
      settle()
    }
    closed.store(true, ordering: .sequentiallyConsistent)
    wakeConsumer()
  }

  /// Whether the producer should end.
  package var isStopping: Bool { stopping.isGiven() }
  /// Readable when the producer should end.
  package var stopDescriptor: Int32 { stopping.descriptor }
  /// Waits so long, for a producer that keeps a pace.
  /// - Returns: false where it should stop instead.
  package func pauses(milliseconds: Int32) -> Bool { !stopping.isGiven(within: milliseconds) }

  private var free: Int {
    memory.capacity - written.load(ordering: .relaxed)
      + taken.load(ordering: .sequentiallyConsistent)
  }

  /// Twice its size, as the end of the memory may have to be skipped.
  private func isRoom(for count: Int) -> Bool {
    free >= 2 * RingEntry.size(count) + Self.reserve
  }

  private func waitForRoom(_ count: Int) -> Bool {
    guard 2 * RingEntry.size(count) + Self.reserve <= memory.capacity else { return false }
    while !isStopping {
      isProducerWaiting.store(true, ordering: .sequentiallyConsistent)
      if isRoom(for: count) { return true }
      _ = hasRoom.wait(timeout: .now() + .milliseconds(100))
    }
    return isRoom(for: count)
  }

  private func owe(_ kind: RingEntry.Kind, _ count: UInt64, interface: Int, nanoseconds: Int64) {
    let nanoseconds = max(0, nanoseconds)
    let since = owed.lastIndex { $0.kind == .off || $0.kind == .on } ?? -1
    for index in owed.indices
    where index > since && owed[index].kind == kind && owed[index].interface == interface {
      owed[index].amount = owed[index].amount.adding(count)
      owed[index].nanoseconds = max(owed[index].nanoseconds, nanoseconds)
      return
    }
    owed.append(
      RingEntry(kind: kind, interface: interface, nanoseconds: nanoseconds, amount: count))
  }

  private func settleIfRoom() {
    if !owed.isEmpty && isRoom(for: 0) { settle() }
  }

  /// Tells what is owed, as far as there is room: the reserve has some for any usual number.
  private func settle() {
    guard !owed.isEmpty else { return }
    var told = 0
    while told < owed.count, free >= 2 * RingEntry.headerLength {
      publish(owed[told], Span())
      told += 1
    }
    owed.removeFirst(told)
  }

  private func publish(_ entry: RingEntry, _ bytes: Span<UInt8>) {
    let behind = memory.write(entry, bytes, at: written.load(ordering: .relaxed))
    written.store(behind, ordering: .sequentiallyConsistent)
    wakeConsumer()
  }

  private func wakeConsumer() {
    guard isConsumerWaiting.load(ordering: .sequentiallyConsistent) else { return }
    if isConsumerWaiting.exchange(false, ordering: .sequentiallyConsistent) { hasCome.signal() }
  }

  // MARK: the consumer's side

  /// Lends the oldest item; `hasTaken` says later that there is room again.
  /// - Returns: false where there is none.
  func take(_ body: (RingEntry, Span<UInt8>) -> Void) -> Bool {
    let position = taken.load(ordering: .relaxed)
    guard position != written.load(ordering: .sequentiallyConsistent) else { return false }
    let behind = memory.read(at: position, body)
    taken.store(behind, ordering: .sequentiallyConsistent)
    return true
  }

  /// Wakes a producer that waits for room.
  func hasTaken() {
    guard isProducerWaiting.load(ordering: .sequentiallyConsistent) else { return }
    if isProducerWaiting.exchange(false, ordering: .sequentiallyConsistent) { hasRoom.signal() }
  }

  /// Waits until something comes, a tenth of a second at most.
  func wait() {
    isConsumerWaiting.store(true, ordering: .sequentiallyConsistent)
    defer { isConsumerWaiting.store(false, ordering: .sequentiallyConsistent) }
    guard isEmpty, !isClosed else { return }
    _ = hasCome.wait(timeout: .now() + .milliseconds(100))
  }

  var isEmpty: Bool {
    taken.load(ordering: .relaxed) == written.load(ordering: .sequentiallyConsistent)
  }
  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }
  /// Of value only where the ring is found empty after it was read.
  var drainedMoment: Int64 { drainedUntil.load(ordering: .acquiring) }

  // MARK: both

  /// Asks the producer to end. From any thread, and from signal handlers.
  package func stop() { stopping.give() }

  package var counts: CaptureCounts {
    var counts = tally.counts
    let taken = taken.load(ordering: .relaxed)
    counts.waiting = max(0, written.load(ordering: .relaxed) - taken)
    return counts
  }
}
