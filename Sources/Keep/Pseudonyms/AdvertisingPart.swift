/// Advertising data in a packet, of which more may come in another one.
package struct AdvertisingPart: Sendable {
  /// Where it lies in the packet's bytes.
  package var range: Range<Int>
  /// Who sends it, lowest byte first, as it was; nil where the packet does not say.
  package var sender: [UInt8]?
  /// Nil: it stands alone, or is of the air (`AirJoining`).
  package var chain: Chain?

  /// What tells the parts of one advertisement from those of others.
  package struct Chain: Sendable {
    package var key: Key
    /// Whether more comes behind it.
    package var hasMore: Bool
  }

  package struct Key: Equatable, Sendable {
    /// Whose it is: interface and adapter, or whatever tells radios apart.
    var radio: UInt64 = 0
    /// Reports of HCI by their source.
    var source: UInt8
    /// Advertising set, or periodic handle.
    var set: UInt32
    /// Nil where the packet has none: then it may be any.
    var address: [UInt8]?

    func matches(_ other: Key) -> Bool {
      radio == other.radio && source == other.source && set == other.set
        && (address == other.address || address == nil || other.address == nil)
    }
  }
}

/// A packet that is being rewritten: bytes that change in place, and what of them has to wait.
struct PacketUnderWay {
  var bytes: [UInt8]
  var parts: [AdvertisingPart] = []
  /// Whether advertisements of its radio that had begun end with it.
  var endsChains = false
  /// What of it was made zeros of, if anything was there.
  var zeroed: Zeroed?
  /// Positions of the radio that it had.
  var positions = 0

  func has(_ count: Int, at place: Int) -> Bool { place >= 0 && place + count <= bytes.count }

  /// Little-endian; within bounds.
  func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }

  /// Nothing that anybody reads.
  mutating func blank(_ from: Int, _ to: Int) {
    for place in from..<max(from, min(to, bytes.count)) { bytes[place] = 0 }
  }

  mutating func blank(from: Int) { blank(from, bytes.count) }

  /// The same, of what is to be told of; a packet counts once.
  mutating func blank(_ from: Int, _ to: Int, as kind: Zeroed) {
    let range = from..<max(from, min(to, bytes.count))
    if zeroed == nil, range.contains(where: { bytes[$0] != 0 }) { zeroed = kind }
    blank(from, to)
  }

  mutating func blank(from: Int, as kind: Zeroed) { blank(from, bytes.count, as: kind) }

  mutating func replace(_ from: Int, _ count: Int, _ change: ([UInt8]) -> [UInt8]) {
    guard has(count, at: from) else { return blank(from: from) }
    bytes.replaceSubrange(from..<(from + count), with: change(Array(bytes[from..<(from + count)])))
  }

  /// As it goes over the air: lowest byte first.
  mutating func replaceAddress(_ at: Int, _ names: Pseudonyms) {
    replace(at, 6) { names.reversed($0, names.address) }
  }
}
