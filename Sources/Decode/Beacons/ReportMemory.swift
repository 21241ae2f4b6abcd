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
  typealias Words = SIMD8<UInt64>

  /// What is looked at for every report; small, so that many stay near the processor.
  struct Entry: BitwiseCopyable, Sendable {
    /// The report; its signal strength, what changes and what lies behind its end zeroed.
    var words = Words.zero
    /// What the words do not tell (`ReportPlace.tag`); 0 for a free entry.
    var tag: UInt32 = 0
    var transmitter: UInt32 = 0
    /// Which of `masks` leaves of a report what `words` holds.
    var mask: UInt8 = 0
    var traits: UInt8 = 0
    /// How often it was found again since what it counts for was counted.
    var again: UInt32 = 0

    /// The traits as bits.
    static var hasSighting: UInt8 { 1 }
    /// Some bytes change (`Detail.changing`).
    static var changes: UInt8 { 2 }
  }

  /// The rest of an entry.
  struct Detail: BitwiseCopyable, Sendable {
    /// All of it but moment, frame number, place and signal. Without a sighting: the warnings.
    var sighting: Sighting
    var labels = AdvertiserLabels.none
    var layoutCompany: UInt16 = 0
    /// Where the bytes that change begin in the report, and how many there are: 12 or 16, 0 for none.
    var changesAt: UInt8 = 0
    var changing: UInt8 = 0
    var hasSighting = false
    /// Something is to be counted beside the sighting.
    var countsMore = false
  }

  private static let slotBits: UInt64 = 13
  /// As many as there are slots; there is a detail to each.
  private(set) var entries = Rows<Entry>(capacity: 1 << slotBits)
  private(set) var details = Rows<Detail>(capacity: 1 << slotBits)
  /// As many as a `UInt8` can tell apart, the first ones used.
  private var masks = Rows<Words>(capacity: 256)
  private var usedMasks = 1

  init() {
    let none = Detail(sighting: Sighting(of: AdvertisingReport.none, BeaconKind(rawValue: 0)))
    for _ in 0..<(1 << Self.slotBits) {
      entries.append(Entry())
      details.append(none)
    }
    for _ in 0..<256 { masks.append(.zero) }
  }

  /// Index of the entry for a report; −1 where it is not known.
  ///
  /// Unchecked, because every report goes through here: a slot has `slotBits` bits and a mask's
  /// number is a byte, and the tables are as large from the beginning.
  /// - Parameters:
  ///   - base: where `place` counts from; `ReportPlace.longest` bytes from its start on are there.
  @unsafe @inline(__always)
  func find(_ place: ReportPlace, _ base: UnsafeRawPointer) -> Int {
    let entries = unsafe entries.pointer
    let masks = unsafe masks.pointer
    let slot = unsafe Self.slot(place, base)
    if unsafe Self.matches(entries + slot, masks, base + place.start, place.tag) { return slot }
    return unsafe Self.findSecond(slot | 1, entries, masks, base + place.start, place.tag)
  }

  @unsafe @inline(never)
  private static func findSecond(
    _ slot: Int, _ entries: UnsafePointer<Entry>, _ masks: UnsafePointer<Words>,
    _ report: UnsafeRawPointer, _ tag: UInt32
  ) -> Int {
    unsafe matches(entries + slot, masks, report, tag) ? slot : -1
  }

  /// The first of the two places where a report may be kept; the other is the odd one behind. Told
  /// by its type and address, and by eight bytes of its data that end before telemetry's begin.
  @unsafe @inline(__always)
  private static func slot(_ place: ReportPlace, _ base: UnsafeRawPointer) -> Int {
    let sender = unsafe base.loadUnaligned(
      fromByteOffset: place.start &+ (place.isExtended ? 1 : 0), as: UInt64.self)
    let inside = unsafe base.loadUnaligned(
      fromByteOffset: min(place.data &+ 5, place.data &+ place.count &- 8), as: UInt64.self)
    var hash = sender &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 32 ^ inside) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: hash >> (64 - slotBits)) & ~1
  }

  /// 64 bytes, in quarters: what a processor without wide registers can load at once.
  @unsafe @inline(__always)
  private static func words(_ base: UnsafeRawPointer) -> Words {
    unsafe Words(
      lowHalf: SIMD4(
        lowHalf: base.loadUnaligned(as: SIMD2<UInt64>.self),
        highHalf: base.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)),
      highHalf: SIMD4(
        lowHalf: base.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self),
        highHalf: base.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)))
  }

  @unsafe @inline(__always)
  private static func matches(
    _ entry: UnsafePointer<Entry>, _ masks: UnsafePointer<Words>, _ report: UnsafeRawPointer,
    _ tag: UInt32
  ) -> Bool {
    let mask = unsafe masks[Int(entry.pointee.mask)]
    let difference = unsafe (words(report) & mask) ^ entry.pointee.words
    let quarter = difference.lowHalf | difference.highHalf
    let eighth = quarter.lowHalf | quarter.highHalf
    return unsafe eighth.x | eighth.y == 0 && entry.pointee.tag == tag
  }

  /// Keeps an entry; of the two that share its places the older one goes: counted first.
  mutating func keep(
    _ entry: consuming Entry, _ detail: Detail, _ place: ReportPlace, _ bytes: RawSpan,
    _ tally: inout BeaconTally
  ) {
    guard let mask = maskNumber(place, detail) else { return }
    let (slot, words) = unsafe bytes.withUnsafeBytes { bytes in
      // Not nil: the report lies in there.
      guard let base = bytes.baseAddress else { return (0, Words.zero) }
      return unsafe (Self.slot(place, base), Self.words(base + place.start))
    }
    entry.mask = mask
    entry.words = words & masks[Int(mask)]
    entry.tag = place.tag
    count(slot | 1, &tally)
    entries[slot | 1] = entries[slot]
    details[slot | 1] = details[slot]
    entries[slot] = entry
    details[slot] = detail
  }

  /// Counts what was found again and has not been counted yet.
  mutating func countAll(_ tally: inout BeaconTally) {
    for slot in entries.indices { count(slot, &tally) }
  }

  private mutating func count(_ slot: Int, _ tally: inout BeaconTally) {
    let again = Int(entries[slot].again)
    guard again > 0 else { return }
    entries[slot].again = 0
    if details[slot].countsMore { tally.repeat(details[slot], times: again) }
  }

  /// The mask that leaves of a report what has to be the same. They are few: one per length and
  /// kind of report, and those of telemetry. Nil where there are more after all.
  private mutating func maskNumber(_ place: ReportPlace, _ detail: Detail) -> UInt8? {
    var mask = Self.prefix(place.length)
    mask &=
      ~(Self.prefix(place.signal - place.start + 1) & ~Self.prefix(place.signal - place.start))
    if detail.changing > 0 {
      let first = Int(detail.changesAt)
      mask &= ~(Self.prefix(first + Int(detail.changing)) & ~Self.prefix(first))
    }
    for number in 1..<usedMasks where masks[number] == mask { return UInt8(number) }
    guard usedMasks < 256 else { return nil }
    masks[usedMasks] = mask
    usedMasks += 1
    return UInt8(usedMasks - 1)
  }

  /// Ones in the first `count` bytes.
  private static func prefix(_ count: Int) -> Words {
    var mask = Words.zero
    for word in 0..<8 {
      let bytes = min(8, max(0, count - 8 * word))
      mask[word] = bytes == 8 ? .max : (1 << UInt64(8 * bytes)) - 1
    }
    return mask
  }
}

