package import CaptureReader

/// Names of link types that we cannot read but people often hand in (libpcap pcap/dlt.h).
package enum LinkNames {
  package static func other(_ link: LinkType) -> String? {
    switch link.number {
    case 0: "loopback"
    case 1: "Ethernet"
    case 101: "raw IP"
    case 105: "Wi-Fi"
    case 113: "Linux cooked"
    case 127: "Wi-Fi with radiotap"
    case 189, 220: "Linux USB"
    case 195, 215, 230, 283: "IEEE 802.15.4"
    case 249: "USBPcap"
    case 255: "Bluetooth BR/EDR baseband"
    default: nil
    }
  }
}
