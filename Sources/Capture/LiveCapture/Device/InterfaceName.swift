/// What the interfaces of Bluetooth are called.
enum InterfaceName: Equatable {
  /// `bluetooth-monitor`: all controllers, and what the host sends them.
  case monitor
  /// `bluetoothN`: controller hciN.
  case controller(Int)

  init?(_ name: String) {
    let prefix = "bluetooth"
    if name == "bluetooth-monitor" {
      self = .monitor
      return
    }
    let digits = name.dropFirst(prefix.count)
    guard name.hasPrefix(prefix), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(digits), (0..<0xFFFF).contains(number), String(number) == digits
    else { return nil }
    self = .controller(number)
  }

  /// The pcap link type of its packets.
  var linkType: UInt16 {
    switch self {
    case .monitor: 254
    case .controller: 201
    }
  }

  var description: String {
    switch self {
    case .monitor: "all controllers, and what the host sends them"
    case .controller(let number): "controller hci\(number)"
    }
  }
}
