import CZlib
import CZstd

/// What an input is packed with, by its first bytes. One layer only (PROTOCOLS.md 1.7).
public enum Compression: String, Sendable {
  case gzip, zstd

  static func recognise(_ head: RawSpan) -> Compression? {
    if head.byteCount >= 2, head.be16(0) == 0x1F8B { return .gzip }
    guard head.byteCount >= 4 else { return nil }
    let word = head.le32(0)
    return word == 0xFD2F_B528 || word & 0xFFFF_FFF0 == 0x184D_2A50 ? .zstd : nil
  }
}

/// A compressed input, unpacked as it is read.
final class UnpackingInput: ByteInput {
  var name: String { packed.name }
  var isStream: Bool { packed.isStream }

  /// How the packed stream ended other than well, once it has.
  private(set) var fault: (code: ProblemCode, detail: String)?

  private let packed: any ByteInput
  private var unpacker: any Unpacker
  private var chunk = [UInt8](repeating: 0, count: 128 << 10)
  private var chunkStart = 0
  private var chunkEnd = 0
  private var ended = false
  private var produced: Int64 = 0

  init(_ packed: any ByteInput, _ compression: Compression) {
    self.packed = packed
    switch compression {
    case .gzip: unpacker = GzipUnpacker()
    case .zstd: unpacker = ZstdUnpacker()
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    while fault == nil {
      if chunkStart == chunkEnd && !ended {
        chunkStart = 0
        let count = try RawInput.read(packed, into: &chunk)
        chunkEnd = max(0, count)
        if count < 0 { return count }
        ended = count == 0
      }
      let step = unsafe chunk.withUnsafeBytes { source in
        unsafe unpacker.unpack(
          UnsafeRawBufferPointer(rebasing: source[chunkStart..<chunkEnd]), into: buffer)
      }
      chunkStart += step.consumed
      produced += Int64(step.produced)
      if let damage = step.damage { fault = (.compressedStreamDamaged, damage) }
      if step.produced > 0 { return step.produced }
      if step.damage == nil && ended && chunkStart == chunkEnd {
        if unpacker.isInside {
          fault = (.compressedStreamTruncated, "the compressed stream ends early")
        }
        break
      }
    }
    if let fault, produced == 0 {
      throw CaptureProblem(
        .decompressionFailed, capture: name, detail: "nothing could be unpacked: \(fault.detail)")
    }
    // The rest of a damaged stream is still read, so that its hash is that of the whole file.
    while !ended { ended = try RawInput.read(packed, into: &chunk) == 0 }
    return 0
  }
}

struct UnpackStep {
  var consumed = 0
  var produced = 0
  var damage: String?
}

/// One compression library.
protocol Unpacker {
  /// Whether the stream has begun a member or frame that it has not ended.
  var isInside: Bool { get }
  mutating func unpack(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> UnpackStep
}

/// gzip (RFC 1952) by zlib; members that follow one another form one stream.
@safe final class GzipUnpacker: Unpacker {
  private var stream = unsafe z_stream()
  private var ready: Bool
  private(set) var isInside = true

  init() {
    // 15 bits of window, +16: the gzip wrapper and its check sum.
    ready =
      unsafe inflateInit2_(
        &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit { if ready { unsafe inflateEnd(&stream) } }

  func unpack(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> UnpackStep {
    guard ready else { return UnpackStep(damage: "zlib could not be set up") }
    if !isInside {
      if unsafe source.isEmpty { return UnpackStep() }
      // Zero bytes behind the last member are padding (tapes); anything else is another member.
      if unsafe source.allSatisfy({ $0 == 0 }) { return UnpackStep(consumed: source.count) }
      unsafe inflateReset(&stream)
      isInside = true
    }
    unsafe stream.next_in = UnsafeMutablePointer(
      mutating: source.bindMemory(to: UInt8.self).baseAddress)
    unsafe stream.avail_in = UInt32(source.count)
    unsafe stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
    unsafe stream.avail_out = UInt32(target.count)
    let result = unsafe inflate(&stream, Z_NO_FLUSH)
    var step = unsafe UnpackStep(
      consumed: source.count - Int(stream.avail_in),
      produced: target.count - Int(stream.avail_out))
    switch result {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isInside = false
    default:
      let text = unsafe stream.msg.map { unsafe String(cString: $0) } ?? "error \(result)"
      // Told at the end of what it is about.
      let isCheck = text == "incorrect data check" || text == "incorrect length check"
      step.damage =
        isCheck
        ? "gzip: the checksum does not fit (\(text)): bytes of any frame before may be wrong"
        : "gzip: \(text)"
    }
    return step
  }
}

/// zstd (RFC 8878) by libzstd, which steps over skippable frames itself.
@safe final class ZstdUnpacker: Unpacker {
  private let stream: OpaquePointer?
  private(set) var isInside = true

  init() { unsafe stream = ZSTD_createDStream() }

  deinit { unsafe ZSTD_freeDStream(stream) }

  func unpack(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> UnpackStep {
    if unsafe source.isEmpty && !isInside { return UnpackStep() }
    var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
    var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    let result = unsafe ZSTD_decompressStream(stream, &output, &input)
    var step = unsafe UnpackStep(consumed: input.pos, produced: output.pos)
    if ZSTD_isError(result) != 0 {
      step.damage = unsafe "zstd: " + String(cString: ZSTD_getErrorName(result))
    }
    isInside = result != 0
    return step
  }
}
