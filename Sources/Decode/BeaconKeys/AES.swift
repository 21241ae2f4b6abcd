import CCrypto

/// AES-128 or AES-256, by the length of its key, block by block (FIPS 197).
package struct AESBlock: Sendable {
  let key: [UInt8]

  /// - Parameter key: 16 or 32 bytes.
  package init(key: [UInt8]) {
    precondition(key.count == 16 || key.count == 32, "a key of AES has 16 or 32 bytes")
    self.key = key
  }

  /// - Parameter bytes: whole blocks of 16 bytes, each for itself.
  package func encrypt(_ bytes: [UInt8]) -> [UInt8] {
    unsafe crypt(bytes, key.count == 16 ? EVP_aes_128_ecb() : EVP_aes_256_ecb())
  }

  /// The last block of CBC without a start of its own (SP 800-38A): what the whole comes to.
  /// - Parameter bytes: whole blocks of 16 bytes, at least one.
  package func digest(_ bytes: [UInt8]) -> [UInt8] {
    let all = unsafe crypt(bytes, key.count == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc())
    return Array(all.suffix(16))
  }

  private func crypt(_ bytes: [UInt8], _ cipher: OpaquePointer?) -> [UInt8] {
    precondition(bytes.count % 16 == 0, "AES takes whole blocks")
    let start = [UInt8](repeating: 0, count: 16)
    // The library asks for room for one block more.
    var result = [UInt8](repeating: 0, count: bytes.count + 16)
    var count: Int32 = 0
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let isDone =
      unsafe EVP_EncryptInit_ex(context, cipher, nil, key, start) == 1
      && EVP_CIPHER_CTX_set_padding(context, 0) == 1
      && EVP_EncryptUpdate(context, &result, &count, bytes, Int32(bytes.count)) == 1
    precondition(isDone && Int(count) == bytes.count, "AES is not available in libcrypto")
    result.removeLast(16)
    return result
  }
}

/// AES-128-EAX with an empty header (Bellare, Rogaway, Wagner, «The EAX Mode of Operation»): encryption with
/// a tag, by blocks of AES alone. (libcrypto has no EAX.)
struct EAX {
  private let cipher: AESBlock
  /// Where the counter begins: OMAC₀ of the nonce.
  private let start: [UInt8]

  init(key: [UInt8], nonce: [UInt8]) {
    cipher = AESBlock(key: key)
    start = Self.omac(0, nonce, cipher)
  }

  /// There and back.
  func crypt(_ text: [UInt8]) -> [UInt8] {
    var counter = start
    var result: [UInt8] = []
    for first in stride(from: 0, to: text.count, by: 16) {
      let stream = cipher.encrypt(counter)
      result += zip(text[first..<min(first + 16, text.count)], stream).map { $0 ^ $1 }
      for place in stride(from: 15, through: 0, by: -1) {
        counter[place] &+= 1
        if counter[place] != 0 { break }
      }
    }
    return result
  }

  /// 16 bytes.
  func tag(_ encrypted: [UInt8]) -> [UInt8] {
    let header = Self.omac(1, [], cipher)
    let body = Self.omac(2, encrypted, cipher)
    return (0..<16).map { start[$0] ^ header[$0] ^ body[$0] }
  }

  /// CMAC (RFC 4493) over fifteen zeros, a number, and the message.
  private static func omac(_ number: UInt8, _ message: [UInt8], _ cipher: AESBlock) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: 15) + [number] + message
    let first = doubled(cipher.encrypt([UInt8](repeating: 0, count: 16)))
    var mask = first
    if text.count % 16 != 0 {
      mask = doubled(first)
      text.append(0x80)
      text += [UInt8](repeating: 0, count: -text.count & 15)
    }
    var state = [UInt8](repeating: 0, count: 16)
    for block in stride(from: 0, to: text.count, by: 16) {
      let isLast = block + 16 == text.count
      for place in 0..<16 {
        state[place] ^= text[block + place] ^ (isLast ? mask[place] : 0)
      }
      state = cipher.encrypt(state)
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
}
