import CaptureWriter
import FrameEncoder
import TestSupport

/// The scene as a host controller delivers it: scan commands, their answers, reports.
struct HCIScene {
  struct Packet {
    let nanoseconds: Int64
    let packet: HCIPacket
  }
  private(set) var packets: [Packet] = []
  private(set) var expected = Expectation()
  /// Bytes of data that fit one extended report here; cuts through the iBeacon of the long one.
  private static let fragment = 60

  /// A host that scans with the commands of Bluetooth 4; it hears no extended advertising.
  static func legacy() -> HCIScene {
    var scene = HCIScene()
    scene.order(0, HCI.setScanParameters(active: true, interval: 96, window: 48), 0x200B)
    scene.order(2, HCI.setScanEnable(true), 0x200C)
    var waiting: Advert?
    for advert in Scene.adverts {
      switch advert.form {
      case .legacy:
        if let first = waiting, first.nanoseconds == advert.nanoseconds {
          waiting = nil
          scene.put(
            first.nanoseconds, HCI.advertisingReport(report(first), report(advert)), first, advert)
        } else {
          if let first = waiting {
            scene.put(first.nanoseconds, HCI.advertisingReport(report(first)), first)
          }
          waiting = advert
        }
      case .directed(let target):
        if let first = waiting {
          scene.put(first.nanoseconds, HCI.advertisingReport(report(first)), first)
        }
        waiting = nil
        scene.put(
          advert.nanoseconds, HCI.directedReport(advert.address, to: target, rssi: advert.rssi),
          advert)
      case .extended, .coded: break
      }
    }
    if let first = waiting {
      scene.put(first.nanoseconds, HCI.advertisingReport(report(first)), first)
    }
    scene.order(6000, HCI.setScanEnable(false), 0x200C)
    scene.expected.listening = 5998
    return scene
  }

  /// A host that scans with the commands of Bluetooth 5: every report is an extended one.
  static func extended() -> HCIScene {
    var scene = HCIScene()
    scene.order(0, HCI.setExtendedScanParameters(active: false, interval: 96, window: 96), 0x2041)
    scene.order(2, HCI.setExtendedScanEnable(true), 0x2042)
    for advert in Scene.adverts {
      var report = HCI.ExtendedReport(advert.address, advert.data, rssi: advert.rssi)
      switch advert.form {
      case .legacy:
        report.type = 0x10
        report.secondaryPHY = 0
        report.sid = 0xFF
      case .extended: report.sid = 2
      case .coded:
        report.primaryPHY = 3
        report.secondaryPHY = 3
        report.sid = 3
      case .directed: continue
      }
      let pieces = report.fragments(of: fragment)
      for (place, piece) in pieces.enumerated() {
        let time = advert.nanoseconds + Int64(place) * Scene.millisecond
        scene.put(time, HCI.extendedReport(piece))
      }
      scene.expected.add(advert)
    }
    scene.order(6000, HCI.setExtendedScanEnable(false), 0x2042)
    scene.expected.listening = 5998
    return scene
  }

  /// A train of periodic advertising that carries a beacon.
  mutating func addPeriodic() {
    let sender = Address(0xC011_2233_4406)
    put(at: 5000, HCI.syncEstablished(handle: 0x0040, sid: 5, sender, interval: 80))
    for round in 0..<3 {
      var advert = Scene.iBeacon(sender, Scene.door, 4, 1, -57, rssi: -72)
      advert.nanoseconds = Scene.start + Int64(5100 + 100 * round) * Scene.millisecond
      put(
        advert.nanoseconds, HCI.periodicReport(handle: 0x0040, rssi: advert.rssi, advert.data),
        advert)
    }
    put(at: 5400, HCI.syncLost(handle: 0x0040))
    packets.sort { $0.nanoseconds < $1.nanoseconds }
  }

  /// What a phone's controller collected on its own, read out two seconds later.
  mutating func addBatch() {
    let sender = Address(0xC011_2233_4407)
    var first = Scene.iBeacon(sender, Scene.door, 5, 1, -57, rssi: -77)
    var second = Scene.iBeacon(sender, Scene.door, 5, 1, -57, rssi: -80)
    first.nanoseconds = Scene.start + 4510 * Scene.millisecond
    second.nanoseconds = Scene.start + 5510 * Scene.millisecond
    put(at: 6500, HCI.readBatchResults)
    put(
      Scene.start + 6510 * Scene.millisecond,
      HCI.batchResults(
        HCI.BatchResult(sender, rssi: first.rssi, age: 40, data: first.data),
        HCI.BatchResult(sender, rssi: second.rssi, age: 20, data: second.data)),
      first, second)
  }

  private static func report(_ advert: Advert) -> HCI.LegacyReport {
    HCI.LegacyReport(advert.address, advert.data, rssi: advert.rssi)
  }

  /// A command and, a millisecond later, its Command Complete.
  private mutating func order(_ milliseconds: Int64, _ command: HCIPacket, _ opcode: UInt16) {
    put(at: milliseconds - 10, command)
    put(at: milliseconds - 9, HCI.commandComplete(opcode))
  }

  private mutating func put(at milliseconds: Int64, _ packet: HCIPacket) {
    put(Scene.start + milliseconds * Scene.millisecond, packet)
  }

  private mutating func put(_ nanoseconds: Int64, _ packet: HCIPacket, _ adverts: Advert...) {
    packets.append(Packet(nanoseconds: nanoseconds, packet: packet))
    expected.records += 1
    for advert in adverts { expected.add(advert) }
  }

  // MARK: As records of a link

  func records(_ link: (HCIPacket) -> (data: [UInt8], tag: UInt32)) -> [Record] {
    packets.map { packet in
      let (data, tag) = link(packet.packet)
      return Record(packet.nanoseconds, data, tag: tag)
    }
  }

  /// The kernel's monitor: the adapter appears, opens, and closes in the end.
  func monitorRecords(_ wrap: (_ adapter: UInt16, _ opcode: UInt16, [UInt8]) -> Record) -> [Record]
  {
    func note(_ milliseconds: Int64, _ adapter: UInt16, _ opcode: UInt16, _ data: [UInt8]) -> Record
    {
      var record = wrap(adapter, opcode, data)
      record.nanoseconds = Scene.start + milliseconds * Scene.millisecond
      return record
    }
    let version = Monitor.systemNote("Linux version 6.1.0-museum (x86_64)")
    let before = [
      note(-100, Monitor.noAdapter, 12, version),
      note(-95, 0, 0, Monitor.newIndex(Scene.scanner, name: "hci0")),
      note(-90, 0, 8, []),
      note(-85, 0, 10, Monitor.indexInfo(Scene.scanner, manufacturer: 10)),
    ]
    let within = packets.map { packet in
      var record = wrap(0, packet.packet.monitorOpcode, packet.packet.bytes)
      record.nanoseconds = packet.nanoseconds
      return record
    }
    return before + within + [note(7000, 0, 9, []), note(7005, 0, 1, [])]
  }
}
