import CZlib
import CZstd

/// Compresses a stream piece by piece.
protocol Packer {
  var isPlain: Bool { get }
  /// What the bytes so far come to; nil where the library fails. `final`: nothing follows.
  mutating func pack(_ bytes: [UInt8], final: Bool) -> [UInt8]?
}

struct NoPacker: Packer {
  var isPlain: Bool { true }
  func pack(_ bytes: [UInt8], final: Bool) -> [UInt8]? { bytes }
}

/// One gzip member, by zlib.
@safe final class GzipPacker: Packer {
  private var stream = unsafe z_stream()
  private let isReady: Bool
  var isPlain: Bool { false }

  init() {
    // 15 bits of window, and 16 for a gzip header.
    isReady =
      unsafe deflateInit2_(
        &stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit { if isReady { unsafe _ = deflateEnd(&stream) } }

  func pack(_ bytes: [UInt8], final: Bool) -> [UInt8]? {
    guard isReady else { return nil }
    var result: [UInt8] = []
    var input = bytes
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var isFull = true
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(source.count)
      while isFull {
        unsafe buffer.withUnsafeMutableBufferPointer { target in
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          unsafe _ = deflate(&stream, final ? Z_FINISH : Z_NO_FLUSH)
        }
        let left = unsafe Int(stream.avail_out)
        result.append(contentsOf: buffer.prefix(buffer.count - left))
        isFull = left == 0
      }
    }
    return unsafe stream.avail_in == 0 ? result : nil
  }
}

/// One zstd frame, by libzstd.
@safe final class ZstdPacker: Packer {
  private let context: OpaquePointer?
  var isPlain: Bool { false }

  init() { unsafe context = ZSTD_createCCtx() }

  deinit { unsafe _ = ZSTD_freeCCtx(context) }

  func pack(_ bytes: [UInt8], final: Bool) -> [UInt8]? {
    guard let context = unsafe context else { return nil }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let isWhole = unsafe bytes.withUnsafeBytes { source -> Bool in
      var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      while true {
        let (left, count) = unsafe buffer.withUnsafeMutableBytes { target in
          var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
          let left = unsafe ZSTD_compressStream2(
            context, &output, &input, final ? ZSTD_e_end : ZSTD_e_continue)
          return (left, unsafe output.pos)
        }
        if ZSTD_isError(left) != 0 { return false }
        result.append(contentsOf: buffer.prefix(count))
        if unsafe final ? left == 0 : input.pos == input.size { return true }
      }
    }
    return isWhole ? result : nil
  }
}
