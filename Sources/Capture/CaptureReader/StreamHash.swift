import CCrypto
import Dispatch

/// SHA-256 of an input, computed beside the reading: each window of bytes is hashed on a queue of
/// its own while the window after it is read and decoded.
@safe final class StreamHash: @unchecked Sendable {
  // Unchecked: `context` is touched on `queue` only, or by the owner after `queue` has run dry.
  private let context: OpaquePointer?
  private let queue = DispatchQueue(label: "beacontrace.sha256")
  private let free: DispatchSemaphore

  /// `windows`: how many buffers take turns; so many may wait to be hashed at once.
  init(windows: Int) {
    free = DispatchSemaphore(value: windows)
    unsafe context = EVP_MD_CTX_new()
    unsafe _ = EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Waits until the buffer that is next in turn has been hashed.
  func waitForBuffer() { free.wait() }

  /// The buffer that was waited for stays empty.
  func skipBuffer() { free.signal() }

  /// Hands a buffer over; it must not change until `waitForBuffer` has been called as many times
  /// as there are buffers.
  func enqueue(_ bytes: UnsafeRawBufferPointer) {
    nonisolated(unsafe) let bytes = unsafe bytes
    queue.async { [self] in
      unsafe update(bytes)
      free.signal()
    }
  }

  /// Hashes at once, on the caller's thread.
  func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// Waits for everything handed over, so that its buffers may be freed.
  func drain() { queue.sync {} }

  /// The digest, 32 bytes; call once, at the end.
  func finish() -> [UInt8] {
    drain()
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    unsafe _ = EVP_DigestFinal_ex(context, &digest, &length)
    return digest
  }
}
