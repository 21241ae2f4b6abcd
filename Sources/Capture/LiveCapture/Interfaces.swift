import CPcap
import Glibc

/// libpcap as it is linked.
package enum CaptureLibrary {
  /// Such as `libpcap version 1.10.3 (with TPACKET_V3)`.
  package static var version: String { unsafe String(cString: pcap_lib_version()) }
}

/// An interface of Bluetooth, and whether it can be captured on.
package struct CaptureInterfaceState: Equatable, Sendable {
  /// As `LiveDevice.open` takes it.
  package let name: String
  /// In words: `controller hci0`.
  package let description: String
  /// Of pcap: 254, 201.
  package let linkType: UInt16
  /// Why it cannot be opened; nil where it can.
  package let problem: LiveProblem?
  package var canOpen: Bool { problem == nil }
}

package enum Interfaces {
  /// All that libpcap lists for Bluetooth. Nothing is opened: whether one could be, the kernel's
  /// families of sockets and the process' capabilities say.
  package static func all() -> [CaptureInterfaceState] {
    names().compactMap { name in
      guard let kind = InterfaceName(name) else { return nil }
      return CaptureInterfaceState(
        name: name, description: kind.description, linkType: kind.linkType,
        problem: problem(name))
    }
  }

  /// Their names, in libpcap's order.
  static func names() -> [String] {
    var first: UnsafeMutablePointer<pcap_if_t>?
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard unsafe pcap_findalldevs(&first, &text) == 0 else { return [] }
    defer { unsafe pcap_freealldevs(first) }
    var names: [String] = []
    var next = unsafe first
    while let device = unsafe next {
      let name = unsafe String(cString: device.pointee.name)
      if InterfaceName(name) != nil { names.append(name) }
      unsafe next = device.pointee.next
    }
    return names
  }

  private static func problem(_ name: String) -> LiveProblem? {
    // AF_BLUETOOTH and BTPROTO_HCI, which Glibc's module does not name.
    let family: Int32 = 31
    let hci: Int32 = 1
    let descriptor = socket(family, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), hci)
    if descriptor < 0 {
      let words = unsafe String(cString: strerror(errno))
      return .opening(name, says: words, all: names)
    }
    close(descriptor)
    return Privileges.has(.netRaw) ? nil : .permission(name)
  }
}
