/// What the loop needs of an opened interface. Only `PcapHandle` is real; tests have their own.
protocol PacketHandle: AnyObject {
  /// Readable when there are packets.
  var descriptor: Int32 { get }
  /// Lends the next packet, where there is one.
  func next(_ body: (CapturedPacket, Span<UInt8>) -> Void) -> PacketOutcome
  /// Packets that the kernel had no room for since the interface was opened; goes round at 2³². Nil
  /// where the kernel does not say so now.
  func drops() -> UInt32?
}

/// A packet on its way into the ring; its bytes lie beside it.
struct CapturedPacket {
  var nanoseconds: Int64
  /// Length on the wire.
  var original: Int
}

enum PacketOutcome: Equatable {
  case packet
  /// None is there now.
  case nothing
  /// With the number of the error; the handle may or may not go on.
  case failed(Int32)
}
