/// One record on its way into a container. Each writer takes of it what its container keeps.
package struct Record: Sendable {
  /// Since 1970.
  package var nanoseconds: Int64
  package var data: [UInt8]
  /// Length on the wire, where the recorder cut the packet.
  package var original: Int?
  /// btsnoop's flags word, PacketLogger's type, btsnooz's type.
  package var tag: UInt32 = 0
  /// btsnoop: packets dropped so far.
  package var drops: UInt32 = 0

  package init(
    _ nanoseconds: Int64, _ data: [UInt8], tag: UInt32 = 0, original: Int? = nil, drops: UInt32 = 0
  ) {
    self.nanoseconds = nanoseconds
    self.data = data
    self.tag = tag
    self.original = original
    self.drops = drops
  }

  package var microseconds: Int64 { nanoseconds / 1000 }
  package var seconds: Int64 { nanoseconds / 1_000_000_000 }
  /// A recorder may have claimed the largest number there is, and what is put before its bytes (a header that
  /// another link type has) then finds no place in 32 bits.
  package var originalCount: UInt32 { UInt32(clamping: original ?? data.count) }
}

/// Turns records into the bytes of a container, one after the other: what is written need not be
/// held, so that captures may be of any size.
package protocol RecordWriter: Sendable {
  /// What the file begins with.
  var header: [UInt8] { get }
  /// Puts a record's bytes behind `output`.
  mutating func append(_ record: Record, to output: inout [UInt8])
  /// Puts what can be written only when all records are known behind `output`.
  mutating func finish(to output: inout [UInt8])
  /// Where a record says how long it is: four bytes from there. Nil where records have no place of
  /// their own in the file.
  var lengthOffset: Int? { get }
  /// Smallest step of its clock, nanoseconds: times are rounded down to it.
  var clockStep: Int64 { get }
  /// Most that may lie between a record and the next, nanoseconds.
  var longestGap: Int64 { get }
}

extension RecordWriter {
  package mutating func finish(to output: inout [UInt8]) {}
  package var clockStep: Int64 { 1000 }
  package var longestGap: Int64 { .max }
}
