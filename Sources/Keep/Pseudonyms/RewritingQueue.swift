package import CaptureReader

/// Records that are rewritten, in their order. An advertisement may come in several: its data are read as a
/// whole, so that its records wait until the last one is there.
package struct RewritingQueue<Context> {
  private struct Waiting {
    var bytes: [UInt8]
    let check: AirCheck?
    let context: Context
    /// Advertisements that it waits for.
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
  }

  private let names: Pseudonyms
  private let rewriting: PacketRewriting
  private var waiting: [Waiting] = []
  /// How many were handed out of those that have been waiting.
  private var first = 0
  /// How many came before `waiting` begins.
  private var gone = 0
  /// Of HCI.
  private var chains: [Chain] = []
  private let air: AirJoining
  /// Data of the air that wait for more of their advertisement, by record.
  private var airPieces: [Int: Piece] = [:]
  /// Of these, which were handed out before their advertisement was complete.
  private var torn: Set<Int> = []
  /// Records of which something was made zeros, by `Zeroed`.
  package private(set) var zeroed = [Int](repeating: 0, count: Zeroed.allCases.count)
  /// Positions of radios that packets had.
  package private(set) var positions = 0

  /// Records behind an advertisement that does not end: more are not held.
  private static var most: Int { 65_536 }
  /// Of one radio, as the decoder has it: controllers keep few apart, and none is longer.
  private static var mostChains: Int { 64 }
  private static var longest: Int { 1650 }

  /// - Parameter keepsGarbage: as `PacketRewriting` has it.
  package init(_ names: Pseudonyms, keepsGarbage: Bool = false) {
    self.names = names
    rewriting = PacketRewriting(names, keepsGarbage: keepsGarbage)
    air = AirJoining(keepsGarbage: keepsGarbage)
  }

  /// - Parameters:
  ///   - interface: radios of others have other chains.
  ///   - time: of the record, as the decoder gets it.
  package mutating func add(
    _ bytes: [UInt8], linkType: UInt16, interface: Int, time: Timestamp, _ context: Context
  ) {
    let result = rewriting.rewrite(bytes, linkType: linkType, interface: UInt64(interface))
    if let kind = result.zeroed { zeroed[kind.rawValue] += 1 }
    positions += result.positions
    let number = gone + waiting.count
    waiting.append(Waiting(bytes: result.bytes, check: result.check, context: context))
    if AirJoining.isOfAir(linkType) {
      for part in result.parts where !part.range.isEmpty { hold(part, of: number) }
      let joined = air.add(
        bytes, linkType: linkType, interface: interface, time: time, number: number)
      for advertisement in joined.complete { write(advertisement) }
      if !joined.isAdvertising { release(number) }
    } else {
      if result.endsChains { endAll { $0.radio == result.radio } }
      for part in result.parts { add(part, of: number) }
    }
    while waiting.count - first > Self.most, waiting[first].open > 0, tearFirst() {}
  }

  /// Until the decoder has all of its advertisement.
  private mutating func hold(_ part: AdvertisingPart, of number: Int) {
    airPieces[number] = Piece(record: number, range: part.range, sender: part.sender)
    waiting[number - gone].open += 1
  }

  /// The piece of a record, for which nothing waits any more.
  private mutating func take(_ number: Int) -> Piece? {
    guard let piece = airPieces.removeValue(forKey: number) else { return nil }
    waiting[number - gone].open -= 1
    return piece
  }

  /// No part of anything: by itself.
  private mutating func release(_ number: Int) {
    if let piece = take(number) { write([piece]) }
  }

  private mutating func write(_ advertisement: AirJoining.Advertisement) {
    var pieces: [Piece] = []
    for number in advertisement.records {
      if let piece = take(number) { pieces.append(piece) }
    }
    let isTorn = !torn.isDisjoint(with: advertisement.records)
    torn.subtract(advertisement.records)
    guard advertisement.isHeadless || isTorn else {
      return write(pieces, of: advertisement.sender)
    }
    for piece in pieces { scramble(piece) }
  }

  /// The middle of something: nothing begins in it that anybody could read.
  private mutating func scramble(_ piece: Piece) {
    let place = piece.record - gone
    let data = Array(waiting[place].bytes[piece.range])
    waiting[place].bytes.replaceSubrange(piece.range, with: names.unread(data))
  }

  /// What keeps the first record back ends with what there is; false where nothing does.
  private mutating func tearFirst() -> Bool {
    let number = gone + first
    if let piece = take(number) {
      torn.insert(number)
      scramble(piece)
    } else if let place = chains.firstIndex(where: { chain in
      chain.pieces.contains { $0.record == number }
    }) {
      end(place)
    } else {
      return false
    }
    return true
  }

  private mutating func endAll(where belongs: (AdvertisingPart.Key) -> Bool) {
    while let place = chains.firstIndex(where: { belongs($0.key) }) { end(place) }
  }

  private mutating func add(_ part: AdvertisingPart, of number: Int) {
    let piece = Piece(record: number, range: part.range, sender: part.sender)
    guard let link = part.chain else { return write([piece]) }
    var place = chains.firstIndex { $0.key.matches(link.key) }
    if let known = place, isTooLong(chains[known], with: piece) {
      end(known)
      place = nil
    }
    guard let place else {
      guard link.hasMore else { return write([piece]) }
      let own = chains.indices.filter { chains[$0].key.radio == link.key.radio }
      if own.count >= Self.mostChains { end(own[0]) }
      waiting[number - gone].open += 1
      chains.append(Chain(key: link.key, pieces: [piece]))
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
  /// - Parameter sender: nil: as the pieces say.
  private mutating func write(_ pieces: [Piece], of sender: [UInt8]? = nil) {
    let data = pieces.flatMap { waiting[$0.record - gone].bytes[$0.range] }
    let changed = names.advertisingData(data, of: sender ?? pieces.lazy.compactMap(\.sender).first)
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
    for advertisement in air.end() { write(advertisement) }
    for number in airPieces.keys.sorted() { release(number) }
    while !chains.isEmpty { end(0) }
  }
}
