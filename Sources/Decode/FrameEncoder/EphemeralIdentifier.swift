import CCrypto
import CaptureWriter

/// What a beacon with a secret key sends: identifiers that change with time (Eddystone-EID), and
/// telemetry that only the key's owner can read (PROTOCOLS 6.1, 6.3).
package struct EphemeralIdentifier: Sendable {
  /// 16 bytes.
  package let key: [UInt8]
  /// The identifier changes every 2^K seconds, 0…15.
  package let exponent: UInt8

  package init(key: [UInt8], exponent: UInt8) {
    self.key = key
    self.exponent = exponent
  }

  /// The beacon's clock with the low K bits cleared: the same while an identifier lasts.
  package func slot(at time: UInt32) -> UInt32 { (time >> UInt32(exponent)) << UInt32(exponent) }

  /// The eight bytes sent at a time of the beacon's own clock, in seconds.
  package func identifier(at time: UInt32) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: 11)
    let temporary = Self.encrypt(
      join(zeros, [0xFF, 0, 0], UInt16(time >> 16).be), key: key)
    return Array(
      Self.encrypt(join(zeros, [exponent], slot(at: time).be), key: temporary).prefix(8))
  }

  /// AES-128-EAX over twelve bytes of telemetry, with an empty header and two bytes of tag.
  package func telemetry(_ plain: [UInt8], at time: UInt32, salt: [UInt8]) -> (
    cipher: [UInt8], check: [UInt8]
  ) {
    let start = omac(0, slot(at: time).be + salt)
    let stream = Self.encrypt(start, key: key)
    let cipher = zip(plain, stream).map { $0 ^ $1 }
    let header = omac(1, [])
    let body = omac(2, cipher)
    let tag = (0..<2).map { start[$0] ^ header[$0] ^ body[$0] }
    return (cipher, tag)
  }

  /// CMAC (RFC 4493) over fifteen zeros, a number, and the message.
  private func omac(_ number: UInt8, _ message: [UInt8]) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: 15) + [number] + message
    let first = Self.doubled(Self.encrypt([UInt8](repeating: 0, count: 16), key: key))
    var mask = first
    if text.count % 16 != 0 {
      mask = Self.doubled(first)
      text.append(0x80)
      text += [UInt8](repeating: 0, count: -text.count & 15)
    }
    var state = [UInt8](repeating: 0, count: 16)
    for block in stride(from: 0, to: text.count, by: 16) {
      let isLast = block + 16 == text.count
      for place in 0..<16 {
        state[place] ^= text[block + place] ^ (isLast ? mask[place] : 0)
      }
      state = Self.encrypt(state, key: key)
    }
    return state
  }

  /// Twice a number of GF(2¹²⁸).
  private static func doubled(_ block: [UInt8]) -> [UInt8] {
    var result = (0..<16).map { place in
      block[place] << 1 | (place < 15 ? block[place + 1] >> 7 : 0)
    }
    if block[0] & 0x80 != 0 { result[15] ^= 0x87 }
    return result
  }

  /// One block of AES-128.
  private static func encrypt(_ block: [UInt8], key: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 32)
    var count: Int32 = 0
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let isDone =
      unsafe EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil) == 1
      && EVP_EncryptUpdate(context, &result, &count, block, Int32(block.count)) == 1
    precondition(isDone && count == 16, "AES is not available in libcrypto")
    return Array(result.prefix(16))
  }
}
