import Glibc

/// Whoever has started the program as a service and wants to hear how it goes: systemd, with `Type=notify`.
/// What is said is that of sd_notify(3).
@safe final class ServiceManager {
  private let descriptor: Int32
  private let address: sockaddr_un
  private let length: socklen_t
  /// How long the program may say nothing before it is taken for dead; nil: for ever.
  let patience: Duration?

  /// Nil where nobody listens. The words by which it is found are taken out of the environment: they are for
  /// this process, not for the programs that it starts.
  init?() {
    let socketName = Self.take("NOTIFY_SOCKET")
    let span = Self.take("WATCHDOG_USEC").flatMap(Int64.init)
    let process = Self.take("WATCHDOG_PID").flatMap(Int32.init)
    guard let socketName, let (address, length) = Self.address(socketName) else { return nil }
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    (self.address, self.length) = (address, length)
    let isOurs = process == nil || process == getpid()
    patience = isOurs ? span.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
  }

  deinit { close(descriptor) }

  private static func take(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    defer { unsafe unsetenv(name) }
    return unsafe String(cString: text)
  }

  /// A path, or behind `@` a name of no file.
  private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
    var bytes = Array(name.utf8)
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count > 1, bytes.count < room else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "/"): bytes.append(0)
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return (address, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
  }

  /// Lines such as `READY=1`. Nobody waits for whoever does not take them.
  /// - Returns: whether they were taken.
  @discardableResult
  func tell(_ lines: String...) -> Bool {
    let bytes = Array(lines.joined(separator: "\n").utf8)
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe sendto(
          descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL),
          address, length) == bytes.count
      }
    }
  }
}