/// Where a report lies in the bytes of a batch.
struct ReportPlace {
  let start: Int
  /// Where its advertising data begin, and how many bytes they are.
  let data: Int
  let count: Int
  let isExtended: Bool
  /// The kind of report and the interface it came by.
  let tag: UInt32

  /// Longest report that is kept.
  static let longest = 64

  /// The report at `start`; nil where it does not end at or before `end` or is longer than is kept.
  /// - Parameter base: what `start` and `end` count from; the bytes up to `end` are there.
  @unsafe @inline(__always)
  init?(
    _ base: UnsafeRawPointer, at start: Int, end: Int, isExtended: Bool, interface: UInt16
  ) {
    let header = isExtended ? 24 : 9
    let room = end &- start &- header &- (isExtended ? 0 : 1)
    guard room >= 0 else { return nil }
    count = unsafe Int(
      base.loadUnaligned(fromByteOffset: start &+ header &- 1, as: UInt8.self))
    guard count <= room, count <= Self.longest &- header else { return nil }
    self.start = start
    data = start &+ header
    self.isExtended = isExtended
    tag = UInt32(interface) << 16 | (isExtended ? 3 : 1)
  }

  /// Bytes, the signal strength of a legacy report left out.
  var length: Int { data - start + count }

  /// Where the signal strength stands: behind a legacy report's data, in an extended one's header.
  @inline(__always)
  var signal: Int { isExtended ? start &+ 13 : data &+ count }

  @inline(__always)
  var end: Int { isExtended ? data &+ count : data &+ count &+ 1 }
}
