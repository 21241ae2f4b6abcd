/// One record of a capture: where its bytes lie and what the container says about them.
///
/// Fixed size, no references; `start` counts in the bytes that the reader lends with the batch.
package struct CaptureRecord: Sendable {
  package var time: Timestamp
  /// 1-based, as Wireshark numbers frames.
  package var frame: Int
  package var start: Int32
  package var count: Int32
  /// Length on the wire; larger than `count` where the recorder cut the packet.
  package var originalCount: UInt32
  package var link: LinkType
  /// Index into `ContainerLog.interfaces`.
  package var interface: UInt16
  package var fault: RecordFault
  package var direction: PacketDirection
  /// What the container keeps outside the data: btsnoop flags, PacketLogger's type.
  package var tag: UInt32

  package init(
    time: Timestamp, frame: Int, start: Int, count: Int, originalCount: UInt32, link: LinkType,
    interface: UInt16 = 0, fault: RecordFault = .none, direction: PacketDirection = .unknown,
    tag: UInt32 = 0
  ) {
    self.time = time
    self.frame = frame
    self.start = Int32(truncatingIfNeeded: start)
    self.count = Int32(truncatingIfNeeded: count)
    self.originalCount = originalCount
    self.link = link
    self.interface = interface
    self.fault = fault
    self.direction = direction
    self.tag = tag
  }
}

/// Which way a packet went, where the container knows.
package enum PacketDirection: UInt8, Sendable {
  case unknown, hostToController, controllerToHost
}

/// Why the container itself gives a record up. It keeps its number and is accounted for.
package enum RecordFault: UInt8, Sendable {
  case none
  /// No bytes at all.
  case empty
  /// pcapng: packet for an interface that was not described.
  case unknownInterface
  /// pcapng: captured length larger than the block.
  case overrunsBlock
  /// PacketLogger: type that is not known.
  case unknownType
  /// PacketLogger: text and state notes, valid and no packet.
  case note
}

/// A reusable buffer of records.
package struct RecordBatch: ~Copyable {
  package var records: [CaptureRecord] = []
  /// Most records a batch takes; a window of 256 KiB holds about as many.
  package static let capacity = 4096

  package init() { records.reserveCapacity(Self.capacity) }

  @inlinable @inline(__always)
  package var isFull: Bool { records.count >= Self.capacity }
}
