/// Which of the two kinds of advertising report an HCI event holds. What differs is computed, not
/// branched on, so that one loop does for both.
struct ReportForm: BitwiseCopyable {
  /// 0 for a legacy report, 1 for an extended one.
  let number: Int

  static var legacy: ReportForm { ReportForm(number: 0) }
  static var extended: ReportForm { ReportForm(number: 1) }

  /// Type, event code, length 0, subevent, one report; first byte lowest (Core 5.4, Vol 4, Part E,
  /// 7.7.65.2 and 7.7.65.13).
  static var extendedHead: UInt64 { 0x01_0D00_3E04 }
  private static var legacyHead: UInt64 { 0x01_0200_3E04 }

  /// Bytes before the advertising data.
  @inline(__always)
  var header: Int { 9 &+ 15 &* number }

  /// The first five bytes of an event with one report, its length 0.
  @inline(__always)
  var head: UInt64 { Self.legacyHead &+ UInt64(truncatingIfNeeded: number) &* 0x0B00_0000 }
}

/// Where a report lies in the bytes of a batch.
struct ReportPlace: BitwiseCopyable {
  let start: Int
  /// Where its advertising data begin, and how many bytes they are.
  let data: Int
  let count: Int
  let form: ReportForm
  /// The kind of report and the interface it came by; `unkept` where the interface has too large a
  /// number. Never 0, which is that of a free entry.
  let tag: UInt16

  static var unkept: UInt16 { 2 }

  /// Longest report that is kept.
  static let longest = 56

  /// The report at `start`; nil where it does not end at or before `end` or is longer than is kept.
  /// - Parameter base: what `start` and `end` count from; the bytes up to `end` are there.
  @unsafe @inline(__always)
  init?(
    _ base: UnsafeRawPointer, at start: Int, end: Int, _ form: ReportForm, interface: UInt16
  ) {
    let header = form.header
    let room = end &- start &- header &- 1 &+ form.number
    guard room >= 0 else { return nil }
    count = unsafe Int(
      base.loadUnaligned(fromByteOffset: start &+ header &- 1, as: UInt8.self))
    guard count <= room, count <= Self.longest &- header else { return nil }
    self.start = start
    data = start &+ header
    self.form = form
    tag =
      interface < 1 << 14
      ? interface << 2 | UInt16(truncatingIfNeeded: 1 &+ 2 &* form.number) : Self.unkept
  }

  /// Bytes, the signal strength of a legacy report left out.
  var length: Int { data - start + count }

  /// Where the signal strength stands: behind a legacy report's data, in an extended one's header,
  /// eleven bytes before its data.
  @inline(__always)
  var signal: Int { data &+ (count & (form.number &- 1)) &- 11 &* form.number }

  @inline(__always)
  var end: Int { data &+ count &+ 1 &- form.number }
}
