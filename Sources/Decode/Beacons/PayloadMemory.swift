import CaptureReader
import FrameDecoder

/// Advertising data of 8 to 32 bytes and their sender as six words that tell any two apart: the
/// words of the data from the front as far as they are whole, the last eight bytes (which may
/// overlap them), and the address with the length above it.
struct PayloadKey: Sendable {
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  /// Bits 0–55 the address and its kind, 56–63 the length.
  var sender: UInt64 = 0

  static let shortest = 8
  static let longest = 32

  init() {}

  /// `data` has `shortest` to `longest` bytes.
  @inline(__always)
  init(_ data: RawSpan, _ address: DeviceAddress) {
    let length = data.byteCount
    words.0 = data.le64(0)
    if length >= 16 { words.1 = data.le64(8) }
    if length >= 24 { words.2 = data.le64(16) }
    words.3 = data.le64(length &- 8)
    sender = address.rawValue | UInt64(truncatingIfNeeded: length) << 56
  }

  @inline(__always)
  static func == (a: PayloadKey, b: PayloadKey) -> Bool {
    (a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2)
      | (a.words.3 ^ b.words.3) | (a.sender ^ b.sender) == 0
  }

  /// A slot among `PayloadMemory.slots`.
  @inline(__always)
  var slot: Int {
    var value = (words.0 ^ words.3) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ value >> 32 ^ words.1 ^ words.2 << 1 ^ sender) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: value >> 52)
  }
}

/// What payloads seen lately decoded to. A beacon sends the same bytes again and again: they are
/// decoded once, and compared from then on. Payloads whose meaning depends on more than their bytes
/// and their sender are not kept.
struct PayloadMemory: Sendable {
  struct Entry: BitwiseCopyable, Sendable {
    var key = PayloadKey()
    /// All of it but what each report brings along: time, frame, place, signal, channel, PHY.
    var sighting: Sighting
    var labels = AdvertiserLabels.none
    var layoutCompany: UInt16 = 0
    var observer: UInt16 = 0
    /// Whether there is a sighting: without one `sighting` holds the warnings only.
    var hasSighting = false
    /// Whether something is to be counted beside the sighting.
    var isPlain = true

    init(_ sighting: Sighting) { self.sighting = sighting }
  }

  static let slots = 4096
  var entries: [Entry]

  init() {
    // A length of zero in the key: no payload is like it.
    let free = Entry(Sighting(of: AdvertisingReport.none, BeaconKind(rawValue: 0)))
    entries = [Entry](repeating: free, count: Self.slots)
  }
}
