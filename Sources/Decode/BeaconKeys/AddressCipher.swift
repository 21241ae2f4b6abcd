import CCrypto

/// `ah` of one key, for many numbers: the key is prepared once.
///
/// Its context is changed by each use: for one thread at a time.
@safe final class AddressCipher {
  private let context: OpaquePointer
  private var block = [UInt8](repeating: 0, count: 16)
  /// The library asks for room for one block more.
  private var made = [UInt8](repeating: 0, count: 32)

  /// Stops the program where the system has no memory left, as every allocation does, and where libcrypto
  /// knows no AES: no input leads there.
  ///
  /// - Parameter key: 16 bytes.
  init(_ key: [UInt8]) {
    precondition(key.count == 16, "AES-128 takes 16 bytes of key")
    guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
    let isReady =
      unsafe EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil) == 1
      && EVP_CIPHER_CTX_set_padding(context, 0) == 1
    precondition(isReady, "AES is not available in libcrypto")
    unsafe self.context = context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// - Parameter prand: 24 bits.
  func hash(_ prand: UInt32) -> UInt32 {
    for place in 0..<3 {
      block[13 + place] = UInt8(truncatingIfNeeded: prand >> UInt32(16 - 8 * place))
    }
    var count: Int32 = 0
    let isDone = unsafe EVP_EncryptUpdate(context, &made, &count, block, 16) == 1
    precondition(isDone && count == 16, "AES is not available in libcrypto")
    return made[13..<16].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
