import CaptureReader
import FrameDecoder

/// What advertising reports seen lately came to. A beacon sends the same bytes again and again; only
/// the signal strength and the moment are new. A report is decoded once, and compared from then on.
///
/// The bytes compared are all of the report's in its HCI event: type, address, data. What depends on
/// more than these is never kept: fragments, anything odd about the event. Telemetry is different
/// each time: its numbers are left out of the comparison and read anew. A report that is not known
/// takes the ordinary way; there is no other difference.
struct ReportMemory: ~Copyable, Sendable {
  /// What is looked at for every report: one cache line.
  struct Entry: BitwiseCopyable, Sendable {
    /// The report; its signal strength, what changes and what lies behind its end zeroed.
    var words = Words()
    /// With a sighting its transmitter; without one how often the report was found again since what
    /// it counts for was counted.
    var value: UInt32 = 0
    /// What the words do not tell (`ReportPlace.tag`); 0 for a free entry.
    var tag: UInt16 = 0
    /// Which of `masks` leaves of a report what `words` holds.
    var mask: UInt8 = 0
    var traits: UInt8 = 0

    /// The traits as bits.
    static var hasSighting: UInt8 { 1 }
    /// There is more to be done about the report than a brief sighting: it comes whole, or
    /// something is to be counted beside the sighting.
    static var needsMore: UInt8 { 2 }
    /// Something is to be counted, beside the sighting if there is one.
    static var countsMore: UInt8 { 4 }
  }

  /// The first 56 bytes of a report.
  struct Words: BitwiseCopyable, Sendable, Equatable {
    var a = SIMD2<UInt64>.zero
    var b = SIMD2<UInt64>.zero
    var c = SIMD2<UInt64>.zero
    var d: UInt64 = 0

    static func == (one: Words, other: Words) -> Bool {
      one.a == other.a && one.b == other.b && one.c == other.c && one.d == other.d
    }
  }

  /// The rest of an entry.
  struct Detail: BitwiseCopyable, Sendable {
    /// All of it but moment, frame number, place and signal. Without a sighting: the warnings.
    var sighting: Sighting
    var labels = AdvertiserLabels.none
    var layoutCompany: UInt16 = 0
    var reason: BeaconReason?
    /// Where the bytes that change begin in the report, and how many there are: 12 or 16, 0 for none.
    var changesAt: UInt8 = 0
    var changing: UInt8 = 0
    var hasSighting = false
    /// Whether its sightings are handed on whole, each: some bytes change, or somebody wants them.
    var comesWhole = false
    /// With a sighting: how often the report was found again since what it counts for was counted.
    var again = 0
  }

  private static let slotBits: UInt64 = 14
  /// As many as there are slots; there is a detail to each.
  let entries = ZeroedRows<Entry>(count: 1 << slotBits)
  let details = ZeroedRows<Detail>(count: 1 << slotBits)
  /// A bit per pair of places: whether there is an entry.
  private var used = [UInt64](repeating: 0, count: 1 << (slotBits - 7))
  /// As many as a `UInt8` can tell apart, the first ones used.
  private var masks = Rows(repeating: Words(), count: 256)
  private var shapes = [MaskShape](repeating: MaskShape(), count: 256)
  private var usedMasks = 1

  /// Index of the entry for a report; −1 where it is not known.
  ///
  /// Unchecked, because every report goes through here: a slot has `slotBits` bits and a mask's
  /// number is a byte, and the tables are as large from the beginning.
  /// - Parameters:
  ///   - base: where `place` counts from; `ReportPlace.longest` bytes from its start on are there.
  @unsafe @inline(__always)
  func find(_ place: ReportPlace, _ base: UnsafeRawPointer) -> Int {
    let slot = unsafe Self.slot(place, base)
    if unsafe matches(slot, base + place.start, place.tag) { return slot }
    return unsafe findSecond(slot | 1, base + place.start, place.tag)
  }

  @unsafe @inline(never)
  private func findSecond(_ slot: Int, _ report: UnsafeRawPointer, _ tag: UInt16) -> Int {
    unsafe matches(slot, report, tag) ? slot : -1
  }

