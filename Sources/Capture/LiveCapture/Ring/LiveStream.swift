package import CaptureReader
package import CaptureWriter

/// A capture that is being made, as the bytes of a pcapng: the consumer's side of a ring.
///
/// Each item goes to the recorders first. One reader; `stop` and `counts` are anybody's.
package final class LiveStream: LiveBytes, @unchecked Sendable {
  // Unchecked: all that changes belongs to the one reader.
  package let name: String
  private let ring: RecordRing
  private var encoder: PcapngStream
  private let recorders: [any ItemRecorder]
  private var pending: [UInt8]
  private var position = 0
  private var frame = 0
  private var quietAfterStop = 0
  private var hasEnded = false

  /// So many bytes are made at once.
  private static let batch = 64 << 10
  /// A producer that was asked to stop and has said nothing for so many tenths of a second never
  /// began, or hangs.
  private static let patience = 10

  /// - Parameter interfaces: what the producer's numbers of interfaces stand for.
  package init(
    _ ring: RecordRing, name: String, interfaces: [PcapngWriter.Interface],
    recorders: [any ItemRecorder] = []
  ) {
    self.name = name
    self.ring = ring
    self.recorders = recorders
    encoder = PcapngStream(interfaces)
    pending = encoder.header
    pending.reserveCapacity(2 * Self.batch)
  }

  /// Ends it, from any thread and from signal handlers: what has been captured is still handed on.
  package func stop() { ring.stop() }

  package var counts: CaptureCounts { ring.counts }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> LiveRead {
    if position == pending.count { collect() }
    if pending.isEmpty {
      ring.wait()
      // Before the ring is found empty: what was put before has then been taken.
      let moment = ring.drainedMoment
      let isClosed = ring.isClosed
      collect()
      if pending.isEmpty { return nothing(until: moment, isClosed: isClosed) }
    }
    quietAfterStop = 0
    let count = min(buffer.count, pending.count - position)
    unsafe pending.withUnsafeBytes { bytes in
      unsafe buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]))
    }
    position += count
    return .bytes(count)
  }

  private func nothing(until moment: Int64, isClosed: Bool) -> LiveRead {
    if !isClosed && ring.isStopping { quietAfterStop += 1 }
    guard isClosed || quietAfterStop > Self.patience else {
      for recorder in recorders { recorder.pause() }
      return .nothing(until: Timestamp(nanoseconds: moment))
    }
    if !hasEnded { for recorder in recorders { recorder.end() } }
    hasEnded = true
    return .ended
  }

  /// Makes the next bytes of what is in the ring.
  private func collect() {
    pending.removeAll(keepingCapacity: true)
    position = 0
    guard !hasEnded else { return }
    while pending.count < Self.batch, ring.take({ entry, bytes in hand(on: entry, bytes) }) {}
    ring.hasTaken()
    // Nothing is shown that a kill could take away from what is recorded.
    if !pending.isEmpty { for recorder in recorders { recorder.pause() } }
  }

  private func hand(on entry: RingEntry, _ bytes: Span<UInt8>) {
    if entry.kind == .packet {
      frame += 1
      if !recorders.isEmpty, let item = entry.item(bytes) { record(item) }
      encoder.append(
        bytes, nanoseconds: entry.nanoseconds, original: UInt32(clamping: entry.amount),
        interface: entry.interface, direction: entry.direction, to: &pending)
    } else if let item = entry.item(bytes) {
      record(item)
      encoder.append(item, to: &pending)
    }
  }

  private func record(_ item: CaptureItem) {
    for recorder in recorders { recorder.take(item, frame: frame) }
  }
}
