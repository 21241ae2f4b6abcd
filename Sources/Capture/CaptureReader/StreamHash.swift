import CCrypto

/// SHA-256 of an input, computed on the bytes as they pass by.
///
/// By libcrypto's plain functions, which need none of its providers, configuration and tables of names:
/// 0.9 ms less at every start than by way of EVP, and less work for every step. They can not fail.
@safe final class StreamHash {
  private let context: UnsafeMutablePointer<SHA256_CTX>
  /// What is left to hash of the bytes handed over last.
  var steps: HashSteps

  init() {
    unsafe context = .allocate(capacity: 1)
    unsafe _ = SHA256_Init(context)
    steps = unsafe HashSteps(context)
  }

  deinit { unsafe context.deallocate() }

  /// Hashes at once.
  func update(_ bytes: UnsafeRawBufferPointer) {
    finishSteps()
    unsafe _ = SHA256_Update(context, bytes.baseAddress, bytes.count)
  }

  /// Hands bytes over, to be hashed in steps; they must not change before `finishSteps`.
  func begin(_ bytes: UnsafeRawBufferPointer) {
    finishSteps()
    unsafe steps.begin(bytes)
  }

  /// Hashes what is left.
  func finishSteps() { steps.finish() }

  /// The digest, 32 bytes; call once, at the end.
  func finish() -> [UInt8] {
    finishSteps()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    unsafe _ = SHA256_Final(&digest, context)
    return digest
  }
}

/// Bytes that have been read and are still to be hashed, a few at a time.
///
/// Every round of SHA-256 waits for the one before, so that a processor that does nothing else idles
/// most of the time. After a step between two records it hashes while it goes on with the records:
/// 1.18 instead of 1.25 s for ten million frames on one core, where the hash alone takes 0.42 s.
@safe public struct HashSteps {
  private let context: UnsafeMutablePointer<SHA256_CTX>?
  private var next: UnsafeRawPointer?
  /// Bytes from `next` on.
  @usableFromInline var left = 0

  /// Bytes of a step: two of SHA-256's blocks.
  @usableFromInline static var length: Int { 128 }

  /// Nothing to hash.
  public static var none: HashSteps { unsafe HashSteps(nil) }

  fileprivate init(_ context: UnsafeMutablePointer<SHA256_CTX>?) { unsafe self.context = context }

  /// Hashes the next bytes, if there are enough for a step.
  @inlinable @inline(__always)
  public mutating func step() {
    if left >= Self.length { hashNext() }
  }

  @usableFromInline
  mutating func hashNext() {
    guard let context = unsafe context, let place = unsafe next else { return }
    unsafe _ = SHA256_Update(context, place, Self.length)
    unsafe next = place + Self.length
    left -= Self.length
  }

  fileprivate mutating func begin(_ bytes: UnsafeRawBufferPointer) {
    unsafe next = bytes.baseAddress
    left = bytes.count
  }

  fileprivate mutating func finish() {
    guard left > 0, let context = unsafe context else { return }
    unsafe _ = SHA256_Update(context, next, left)
    left = 0
  }
}
