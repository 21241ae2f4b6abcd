/// A capture that is being made, as pcapng: what is read while it comes, and what is recorded.
///
/// Losses and pauses are interface statistics blocks (draft-ietf-opsawg-pcapng, 4.6): `isb_osdrop`
/// counts what was lost so far, `isb_endtime` says when capturing stopped, `isb_starttime` when it
/// went on.
package struct PcapngStream: Sendable {
  private let writer: PcapngWriter
  private var lost: [UInt64]
  /// By interface: whether its times are plain nanoseconds.
  private let isNanoseconds: [Bool]

  /// - Parameter interfaces: at least one; their times should be nanoseconds (resolution 9).
  package init(_ interfaces: [PcapngWriter.Interface]) {
    writer = PcapngWriter(.little, interfaces)
    lost = Array(repeating: 0, count: interfaces.count)
    isNanoseconds = interfaces.map { $0.resolution == 9 && $0.offset == nil }
  }

  /// What it begins with.
  package var header: [UInt8] { writer.header }

  /// Begins another file of the same capture: what it starts with. Losses are counted from none, so
  /// that each file tells its own and all of them together tell each once.
  /// - Parameter comment: what the file says of itself, less than 64 KiB; empty for nothing.
  package mutating func begin(comment: String) -> [UInt8] {
    lost = Array(repeating: 0, count: lost.count)
    return writer.header(comment: comment)
  }

  /// Puts an item's block behind `output`.
  /// - Parameter comment: what a packet's block says beside it; empty for nothing.
  package mutating func append(_ item: CaptureItem, comment: String = "", to output: inout [UInt8])
  {
    switch item {
    case .packet(let record, let interface, let direction):
      writer.append(
        record, interface: interface, direction: direction.rawValue, comment: comment, to: &output)
    case .lost(let count, let interface, let time, let loss):
      let words = loss == .kernel ? "the kernel's buffer was full" : "the program did not keep up"
      appendLoss(
        count, interface: interface, nanoseconds: time, comment: "\(count) packets lost: \(words)",
        to: &output)
    case .off(let interface, let time):
      output += writer.statistics(
        interface: interface, at: time, options: writer.moment(3, time, interface: interface))
    case .on(let interface, let time):
      output += writer.statistics(
        interface: interface, at: time, options: writer.moment(2, time, interface: interface))
    }
  }

  /// Puts a packet's block behind `output`, the same bytes as `append` with its item, and nothing is
  /// allocated for it.
  /// - Parameter nanoseconds: since 1970, not negative.
  package mutating func append(
    _ bytes: Span<UInt8>, nanoseconds: Int64, original: UInt32, interface: Int,
    direction: CaptureItem.Direction, to output: inout [UInt8]
  ) {
    let units =
      isNanoseconds[interface]
      ? UInt64(nanoseconds) : writer.interfaces[interface].units(nanoseconds)
    let padding = -bytes.count & 3
    let options = direction == .unknown ? 0 : 12
    let length = UInt32(32 + bytes.count + padding + options)
    output.put(UInt32(6), .little)
    output.put(length, .little)
    output.put(UInt32(interface), .little)
    output.put(UInt32(truncatingIfNeeded: units >> 32), .little)
    output.put(UInt32(truncatingIfNeeded: units), .little)
    output.put(UInt32(bytes.count), .little)
    output.put(original, .little)
    for index in bytes.indices { output.append(bytes[index]) }
    for _ in 0..<padding { output.append(0) }
    if direction != .unknown {
      // `epb_flags`, four bytes long, and the end of the options.
      output.put(UInt16(2), .little)
      output.put(UInt16(4), .little)
      output.put(direction.rawValue, .little)
      output.put(UInt32(0), .little)
    }
    output.put(length, .little)
  }

  /// Puts behind `output` that so many packets of an interface are not in the file.
  package mutating func appendLoss(
    _ count: UInt64, interface: Int, nanoseconds: Int64, comment: String,
    to output: inout [UInt8]
  ) {
    lost[interface] &+= count
    output += writer.statistics(
      interface: interface, at: nanoseconds,
      options: writer.option(1, Array(comment.utf8)) + writer.option(7, lost[interface].le))
  }
}
