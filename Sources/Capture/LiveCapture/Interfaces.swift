import CPcap

/// libpcap as it is linked.
package enum CaptureLibrary {
  /// Such as `libpcap version 1.10.3 (with TPACKET_V3)`.
  package static var version: String { unsafe String(cString: pcap_lib_version()) }
}
