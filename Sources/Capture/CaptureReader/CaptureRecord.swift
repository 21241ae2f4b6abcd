/// One record of a capture: where its bytes lie and what the container says about them.
///
/// Fixed size, no references; `start` counts in the bytes that the reader lends with the batch.
public struct CaptureRecord: BitwiseCopyable, Sendable {
  public var time: Timestamp
  /// 1-based, as Wireshark numbers frames.
  public var frame: Int
  public var start: Int32
  public var count: Int32
  /// Length on the wire; larger than `count` where the recorder cut the packet.
  public var originalCount: UInt32
  public var link: LinkType
  /// Index into `ContainerLog.interfaces`.
  public var interface: UInt16
  public var fault: RecordFault
  public var direction: PacketDirection
  /// What the container keeps outside the data: btsnoop flags, PacketLogger's type.
  public var tag: UInt32

  public init(
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
public enum PacketDirection: BitwiseCopyable, Sendable {
  case unknown, hostToController, controllerToHost
}

/// Why the container itself gives a record up. It keeps its number and is accounted for.
public enum RecordFault: BitwiseCopyable, Sendable {
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
public struct RecordBatch: ~Copyable {
  public var records: Rows<CaptureRecord>
  /// Most records a parser puts in; those that the reader had held back come before them (`HeldRecords`).
  public let capacity: Int
  /// Hashing to be done between records, by a parser that has the time.
  public var beside = HashSteps.none
  /// As many records as stay near the processor until they have been decoded.
  public static let capacity = 1024

  public init(capacity: Int = capacity) {
    self.capacity = capacity
    records = Rows(capacity: capacity)
  }

  @inlinable @inline(__always)
  public var isFull: Bool { records.count >= capacity }
}
