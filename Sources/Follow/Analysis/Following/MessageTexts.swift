package import Regions

extension Timeline.Message {
  package init(_ message: BeaconMessage) {
    let content =
      switch message.content {
      case .text(let text): text
      case .bytes(let bytes): "hex:" + bytes.map { Self.hex($0) }.joined()
      }
    self.init(
      beacon: message.beacon.text, namespace: message.namespace, type: message.type,
      content: content)
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}
