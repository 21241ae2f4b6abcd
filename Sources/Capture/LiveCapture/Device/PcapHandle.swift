import CPcap
import Glibc

/// An interface opened by libpcap, nonblocking.
@safe final class PcapHandle: PacketHandle {
  let descriptor: Int32
  let linkType: UInt16
  private let handle: OpaquePointer
  private let nanosecondsPerFraction: Int64
  /// What `SO_MEMINFO` fills: nine figures as of Linux 6.
  private var figures = [UInt32](repeating: 0, count: 16)

  /// libpcap's largest: no packet is cut.
  static let snapLength: Int32 = 262_144

  /// - Parameter receiveBuffer: bytes asked of the kernel; without CAP_NET_ADMIN it gives
  ///   `net.core.rmem_max` at most.
  static func open(_ name: String, receiveBuffer: Int) throws(LiveProblem) -> PcapHandle {
    guard let kind = InterfaceName(name) else {
      throw .noDevice(name, all: Interfaces.names())
    }
    // Asked before, as from `activated` on packets fill a buffer that is still small.
    let mayCapture = Privileges.has(.netRaw)
    let handle = try unsafe activated(name)
    // libpcap opens a controller for anybody, but then no advertising reports come.
    guard mayCapture else {
      unsafe pcap_close(handle)
      throw .permission(name)
    }
    guard unsafe pcap_datalink(handle) == Int32(kind.linkType) else {
      let found = unsafe pcap_datalink(handle)
      unsafe pcap_close(handle)
      throw LiveProblem(
        .other, "cannot read \(name): its link type is \(found), not \(kind.linkType).")
    }
    return unsafe PcapHandle(handle, kind.linkType, receiveBuffer)
  }

  private static func activated(_ name: String) throws(LiveProblem) -> OpaquePointer {
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = unsafe pcap_create(name, &text) else {
      throw .opening(name, says: Self.words(text), all: Interfaces.names)
    }
    unsafe pcap_set_snaplen(handle, snapLength)
    unsafe pcap_set_timeout(handle, 100)
    // Where the interface has none, times are in microseconds: see `nanosecondsPerFraction`.
    unsafe pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
    let status = unsafe pcap_activate(handle)
    if status >= 0, unsafe pcap_setnonblock(handle, 1, &text) == 0 { return unsafe handle }
    let says = unsafe String(cString: pcap_geterr(handle))
    let meaning = unsafe String(cString: pcap_statustostr(status))
    unsafe pcap_close(handle)
    if status == PCAP_ERROR_PERM_DENIED { throw .permission(name) }
    let sentence = status >= 0 ? Self.words(text) : says.isEmpty ? meaning : says
    throw .opening(name, says: sentence, all: Interfaces.names)
  }

  private static func words(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private init(_ handle: OpaquePointer, _ linkType: UInt16, _ receiveBuffer: Int) {
    unsafe self.handle = handle
    self.linkType = linkType
    unsafe descriptor = pcap_get_selectable_fd(handle)
    let precision = unsafe pcap_get_tstamp_precision(handle)
    nanosecondsPerFraction = precision == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1000
    // libpcap leaves it open for programs that this one starts.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    Self.enlarge(descriptor, to: receiveBuffer)
  }

  deinit { unsafe pcap_close(handle) }

  /// `SO_RCVBUFFORCE` (socket(7)) needs CAP_NET_ADMIN.
  private static func enlarge(_ descriptor: Int32, to wanted: Int) {
    var size = Int32(clamping: wanted)
    let length = socklen_t(MemoryLayout<Int32>.size)
    if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
      unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
    }
  }

  func next(_ body: (CapturedPacket, Span<UInt8>) -> Void) -> PacketOutcome {
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var data: UnsafePointer<UInt8>?
    errno = 0
    let outcome = unsafe pcap_next_ex(handle, &header, &data)
    guard outcome == 1, let header = unsafe header, let data = unsafe data else {
      return outcome >= 0 ? .nothing : .failed(errno)
    }
    let stamp = unsafe header.pointee.ts
    let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(header.pointee.caplen))
    let packet = unsafe CapturedPacket(
      nanoseconds: Int64(stamp.tv_sec) * 1_000_000_000
        + Int64(stamp.tv_usec) * nanosecondsPerFraction,
      original: Int(header.pointee.len))
    unsafe body(packet, bytes.span)
    return .packet
  }

  /// Element 8 of `SO_MEMINFO`, which Glibc's module does not name: libpcap's own figures are always 0
  /// here, or the device's.
  func drops() -> UInt32? {
    var length = socklen_t(16 * MemoryLayout<UInt32>.size)
    let memoryInformation: Int32 = 55
    guard
      unsafe getsockopt(descriptor, SOL_SOCKET, memoryInformation, &figures, &length) == 0,
      length > 8 * MemoryLayout<UInt32>.size
    else { return nil }
    return figures[8]
  }
}
