import CaptureReader
import FrameDecoder

/// What frames seen lately came to. A beacon sends the same bytes again and again; only the signal
/// strength and the moment are new. A frame is decoded once, and compared from then on.
///
/// For HCI advertising events of 24 to 64 bytes that hold one report. What depends on more than the
/// frame's own bytes is never kept: fragments, anything odd about the frame. Telemetry is different
/// each time: its numbers are left out of the comparison and read anew. A frame that is not known takes the ordinary way; there is no other difference.
struct FrameMemory: Sendable {
  typealias Words = SIMD8<UInt64>

  struct Entry: BitwiseCopyable, Sendable {
    /// The frame; its signal strength, what changes and what lies behind its end zeroed.
    var words = Words.zero
    /// Ones where `words` counts.
    var mask = Words.zero
    /// All of it but moment, frame number and signal. Without a sighting: the observer and the
    /// warnings.
    var sighting: Sighting
    var labels = AdvertiserLabels.none
    var layoutCompany: UInt16 = 0
    var interface: UInt16 = 0
    /// Where the bytes that change begin, and how many there are: 12 or 16, 0 for none.
    var changesAt: UInt8 = 0
    var changing: UInt8 = 0
    var isUsed = false
    var hasSighting = false
    /// Something is to be counted beside the sighting.
    var countsMore = false

    init(_ sighting: Sighting) { self.sighting = sighting }
  }

  /// A frame of the kind that can be kept.
  struct Frame {
    let words: Words
    /// Where the signal strength stands.
    let signal: Int
    let isExtended: Bool
    /// The first of the two places where it may be kept; the other is the odd one behind.
    let slot: Int
  }

  static let longest = 64
  private static let slotBits: UInt64 = 12
  private(set) var entries: [Entry]

  init() {
    let free = Entry(Sighting(of: AdvertisingReport.none, BeaconKind(rawValue: 0)))
    entries = [Entry](repeating: free, count: 1 << Self.slotBits)
  }

  /// The H4 packet of `length` bytes at `start`; nil where it is not of the kind.
  @inline(__always)
  static func frame(_ bytes: RawSpan, at start: Int, length: Int) -> Frame? {
    guard length >= 24, length <= longest, bytes.byteCount &- start >= longest else { return nil }
    let data = bytes.extracting(start..<(start &+ longest))
    // Type, event code, length, subevent, number of reports.
    let head = data.le64(0)
    guard head & 0xFF_0000_FFFF == 0x01_0000_3E04, Int(head >> 16 & 0xFF) == length &- 3 else {
      return nil
    }
    let subevent = head >> 24 & 0xFF
    guard subevent == 0x02 || subevent == 0x0D && length >= 36 else { return nil }
    let isExtended = subevent == 0x0D
    // The address, and eight bytes of the data that end before telemetry's begin.
    let inside = data.le64(min(isExtended ? 34 : 19, length &- 9))
    var hash = (data.le64(6) ^ head) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 32 ^ inside) &* 0xC4CE_B9FE_1A85_EC53
    return Frame(
      words: data.words64(), signal: isExtended ? 18 : length &- 1, isExtended: isExtended,
      slot: Int(truncatingIfNeeded: hash >> (64 - slotBits)) & ~1)
  }

  /// Index of the entry for a frame; nil where it is not known.
  @inline(__always)
  func find(_ frame: Frame, interface: UInt16) -> Int? {
    if matches(frame.slot, frame, interface) { return frame.slot }
    if matches(frame.slot | 1, frame, interface) { return frame.slot | 1 }
    return nil
  }

  @inline(__always)
  private func matches(_ slot: Int, _ frame: Frame, _ interface: UInt16) -> Bool {
    let difference = (frame.words & entries[slot].mask) ^ entries[slot].words
    let quarter = difference.lowHalf | difference.highHalf
    let eighth = quarter.lowHalf | quarter.highHalf
    return eighth.x | eighth.y == 0 && entries[slot].isUsed && entries[slot].interface == interface
  }

  /// Keeps an entry in the place of the one that was not asked for longest, or nearly.
  mutating func keep(_ entry: consuming Entry, _ frame: Frame, length: Int) {
    entry.mask = Self.mask(length: length, signal: frame.signal)
    for at in Int(entry.changesAt)..<(Int(entry.changesAt) + Int(entry.changing)) {
      entry.mask[at / 8] &= ~(0xFF << UInt64(8 * (at % 8)))
    }
    entry.words = frame.words & entry.mask
    entry.isUsed = true
    entries[frame.slot | 1] = entries[frame.slot]
    entries[frame.slot] = entry
  }

  private static func mask(length: Int, signal: Int) -> Words {
    var mask = Words.zero
    for at in 0..<length where at != signal {
      mask[at / 8] |= 0xFF << UInt64(8 * (at % 8))
    }
    return mask
  }
}