  /// The first of the two places where a report may be kept; the other is the odd one behind. Told
  /// by its type and address, and by eight bytes of its data that end before telemetry's begin.
  @unsafe @inline(__always)
  private static func slot(_ place: ReportPlace, _ base: UnsafeRawPointer) -> Int {
    let sender = unsafe base.loadUnaligned(
      fromByteOffset: place.start &+ place.form.number, as: UInt64.self)
    let inside = unsafe base.loadUnaligned(
      fromByteOffset: min(place.data &+ 5, place.data &+ place.count &- 8), as: UInt64.self)
    var hash =
      (sender ^ UInt64(truncatingIfNeeded: place.form.number) << 7) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 32 ^ inside) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: hash >> (64 - slotBits)) & ~1
  }

  @unsafe @inline(__always)
  private static func words(_ report: UnsafeRawPointer, _ mask: Words) -> Words {
    unsafe Words(
      a: report.loadUnaligned(as: SIMD2<UInt64>.self) & mask.a,
      b: report.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self) & mask.b,
      c: report.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self) & mask.c,
      d: report.loadUnaligned(fromByteOffset: 48, as: UInt64.self) & mask.d)
  }

  @unsafe @inline(__always)
  private func matches(_ slot: Int, _ report: UnsafeRawPointer, _ tag: UInt16) -> Bool {
    let entry = unsafe entries.pointer + slot
    let words = unsafe Self.words(report, masks.pointer[Int(entry.pointee.mask)])
    // `^` binds no closer than `|`.
    let half = unsafe (words.a ^ entry.pointee.words.a) | (words.b ^ entry.pointee.words.b)
    let difference = unsafe half | (words.c ^ entry.pointee.words.c)
    return unsafe difference.x | difference.y | (words.d ^ entry.pointee.words.d) == 0
      && entry.pointee.tag == tag
  }

  /// Keeps an entry; of the two that share its places the older one goes: counted first.
  mutating func keep(
    _ entry: consuming Entry, _ detail: Detail, _ place: ReportPlace, _ bytes: RawSpan,
    _ tally: inout BeaconTally
  ) {
    guard place.tag != ReportPlace.unkept, let mask = maskNumber(place, detail) else { return }
    let (slot, words) = unsafe bytes.withUnsafeBytes { bytes in
      // Not nil: the report lies in there.
      guard let base = bytes.baseAddress else { return (0, Words()) }
      return unsafe (Self.slot(place, base), Self.words(base + place.start, masks[Int(mask)]))
    }
    entry.words = words
    entry.mask = mask
    entry.tag = place.tag
    used[slot >> 7] |= 1 << UInt64(slot >> 1 & 63)
    count(slot | 1, &tally)
    entries[slot | 1] = entries[slot]
    details[slot | 1] = details[slot]
    entries[slot] = entry
    details[slot] = detail
  }

  /// Counts what was found again and has not been counted yet.
  mutating func countAll(_ tally: inout BeaconTally) {
    for word in used.indices {
      var pairs = used[word]
      while pairs != 0 {
        let slot = word << 7 | pairs.trailingZeroBitCount << 1
        pairs &= pairs - 1
        count(slot, &tally)
        count(slot | 1, &tally)
      }
    }
  }

  private mutating func count(_ slot: Int, _ tally: inout BeaconTally) {
    guard entries[slot].traits & Entry.countsMore != 0 else { return }
    if details[slot].hasSighting {
      tally.repeat(details[slot], times: details[slot].again)
      details[slot].again = 0
    } else {
      tally.repeat(details[slot], times: Int(entries[slot].value))
      entries[slot].value = 0
    }
  }

  /// The mask that leaves of a report what has to be the same. They are few: one per length and
  /// kind of report, and those of telemetry. Nil where there are more after all.
  private mutating func maskNumber(_ place: ReportPlace, _ detail: Detail) -> UInt8? {
    let shape = MaskShape(
      length: UInt8(truncatingIfNeeded: place.length),
      signal: UInt8(truncatingIfNeeded: place.signal - place.start),
      changesAt: detail.changing > 0 ? detail.changesAt : 0, changing: detail.changing)
    for number in 1..<usedMasks where shapes[number] == shape { return UInt8(number) }
    guard usedMasks < 256 else { return nil }
    shapes[usedMasks] = shape
    masks[usedMasks] = shape.mask
    usedMasks += 1
    return UInt8(usedMasks - 1)
  }
}

/// What a mask depends on, bytes of the report.
struct MaskShape: BitwiseCopyable, Equatable {
  var length: UInt8 = 0
  var signal: UInt8 = 0
  var changesAt: UInt8 = 0
  var changing: UInt8 = 0

  /// Ones where the report has to be the same.
  var mask: ReportMemory.Words {
    var mask = ReportMemory.Words()
    for byte in 0..<length where byte != signal {
      if byte >= changesAt && byte - changesAt < changing { continue }
      let (word, bits) = (Int(byte / 8), UInt64(0xFF) << UInt64(8 * (byte % 8)))
      switch word {
      case 0, 1: mask.a[word] |= bits
      case 2, 3: mask.b[word - 2] |= bits
      case 4, 5: mask.c[word - 4] |= bits
      default: mask.d |= bits
      }
    }
    return mask
  }
}
