package import CaptureWriter

extension Packing {
  /// A gzip member of stored blocks.
  package static func gzip(_ data: [UInt8]) -> [UInt8] { gzip(data, blocks: storedBlocks(data)) }

  /// A gzip member around finished deflate blocks.
  package static func gzip(_ data: [UInt8], blocks: [UInt8]) -> [UInt8] {
    join(
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF], blocks, crc32(data).le, UInt32(data.count).le)
  }

  /// A zstd frame of raw blocks, with its content's size in the header.
  package static func zstd(_ data: [UInt8]) -> [UInt8] {
    var result = join([0x28, 0xB5, 0x2F, 0xFD, 0xA0], UInt32(data.count).le)
    var start = 0
    repeat {
      // A block is no longer than the window, which is the content here, and than 128 KiB.
      let count = min(128 << 10, data.count - start)
      let isLast = start + count == data.count
      let header = UInt32(isLast ? 1 : 0) | UInt32(count) << 3
      result += header.le.prefix(3)
      result += data[start..<(start + count)]
      start += count
    } while start < data.count
    return result
  }

  private static let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  package static func crc32(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~UInt32(0)) { $0 >> 8 ^ crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
