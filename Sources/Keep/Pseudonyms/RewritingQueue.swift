/// Records that are rewritten, in their order. An advertisement may come in several: its data are read as a
/// whole, so that its records wait until the last one is there.
package struct RewritingQueue<Context> {
  private struct Waiting {
    var bytes: [UInt8]
    let check: AirCheck?
    let context: Context
    let time: Int64
    /// Chains that it waits for.
    var open = 0
  }

  private struct Piece {
    let record: Int
    let range: Range<Int>
    let sender: [UInt8]?
  }

  private struct Chain {
    var key: AdvertisingPart.Key
    var pieces: [Piece]
    let time: Int64
  }

  private let names: Pseudonyms
  private let rewriting: PacketRewriting
  private var waiting: [Waiting] = []
  /// How many were handed out of those that have been waiting.
  private var first = 0
  /// How many came before `waiting` begins.
  private var gone = 0
  private var chains: [Chain] = []
  /// Records of which something was made zeros, by `Zeroed`.
  package private(set) var zeroed = [Int](repeating: 0, count: Zeroed.allCases.count)
  /// Positions of radios that packets had.
  package private(set) var positions = 0

  /// Records behind an advertisement that does not end: more are not held.
  private static var most: Int { 65_536 }
  /// Of one radio, as the decoder has it: controllers keep few apart, and none is longer.
  private static var mostChains: Int { 64 }
  private static var longest: Int { 1650 }
  /// What the pointers of a chain of the air reach; nanoseconds.
  private static var reach: Int64 { 2_460_000_000 }

  /// - Parameter keepsGarbage: as `PacketRewriting` has it.
  package init(_ names: Pseudonyms, keepsGarbage: Bool = false) {
    self.names = names
    rewriting = PacketRewriting(names, keepsGarbage: keepsGarbage)
  }

  /// - Parameters:
  ///   - interface: radios of others have other chains.
  ///   - time: of the record; nanoseconds.
  package mutating func add(
    _ bytes: [UInt8], linkType: UInt16, interface: Int, time: Int64, _ context: Context
  ) {
    let result = rewriting.rewrite(bytes, linkType: linkType, interface: UInt64(interface))
    if let kind = result.zeroed { zeroed[kind.rawValue] += 1 }
    positions += result.positions
    let number = gone + waiting.count
    waiting.append(
      Waiting(bytes: result.bytes, check: result.check, context: context, time: time))
    endOld(time)
    if result.endsChains { endAll { $0.radio == result.radio && !$0.isOfAir } }
    for part in result.parts { add(part, of: number, time) }
    while waiting.count - first > Self.most, !chains.isEmpty { end(0) }
  }

  private mutating func endOld(_ time: Int64) {
    while let old = chains.firstIndex(where: { $0.key.isOfAir && isOld($0, time) }) { end(old) }
  }

  private mutating func endAll(where belongs: (AdvertisingPart.Key) -> Bool) {
    while let place = chains.firstIndex(where: { belongs($0.key) }) { end(place) }
  }

  private func isOld(_ chain: Chain, _ time: Int64) -> Bool {
    let (age, overflow) = time.subtractingReportingOverflow(chain.time)
    return overflow || age > Self.reach
  }

  private mutating func add(_ part: AdvertisingPart, of number: Int, _ time: Int64) {
    let piece = Piece(record: number, range: part.range, sender: part.sender)
    guard let link = part.chain else { return write([piece]) }
    var place = chains.firstIndex { $0.key.matches(link.key) }
    if let known = place, link.isFirst {
      end(known)
      place = nil
    } else if let known = place, isTooLong(chains[known], with: piece) {
      end(known)
      if link.key.isOfAir { return write([piece]) }
      place = nil
    }
    guard let place else {
      guard link.hasMore else { return write([piece]) }
      let own = chains.indices.filter {
        chains[$0].key.radio == link.key.radio && chains[$0].key.isOfAir == link.key.isOfAir
      }
      if own.count >= Self.mostChains { end(own[0]) }
      waiting[number - gone].open += 1
      chains.append(Chain(key: link.key, pieces: [piece], time: time))
      return
    }
    waiting[number - gone].open += 1
    chains[place].pieces.append(piece)
    if chains[place].key.address == nil { chains[place].key.address = link.key.address }
    if !link.hasMore { end(place) }
  }

  private func isTooLong(_ chain: Chain, with piece: Piece) -> Bool {
    chain.pieces.reduce(piece.range.count) { $0 + $1.range.count } > Self.longest
  }

  /// What has come is all there is.
  private mutating func end(_ place: Int) {
    let chain = chains.remove(at: place)
    for piece in chain.pieces { waiting[piece.record - gone].open -= 1 }
    write(chain.pieces)
  }

  /// Puts the data's pseudonyms where the data were.
  private mutating func write(_ pieces: [Piece]) {
    let data = pieces.flatMap { waiting[$0.record - gone].bytes[$0.range] }
    let changed = names.advertisingData(data, of: pieces.lazy.compactMap(\.sender).first)
    var at = 0
    for piece in pieces {
      waiting[piece.record - gone].bytes.replaceSubrange(
        piece.range, with: changed[at..<(at + piece.range.count)])
      at += piece.range.count
    }
  }

  /// The next record that waits for nothing any more; nil where there is none yet.
  package mutating func next() -> (bytes: [UInt8], context: Context)? {
    guard first < waiting.count, waiting[first].open == 0 else { return nil }
    var record = waiting[first]
    first += 1
    rewriting.finish(&record.bytes, record.check)
    if first == waiting.count || first >= 1024 {
      waiting.removeFirst(first)
      gone += first
      first = 0
    }
    return (record.bytes, record.context)
  }

  /// Nothing more comes: `next` gives all that is left.
  package mutating func end() {
    while !chains.isEmpty { end(0) }
  }
}
