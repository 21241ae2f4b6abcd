import CaptureReader
import FrameDecoder

/// Advertising data of 8 to 32 bytes as five words that tell any two apart: the words from the
/// front as far as they are whole, the last eight bytes (which may overlap them), and the length.
struct PayloadKey: Sendable {
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var count: UInt64 = 0

  static let shortest = 8
  static let longest = 32

  init() {}

  /// `data` has `shortest` to `longest` bytes.
  @inline(__always)
  init(_ data: RawSpan) {
    let length = data.byteCount
    words.0 = data.le64(0)
    if length >= 16 { words.1 = data.le64(8) }
    if length >= 24 { words.2 = data.le64(16) }
    words.3 = data.le64(length - 8)
    count = UInt64(truncatingIfNeeded: length)
  }

  @inline(__always)
  static func == (a: PayloadKey, b: PayloadKey) -> Bool {
    (a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2)
      | (a.words.3 ^ b.words.3) | (a.count ^ b.count) == 0
  }

  /// A slot among `PayloadMemory.slots`.
  @inline(__always)
  var slot: Int {
    var value = (words.0 ^ words.3) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ value >> 32 ^ words.1 ^ words.2 << 1 ^ count) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: value >> 52)
  }
}

/// What payloads seen lately decoded to. A beacon sends the same bytes again and again: they are
/// decoded once, and compared from then on. Payloads whose meaning depends on more than their bytes
/// (telemetry belongs to an address) are not kept.
struct PayloadMemory: Sendable {
  struct Entry: Sendable {
    var key = PayloadKey()
    var extra: (UInt64, UInt64) = (0, 0)
    var labels = AdvertiserLabels.none
    var frameWarnings = FrameWarnings.none
    var warnings = BeaconWarnings.none
    var identity: UInt32 = 0
    var layoutCompany: UInt16 = 0
    var kind = BeaconKind(rawValue: 0)
    var power: Int8 = 0
    /// Whether there is a sighting: without one `identity` means nothing.
    var hasSighting = false
  }

  static let slots = 4096
  var entries = [Entry](repeating: Entry(), count: slots)
}
