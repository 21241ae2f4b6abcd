import BeaconKeys
import CaptureWriter
import Testing

@testable import Regions

/// Keys of devices as files have them.
@Suite struct DeviceKeyTextTests {
  private static let digits = "ec0234a357c8ad05341010a60a397d9b"
  private static let eid = "0102030405060708090a111213141516"

  @Test func aKeyIsWrittenEitherWayRound() throws {
    let key = try DeviceKey.parse("phone=irk:\(Self.digits.uppercased())")
    #expect(key.name == "phone" && key.irk == [UInt8](hex: Self.digits))
    #expect(key.text == "phone=irk:\(Self.digits)")
    let reversed = try DeviceKey.parse("phone=irk:9b7d390aa610103405adc857a33402ec,reversed")
    #expect(reversed.irk == key.irk)
  }

  @Test(arguments: [
    ("phone", "the key has no name"), ("=irk:00", "the key has no name"),
    ("a phone=irk:\(digits)", "is no name of a key"), ("phone=irk:ec02", "malformed: 4 characters"),
    ("c23533302550=irk:\(digits)", "'c23533302550' reads like an address"),
    ("phone=irk:00000000000000000000000000000000", "the key is all zeros"),
    ("phone=irk:\(digits),reversed,reversed", "given twice"),
    ("phone=irk:\(digits),revers", "unknown option 'revers' (did you mean 'reversed'?)"),
    ("phone=irk:\(digits),\(digits)", "unknown option '…'"),
    ("phone=irk:\(digits),clock=1", "unknown option 'clock=1'"),
    ("\(digits)=irk:\(digits)", "is no name of a key"),
  ])
  func mistakesAreToldWithoutTheKey(_ line: String, _ text: String) {
    let problem = #expect(throws: SettingProblem.self) { try KeyLine.parse(line) }
    #expect(problem?.description.contains(text) == true, "\(String(describing: problem))")
    #expect(problem?.description.lowercased().contains("0234a357") == false)
  }

  @Test func aFileHasKeysOfBothKinds() throws {
    let ring = try KeyLine.ring(
      try ["cart=eid:\(Self.eid)", "phone=irk:\(Self.digits)"].map(KeyLine.parse))
    #expect(ring.keys.map(\.name) == ["cart"] && ring.devices.keys.map(\.name) == ["phone"])
  }

  @Test func aDeviceIsWrittenWithItsAddresses() throws {
    let device = try NamedDevice.parse("head-set=C2:35:33:30:25:50,00:11:22:33:44:55")
    #expect(device.name == "head-set")
    #expect(device.addresses == [0x0011_2233_4455, 0xC235_3330_2550])
  }

  @Test(arguments: [
    ("c2:35:33:30:25:50", "'c2:35:33:30:25:50' has no name; write NAME=ADDRESS"),
    ("headset", "'headset' is no device; write NAME=ADDRESS"),
    ("=c2:35:33:30:25:50", "write NAME=ADDRESS"),
    ("a b=c2:35:33:30:25:50", "'a b' is no name of a device"),
    ("c23533302550=c2:35:33:30:25:50", "'c23533302550' reads like an address"),
    ("a=", "device 'a': address '' is malformed"),
    ("a=c2:35:33:30:25", "device 'a': address 'c2:35:33:30:25' is malformed; write six bytes"),
    ("a=c2:35:33:30:25:50,", "device 'a': address '' is malformed"),
    ("a=00:00:00:00:00:00", "an address of zeros is nobody's"),
    ("a=c2:35:33:30:25:50,C2:35:33:30:25:50", "is given twice"),
    ("a=irk:\(digits)", "write the line a=irk:KEY into a file"),
  ])
  func mistakesInDevicesAreTold(_ text: String, _ told: String) {
    let problem = #expect(throws: SettingProblem.self) { try NamedDevice.parse(text) }
    #expect(problem?.description.contains(told) == true, "\(String(describing: problem))")
    #expect(problem?.description.lowercased().contains("0234a357") == false)
  }

  @Test(arguments: [
    (["a=c2:35:33:30:25:50", "a=c2:35:33:30:25:51"], "two devices of the name 'a'"),
    (["phone=c2:35:33:30:25:50"], "a device has the name of a key, 'phone'"),
    (
      ["a=c2:35:33:30:25:50", "b=c2:35:33:30:25:50"],
      "'a' and 'b' have one address, c2:35:33:30:25:50"
    ),
  ])
  func devicesThatCannotBeToldApartAreRefused(_ texts: [String], _ told: String) throws {
    let devices = try texts.map(NamedDevice.parse)
    let keys = [try KeyLine.parse("phone=irk:\(Self.digits)")]
    let problem = #expect(throws: SettingProblem.self) { try KeyLine.ring(keys, named: devices) }
    #expect(problem?.description.contains(told) == true, "\(String(describing: problem))")
  }

  @Test(arguments: [
    (["a=irk:\(digits)", "a=eid:\(eid)"], "two keys of the name 'a'"),
    (["a=irk:\(digits)", "a=irk:\(eid)"], "two keys of the name 'a'"),
    (
      ["a=irk:\(digits)", "b=irk:9b7d390aa610103405adc857a33402ec,reversed"],
      "'a' and 'b' have one key"
    ),
  ])
  func whatCannotBeToldApartIsRefused(_ lines: [String], _ text: String) throws {
    let keys = try lines.map(KeyLine.parse)
    let problem = #expect(throws: SettingProblem.self) { try KeyLine.ring(keys) }
    #expect(problem?.description.contains(text) == true)
  }
}
