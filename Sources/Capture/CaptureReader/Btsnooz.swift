import CZlib
import FoundationEssentials

/// The «snooz» section of an Android bug report: base64 text, a zlib stream, records without times
/// of their own. PROTOCOLS.md 1.3.
///
/// The ring it comes from holds about 256 KB, so it is unpacked whole and handed on as btsnoop H4
/// bytes: one reader then serves both.
struct Btsnooz {
  /// Bug reports.
  static let endings = [FileEnding("txt", isOfCapturesAlone: false)]

  /// Nothing that a phone writes comes near; guards against bombs.
  static let largest = 64 << 20

  /// What was missing, or counts once.
  struct Loss {
    let code: ProblemCode
    /// The record nearest to it, 0 where there is none.
    var frame = 0
    /// Byte of the text where the section begins; 0: of the only one.
    var offset: Int64 = 0
    /// How often.
    var count = 1
    let detail: String
  }

  /// btsnoop H4 bytes.
  var btsnoop: [UInt8]
  /// How many there are in them.
  var records: Int
  /// Times count back from the last record: without that one, nobody knows them.
  let hasTimes: Bool
  var losses: [Loss]

  /// Reads the rest of `input` and unpacks its sections; nil where the text has none.
  static func read(_ input: any ByteInput) throws(CaptureProblem) -> Btsnooz? {
    var sections = BtsnoozSections(capture: input.name)
    var line: [UInt8] = []
    // Where the line begins, and where the next byte is.
    var (start, at): (Int64, Int64) = (0, 0)
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try RawInput.read(input, into: &chunk)
      if count == 0 { break }
      for byte in chunk[..<count] {
        at += 1
        if byte == UInt8(ascii: "\n") {
          sections.take(line, at: start)
          line.removeAll(keepingCapacity: true)
          start = at
        } else if line.count < largest {
          line.append(byte)
        }
      }
    }
    sections.take(line, at: start)
    return try sections.finish()
  }

  init(section: [UInt8], isComplete: Bool, capture: String) throws(CaptureProblem) {
    var text = section.filter { !$0.isASCIISpace }
    // Four characters hold three bytes; what a cut leaves of a group says nothing.
    if !isComplete { text.removeLast(text.count % 4) }
    guard let packed = Data(base64Encoded: Data(text)).map({ [UInt8]($0) }), packed.count > 9 else {
      throw CaptureProblem(
        .badBase64, capture: capture, detail: "its btsnooz section is not base64 text")
    }
    guard packed[0] == 1 || packed[0] == 2 else {
      throw CaptureProblem(
        .unsupportedVersion, capture: capture,
        detail: "btsnooz version \(packed[0]); only versions 1 and 2 are known")
    }
    var last: UInt64 = 0
    for index in (1...8).reversed() { last = last << 8 | UInt64(packed[index]) }
    let log = Self.inflateAll(Array(packed[9...]))
    if log.bytes.isEmpty {
      throw CaptureProblem(
        .decompressionFailed, capture: capture, detail: "its btsnooz section cannot be unpacked")
    }
    let (entries, rest) = Self.split(log.bytes, version: packed[0])
    hasTimes = log.whole && rest == 0
    btsnoop = Self.convert(log.bytes, entries, last: hasTimes ? last : nil)
    records = entries.count
    var losses: [Loss] = []
    if !isComplete {
      losses.append(Loss(code: .sectionEndMissing, detail: "the btsnooz section has no end marker"))
    }
    if !log.whole {
      losses.append(
        Loss(code: .compressedStreamTruncated, detail: "the btsnooz section's stream ends early"))
    }
    if rest > 0 {
      losses.append(
        Loss(code: .fileTruncated, detail: "the btsnooz section ends \(rest) bytes into a record"))
    }
    self.losses = losses
  }

  /// Everything a zlib stream gives, and whether it ended as it should.
  private static func inflateAll(_ packed: [UInt8]) -> (bytes: [UInt8], whole: Bool) {
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return ([], false) }
    defer { unsafe inflateEnd(&stream) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var input = packed
    var status = Z_OK
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(source.count)
      while status == Z_OK && result.count < largest {
        unsafe buffer.withUnsafeMutableBufferPointer { target in
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          status = unsafe inflate(&stream, Z_NO_FLUSH)
        }
        unsafe result.append(contentsOf: buffer.prefix(buffer.count - Int(stream.avail_out)))
      }
    }
    return (result, status == Z_STREAM_END)
  }

  private struct Entry {
    let data: Range<Int>
    let original: Int
    let delta: UInt64
    let type: UInt8
  }

  /// H4 type and btsnoop flags of a btsnooz type; nil where it is not known.
  private static func meaning(of type: UInt8) -> (h4: UInt8, flags: UInt8)? {
    switch type {
    case 0x10: (4, 3)
    case 0x11: (2, 1)
    case 0x12: (3, 1)
    case 0x17: (5, 1)
    case 0x20: (1, 2)
    case 0x21: (2, 0)
    case 0x22: (3, 0)
    case 0x2D: (5, 0)
    default: nil
    }
  }

  private struct Walk {
    var entries: [Entry] = []
    /// Records before the first one of an unknown type.
    var known = 0
    /// Bytes behind the last whole record.
    var rest = 0
    var isExact: Bool { rest == 0 && known == entries.count }
  }

  /// The records of a log whose headers are so many bytes long.
  private static func walk(_ log: [UInt8], version: UInt8, header: Int) -> Walk {
    func little(_ at: Int, _ count: Int) -> UInt64 {
      (0..<count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(log[at + $1]) }
    }
    var walk = Walk()
    var at = 0
    while at + header <= log.count {
      let length = Int(little(at, 2))
      let data = at + header
      guard length >= 1, data + length - 1 <= log.count else { break }
      let type = log[data - 1]
      if meaning(of: type) != nil && walk.known == walk.entries.count { walk.known += 1 }
      let original = version == 1 ? length : Int(little(at + 2, 2))
      let delta = version == 1 ? little(at + 2, 4) : little(at + 4, header - 5)
      walk.entries.append(
        Entry(data: data..<(data + length - 1), original: original, delta: delta, type: type))
      at = data + length - 1
    }
    walk.rest = log.count - at
    return walk
  }

  /// Version 2 comes with 32-bit and with 64-bit deltas under one number: the width that walks
  /// exactly to the end with known types is the right one; in a log cut short, the one that makes
  /// sense for longer.
  private static func split(_ log: [UInt8], version: UInt8) -> (entries: [Entry], rest: Int) {
    var best = walk(log, version: version, header: version == 1 ? 7 : 9)
    if version == 2 && !best.isExact {
      let wide = walk(log, version: version, header: 13)
      if wide.isExact || wide.known > best.known { best = wide }
      if best.rest > 0 {
        // Neither width is proven: from the first unknown type on it may be the wrong one.
        let end = best.known > 0 ? best.entries[best.known - 1].data.upperBound : 0
        return (Array(best.entries.prefix(best.known)), log.count - end)
      }
    }
    return (best.entries, best.rest)
  }

  /// The records as btsnoop H4; `last`: time of the last one, nil where that one is missing.
  private static func convert(_ log: [UInt8], _ entries: [Entry], last: UInt64?) -> [UInt8] {
    var times = [UInt64?](repeating: last, count: entries.count)
    for index in entries.indices.dropLast().reversed() {
      times[index] = times[index + 1].map { $0 &- entries[index + 1].delta }
    }
    var result = Btsnoop.magic
    func big(_ value: UInt64, _ count: Int) {
      for shift in (0..<count).reversed() {
        result.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift))))
      }
    }
    big(1, 4)
    big(1002, 4)
    for (entry, time) in zip(entries, times) {
      // Unknown records are counted, as unknown H4 packets.
      let (h4, flags) = meaning(of: entry.type) ?? (entry.type > 5 ? entry.type : 0, 0)
      big(UInt64(entry.original), 4)
      big(UInt64(entry.data.count + 1), 4)
      big(UInt64(flags), 4)
      big(0, 4)
      big(time.map { $0 &+ UInt64(bitPattern: Btsnoop.epoch) } ?? 0, 8)
      result.append(h4)
      result.append(contentsOf: log[entry.data])
    }
    return result
  }
}

extension UInt8 {
  fileprivate var isASCIISpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
