import CPcap

extension CaptureLibrary {
  /// Whether it was built to capture from Bluetooth's monitor, as it is on Debian. It lists the
  /// monitor whether or not there is any Bluetooth.
  package static var hasBluetoothMonitor: Bool {
    var first: UnsafeMutablePointer<pcap_if_t>?
    var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard unsafe pcap_findalldevs(&first, &reason) == 0 else { return false }
    defer { unsafe pcap_freealldevs(first) }
    var next = unsafe first
    while let device = unsafe next {
      if unsafe String(cString: device.pointee.name) == "bluetooth-monitor" { return true }
      unsafe next = device.pointee.next
    }
    return false
  }
}
