/// pcapng, block by block (PROTOCOLS 1.5). One writer is one section: byte order, interfaces.
/// `append` writes enhanced packet blocks of the first interface.
package struct PcapngWriter: RecordWriter {
  package struct Interface: Sendable {
    package var linkType: UInt16
    package var name: String?
    /// `if_tsresol`: n for 10⁻ⁿ s, 0x80 + n for 2⁻ⁿ s; nil leaves the option out (microseconds).
    package var resolution: UInt8?
    /// `if_tsoffset`: seconds added to every time.
    package var offset: Int64?
    package var snapLength: UInt32 = 0

    package init(
      linkType: UInt16, name: String? = nil, resolution: UInt8? = nil, offset: Int64? = nil
    ) {
      self.linkType = linkType
      self.name = name
      self.resolution = resolution
      self.offset = offset
    }

    /// A moment in this interface's units, rounded down.
    func units(_ nanoseconds: Int64) -> UInt64 {
      // Wide: from the first moment of 64 bits to the last one.
      let whole = UInt128(Int128(nanoseconds) - Int128(offset ?? 0) * 1_000_000_000)
      let code = resolution ?? 6
      if code & 0x80 != 0 {
        return UInt64((whole << UInt128(code & 0x7F)) / 1_000_000_000)
      }
      let perSecond = (0..<code).reduce(UInt128(1)) { value, _ in value * 10 }
      return UInt64(whole * perSecond / 1_000_000_000)
    }
  }

  package let order: ByteOrder
  package private(set) var interfaces: [Interface]

  package init(_ order: ByteOrder, _ interfaces: [Interface]) {
    self.order = order
    self.interfaces = interfaces
  }

  package func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let padded = body.paddedToFour
    let length = order.bytes(UInt32(padded.count + 12))
    return join(order.bytes(type), length, padded, length)
  }

  package func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
    join(order.bytes(code), order.bytes(UInt16(value.count)), value.paddedToFour)
  }

  private func ended(_ options: [UInt8]) -> [UInt8] {
    options.isEmpty ? [] : options + [0, 0, 0, 0]
  }

  /// Section header and interface descriptions.
  package var header: [UInt8] { header(comment: "") }

  /// - Parameter comment: what the section says of itself, less than 64 KiB; empty for nothing.
  package func header(comment: String) -> [UInt8] {
    let section = join(
      order.bytes(UInt32(0x1A2B_3C4D)), order.bytes(UInt16(1)), order.bytes(UInt16(0)),
      order.bytes(Int64(-1)), comment.isEmpty ? [] : ended(option(1, Array(comment.utf8))))
    return block(0x0A0D_0D0A, section) + interfaces.flatMap(description)
  }

  /// What a section that `header` wrote says of itself; nil of anything else, also of one that another program
  /// wrote anew: that says which one.
  /// - Parameter head: the file's first bytes; of a longer comment than that the beginning.
  package static func comment(ofSection head: [UInt8]) -> ArraySlice<UInt8>? {
    guard head.count > 28 else { return nil }
    func number(_ at: Int, _ count: Int) -> Int {
      head[at..<(at + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let length = number(26, 2)
    // The comment stands alone: behind it the end of the options, and the length once more.
    guard number(0, 4) == 0x0A0D_0D0A, number(8, 4) == 0x1A2B_3C4D, number(24, 2) == 1,
      number(4, 4) == 28 + (length + 3) / 4 * 4 + 8
    else { return nil }
    return head[28...].prefix(length)
  }

  /// Another interface, which packets behind it may be of: its description.
  package mutating func add(_ interface: Interface) -> [UInt8] {
    interfaces.append(interface)
    return description(interface)
  }

  private func description(_ interface: Interface) -> [UInt8] {
    var options: [UInt8] = []
    if let name = interface.name { options += option(2, Array(name.utf8)) }
    if let resolution = interface.resolution { options += option(9, [resolution]) }
    if let offset = interface.offset { options += option(14, order.bytes(offset)) }
    return block(
      1,
      join(
        order.bytes(interface.linkType), order.bytes(UInt16(0)), order.bytes(interface.snapLength),
        ended(options)))
  }

  package var lengthOffset: Int? { 4 }

  /// Known for the resolutions that are powers of ten down to nanoseconds.
  package var clockStep: Int64 {
    (Int(interfaces[0].resolution ?? 6)..<9).reduce(1) { step, _ in step * 10 }
  }

  package func append(_ record: Record, to output: inout [UInt8]) {
    append(record, interface: 0, to: &output)
  }

  /// An enhanced packet block, without an array of its own.
  /// - Parameters:
  ///   - direction: as `epb_flags` has it; 0 for none.
  ///   - comment: less than 64 KiB; empty for none.
  package func append(
    _ record: Record, interface: Int, direction: UInt32 = 0, comment: String = "",
    to output: inout [UInt8]
  ) {
    let units = units(record, interfaces[interface])
    let padding = -record.data.count & 3
    let words = comment.utf8.count
    var options = comment.isEmpty ? 0 : 4 + words + (-words & 3)
    if direction != 0 { options += 8 }
    if options > 0 { options += 4 }
    let length = UInt32(32 + record.data.count + padding + options)
    output.put(UInt32(6), order)
    output.put(length, order)
    output.put(UInt32(interface), order)
    output.put(UInt32(truncatingIfNeeded: units >> 32), order)
    output.put(UInt32(truncatingIfNeeded: units), order)
    output.put(UInt32(record.data.count), order)
    output.put(record.originalCount, order)
    output.append(contentsOf: record.data)
    for _ in 0..<padding { output.append(0) }
    if !comment.isEmpty {
      output.put(UInt16(1), order)
      output.put(UInt16(words), order)
      output.append(contentsOf: comment.utf8)
      for _ in 0..<(-words & 3) { output.append(0) }
    }
    if direction != 0 {
      output.put(UInt16(2), order)
      output.put(UInt16(4), order)
      output.put(direction, order)
    }
    if options > 0 { output.put(UInt32(0), order) }
    output.put(length, order)
  }

  /// The usual resolutions need no wide arithmetic.
  private func units(_ record: Record, _ interface: Interface) -> UInt64 {
    guard interface.offset == nil else { return interface.units(record.nanoseconds) }
    switch interface.resolution {
    case nil, 6: return UInt64(record.microseconds)
    case 9: return UInt64(record.nanoseconds)
    default: return interface.units(record.nanoseconds)
    }
  }

  private func times(_ record: Record, _ interface: Int) -> [UInt8] {
    let units = interfaces[interface].units(record.nanoseconds)
    return order.bytes(UInt32(units >> 32)) + order.bytes(UInt32(units & 0xFFFF_FFFF))
  }

  private func lengths(_ record: Record) -> [UInt8] {
    order.bytes(UInt32(record.data.count)) + order.bytes(record.originalCount)
  }

  package func enhancedPacket(_ record: Record, interface: Int = 0, options: [UInt8] = [])
    -> [UInt8]
  {
    block(
      6,
      join(
        order.bytes(UInt32(interface)), times(record, interface), lengths(record),
        record.data.paddedToFour, ended(options)))
  }

  /// An interface statistics block.
  /// - Parameter options: at least one.
  package func statistics(interface: Int, at nanoseconds: Int64, options: [UInt8]) -> [UInt8] {
    block(
      5,
      join(
        order.bytes(UInt32(interface)), times(Record(nanoseconds, []), interface), ended(options)))
  }

  /// An option that is a moment (`isb_starttime` 2, `isb_endtime` 3).
  package func moment(_ code: UInt16, _ nanoseconds: Int64, interface: Int) -> [UInt8] {
    option(code, times(Record(nanoseconds, []), interface))
  }

  /// Interface 0, no time.
  package func simplePacket(_ record: Record) -> [UInt8] {
    block(3, order.bytes(record.originalCount) + record.data)
  }

  /// The block that the enhanced one replaced.
  package func obsoletePacket(_ record: Record, interface: Int = 0, drops: UInt16 = 0xFFFF)
    -> [UInt8]
  {
    block(
      2,
      join(
        order.bytes(UInt16(interface)), order.bytes(drops), times(record, interface),
        lengths(record), record.data))
  }

  /// `epb_flags` with a direction: 1 inbound, 2 outbound.
  package func direction(_ value: UInt32) -> [UInt8] { option(2, order.bytes(value)) }

  package func kismet(_ position: Position) -> [UInt8] { option(2989, position.kismet(order)) }
}
