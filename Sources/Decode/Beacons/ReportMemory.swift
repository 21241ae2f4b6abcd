import CaptureReader
import FrameDecoder

/// What advertising reports seen lately came to. A beacon sends the same bytes again and again; only
/// the signal strength and the moment are new. A report is decoded once, and compared from then on.
///
/// The bytes compared are all of the report's in its HCI event: type, address, data. What depends on
/// more than these is never kept: fragments, anything odd about the event. Telemetry is different
/// each time: its numbers are left out of the comparison and read anew. A report that is not known
/// takes the ordinary way; there is no other difference.
struct ReportMemory: Sendable {
  typealias Words = SIMD8<UInt64>

  /// What is looked at for every report; small, so that many stay near the processor.
  struct Entry: BitwiseCopyable, Sendable {
    /// The report; its signal strength, what changes and what lies behind its end zeroed.
    var words = Words.zero
    /// What the words do not tell (`ReportPlace.tag`); 0 for a free entry.
    var tag: UInt32 = 0
    var transmitter: UInt32 = 0
    var observer: UInt16 = 0
    /// Which of `masks` leaves of a report what `words` holds.
    var mask: UInt8 = 0
    /// Where the bytes that change begin in the report, and how many there are: 12 or 16, 0 for none.
    var changesAt: UInt8 = 0
    var changing: UInt8 = 0
    var hasSighting = false
    /// Something is to be counted beside the sighting.
    var countsMore = false
  }

  /// The rest of an entry.
  struct Detail: BitwiseCopyable, Sendable {
    /// All of it but moment, frame number, place and signal. Without a sighting: the warnings.
    var sighting: Sighting
    var labels = AdvertiserLabels.none
    var layoutCompany: UInt16 = 0
  }

  private static let slotBits: UInt64 = 12
  private(set) var entries = [Entry](repeating: Entry(), count: 1 << slotBits)
  private(set) var details: [Detail]
  private var masks: [Words] = [.zero]

  init() {
    let none = Detail(sighting: Sighting(of: AdvertisingReport.none, BeaconKind(rawValue: 0)))
    details = [Detail](repeating: none, count: 1 << Self.slotBits)
  }

  /// Index of the entry for a report; nil where it is not known.
  @inline(__always)
  func find(_ place: ReportPlace, _ bytes: RawSpan) -> Int? {
    let slot = slot(place, bytes)
    let words = bytes.words64(place.start)
    if matches(slot, words, place.tag) { return slot }
    if matches(slot | 1, words, place.tag) { return slot | 1 }
    return nil
  }

  /// The first of the two places where a report may be kept; the other is the odd one behind. Told
  /// by its type and address, and by eight bytes of its data that end before telemetry's begin.
  @inline(__always)
  private func slot(_ place: ReportPlace, _ bytes: RawSpan) -> Int {
    let sender = bytes.le64(place.start &+ (place.isExtended ? 1 : 0))
    let inside = bytes.le64(min(place.data &+ 5, place.data &+ place.count &- 8))
    var hash = sender &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 32 ^ inside) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: hash >> (64 - Self.slotBits)) & ~1
  }

  @inline(__always)
  private func matches(_ slot: Int, _ words: Words, _ tag: UInt32) -> Bool {
    let difference = (words & masks[Int(entries[slot].mask)]) ^ entries[slot].words
    let quarter = difference.lowHalf | difference.highHalf
    let eighth = quarter.lowHalf | quarter.highHalf
    return eighth.x | eighth.y == 0 && entries[slot].tag == tag
  }

  /// Keeps an entry; of the two that share its places the older one goes.
  mutating func keep(
    _ entry: consuming Entry, _ detail: Detail, _ place: ReportPlace, _ bytes: RawSpan
  ) {
    guard let mask = maskNumber(place, entry) else { return }
    let slot = slot(place, bytes)
    entry.mask = mask
    entry.words = bytes.words64(place.start) & masks[Int(mask)]
    entry.tag = place.tag
    entries[slot | 1] = entries[slot]
    details[slot | 1] = details[slot]
    entries[slot] = entry
    details[slot] = detail
  }

  /// The mask that leaves of a report what has to be the same. They are few: one per length and
  /// kind of report, and those of telemetry. Nil where there are more after all.
  private mutating func maskNumber(_ place: ReportPlace, _ entry: Entry) -> UInt8? {
    var mask = Words.zero
    for at in 0..<place.length where at != place.signal - place.start {
      if at < Int(entry.changesAt) || at >= Int(entry.changesAt) + Int(entry.changing) {
        mask[at / 8] |= 0xFF << UInt64(8 * (at % 8))
      }
    }
    if let known = masks.firstIndex(of: mask) { return UInt8(known) }
    guard masks.count < 256 else { return nil }
    masks.append(mask)
    return UInt8(masks.count - 1)
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
  /// (`ReportPlace.longest` bytes from `start` on have to be there.)
  @inline(__always)
  init?(_ bytes: RawSpan, at start: Int, end: Int, isExtended: Bool, interface: UInt16) {
    let header = isExtended ? 24 : 9
    let room = end &- start &- header &- (isExtended ? 0 : 1)
    guard room >= 0 else { return nil }
    count = Int(bytes.u8(start &+ header &- 1))
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
