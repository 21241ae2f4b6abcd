import CaptureReader
import FrameDecoder

/// Apple's manufacturer data is a chain of u8 type, u8 length, value; type 01 has no length and
/// always 16 bytes (PROTOCOLS.md 5.1, 10).
extension BeaconDecoder {
  /// Walks the chain from `start` on: labels, and an iBeacon wherever it stands.
  mutating func appleElements(
    _ data: RawSpan, from start: Int, _ report: borrowing AdvertisingReport, afterBeacon: Bool
  ) {
    var at = start
    var isFirst = !afterBeacon
    var hasBeacon = afterBeacon
    while at < data.byteCount {
      let type = data.u8(at)
      let header = type == 0x01 ? 1 : 2
      var length = 16
      if type != 0x01 { length = at + 1 < data.byteCount ? Int(data.u8(at + 1)) : 256 }
      let end = at + header + length
      if type == 0x02 && !hasBeacon {
        guard length == 0x15, end <= data.byteCount else { return reject(.iBeaconBadLength) }
        var draft = IBeacon.draft(data, at: at + 2)
        if !isFirst { draft.warnings.insert(.iBeaconNotFirst) }
        hasBeacon = true
        keep(draft, report)
      } else if end > data.byteCount {
        // Behind an iBeacon this is a battery byte and the like, otherwise a broken chain.
        return warn(hasBeacon ? .trailingBytes : .appleElementOverrun)
      } else if type == 0x01 {
        labels.insert(.appleOverflow)
      } else {
        labels.formUnion(AdvertiserLabels.apple(type, length: length))
      }
      isFirst = false
      at = end
    }
  }
}
