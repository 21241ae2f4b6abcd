import CaptureWriter
import FrameEncoder
import TestSupport

/// A recording of one beacon, made without the runner of tests.
enum TestingCapture {
  /// - Parameters:
  ///   - times: seconds from the start; a command stands at its beginning.
  ///   - start: seconds since 1970.
  static func bytes(at times: [Double], from start: Int64) -> [UInt8] {
    func record(_ seconds: Double, _ packet: HCIPacket) -> Record {
      Record(
        start * 1_000_000_000 + Int64(seconds * 1e9), packet.h4, tag: packet.kind.btsnoopFlags)
    }
    let data = Payload.eddystoneURL(scheme: 3, rest: Array("a".utf8) + [7], power: -18)
    let report = HCI.LegacyReport(Address(0xC235_3330_2550), data, rssi: -60)
    return BtsnoopWriter(datalink: 1002).file(
      [record(0, HCI.reset)] + times.map { record($0, HCI.advertisingReport(report)) })
  }
}
