@testable import LiveCapture
import Testing

@Suite("Controllers") struct ControllerTests {
  /// The kernel's `struct hci_dev_info`.
  static func information(
    number: UInt16 = 1, name: String = "hci1", flags: UInt8 = 0b101, bus: UInt8 = 0x01,
    features: [UInt8] = [0xff, 0xff, 0x0f, 0xfe, 0xdb, 0xff, 0x5b, 0x87]
  ) -> [UInt8] {
    var bytes = [UInt8(number & 0xff), UInt8(number >> 8)]
    bytes += Array(name.utf8) + [UInt8](repeating: 0, count: 8 - name.utf8.count)
    bytes += [0x42, 0x00, 0x00, 0x01, 0xaa, 0x00]
    bytes += [flags, 0, 0, 0, bus] + features
    return bytes + [UInt8](repeating: 0, count: 92 - bytes.count)
  }

  @Test("are what the kernel says of them")
  func whole() throws {
    let controller = try #require(Controller(information: Self.information()))
    #expect(controller.number == 1 && controller.name == "hci1")
    #expect(controller.address == "00:aa:01:00:00:42" && controller.hasPublicAddress)
    #expect(controller.isUp && controller.bus == "USB" && controller.hasLowEnergy == true)
  }

  @Test(
    "are up by the first flag alone", arguments: [(UInt8(0), false), (1, true), (0b100, false)])
  func up(_ flags: UInt8, _ isUp: Bool) {
    #expect(Controller(information: Self.information(flags: flags))?.isUp == isUp)
  }

  @Test("can do Low Energy, cannot, or have not been asked")
  func lowEnergy() {
    func answer(_ features: [UInt8]) -> Bool?? {
      Controller(information: Self.information(features: features)).map(\.hasLowEnergy)
    }
    #expect(answer([0, 0, 0, 0, 0x60, 0, 0, 0]) == .some(true))
    #expect(answer([0xff, 0xff, 0, 0, 0x20, 0, 0, 0]) == .some(false))
    #expect(answer([0, 0, 0, 0, 0, 0, 0, 0]) == .some(nil))
  }

  @Test("scan where none was named: the first that is up and can")
  func toScan() {
    func controller(_ number: UInt16, isUp: Bool, features: [UInt8]? = nil) -> Controller? {
      Controller(
        information: Self.information(
          number: number, name: "hci\(number)", flags: isUp ? 1 : 0,
          features: features ?? [0, 0, 0, 0, 0x60, 0, 0, 0]))
    }
    let classic: [UInt8] = [0xff, 0xff, 0, 0, 0x20, 0, 0, 0]
    func chosen(_ all: Controller?...) -> String? {
      Controller.toScan(all.compactMap(\.self))?.name
    }
    #expect(chosen() == nil)
    #expect(chosen(controller(0, isUp: false)) == "hci0")
    #expect(chosen(controller(0, isUp: false), controller(1, isUp: true)) == "hci1")
    #expect(chosen(controller(1, isUp: true), controller(2, isUp: true)) == "hci1")
    #expect(
      chosen(controller(0, isUp: true, features: classic), controller(1, isUp: true)) == "hci1")
    #expect(chosen(controller(0, isUp: true, features: classic)) == "hci0")
  }

  @Test("cut anywhere are none")
  func cut() {
    let whole = Self.information()
    for length in 0..<whole.count {
      #expect(Controller(information: Array(whole.prefix(length))) == nil)
    }
  }

  @Test(
    "have their number in their name",
    arguments: [
      ("hci0", 0), ("hci12", 12), ("bluetooth3", 3), ("hci", nil), ("hci-1", nil), ("eth0", nil),
      ("hci+1", nil), ("hci70000", nil), ("bluetooth-monitor", nil),
    ] as [(String, UInt16?)])
  func numbers(_ name: String, _ number: UInt16?) {
    #expect(Controller.number(in: name) == number)
  }

  @Test("have settings, where the management tells them")
  func settings() {
    let answer = Self.settingsAnswer(controller: 1, supported: 0x0201, current: 0x0001)
    let settings = ManagedSettings(message: answer, controller: 1)
    #expect(settings?.isPowered == true)
    #expect(settings?.supportsLowEnergy == true)
    #expect(settings?.lowEnergyIsOn == false)
    #expect(ManagedSettings(message: answer, controller: 0) == nil)
    for length in 0..<26 {
      #expect(ManagedSettings(message: Array(answer.prefix(length)), controller: 1) == nil)
    }
    // Command Status: Invalid Index.
    let refused: [UInt8] = [2, 0, 1, 0, 3, 0, 4, 0, 0x11]
    #expect(ManagedSettings(message: refused, controller: 1) == nil)
    #expect(ManagedSettings.question(0x0102) == [4, 0, 2, 1, 0, 0])
  }

  /// Command Complete of Read Controller Information.
  static func settingsAnswer(controller: UInt8, supported: UInt16, current: UInt16) -> [UInt8] {
    var bytes: [UInt8] = [1, 0, controller, 0, 0x1b, 1, 4, 0, 0]
    bytes += [0x42, 0, 0, 1, 0xaa, 0, 9, 0xff, 0xff]
    bytes += [UInt8(supported & 0xff), UInt8(supported >> 8), 0, 0]
    bytes += [UInt8(current & 0xff), UInt8(current >> 8), 0, 0]
    return bytes + [UInt8](repeating: 0, count: 263)
  }
}
