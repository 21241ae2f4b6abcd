/// Wrappings written without a library: the bytes depend on nothing but their input.
package enum Packing {
  /// A zlib stream of stored blocks.
  package static func zlib(_ data: [UInt8]) -> [UInt8] {
    join([0x78, 0x01], storedBlocks(data), adler32(data).be)
  }

  /// Deflate without compression (RFC 1951, 3.2.4).
  package static func storedBlocks(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    repeat {
      let count = min(65535, data.count - start)
      let isLast = start + count == data.count
      result.append(isLast ? 1 : 0)
      result += UInt16(count).le + (~UInt16(count)).le
      result += data[start..<(start + count)]
      start += count
    } while start < data.count
    return result
  }

  package static func adler32(_ data: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in data {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  package static func base64(_ data: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(data.count / 3 * 4 + 4)
    for start in stride(from: 0, to: data.count, by: 3) {
      let group = data[start..<min(start + 3, data.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
