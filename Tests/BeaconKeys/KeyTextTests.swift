import BeaconKeys
import CaptureReader
import Testing

@testable import Regions

/// Keys as files have them.
@Suite struct KeyTextTests {
  private static let digits = "0102030405060708090a111213141516"

  @Test func aKeyHasAnExponentAClockAndAWindow() throws {
    let plain = try BeaconKey.parse("cart=eid:\(Self.digits)")
    #expect(
      (plain.name, plain.cipher.exponent, plain.clock, plain.window) == ("cart", 10, nil, 86_400))
    #expect(plain.cipher.key == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19, 20, 21, 22])
    let whole = try BeaconKey.parse(
      "cart=eid:\(Self.digits.uppercased()),exponent=0,window=2h,clock=65280@2026-05-19T12:00:00+02:00"
    )
    #expect((whole.cipher.exponent, whole.window) == (0, 7200))
    #expect(whole.clock?.seconds == 65_280)
    #expect(whole.clock?.moment.nanoseconds == 1_779_184_800_000_000_000)
  }

  @Test(arguments: [
    ("cart", "the key has no name"), ("=eid:00", "the key has no name"),
    ("a cart=eid:\(digits)", "is no name of a key"), ("a:b=eid:\(digits)", "is no name of a key"),
    ("a1b2c3d4e5f60718=eid:\(digits)", "reads like an identifier"),
    ("cart=\(digits)", "there is no 'eid:'"), ("cart=eid:0102", "malformed: 4 characters"),
    ("cart=eid:\(digits),exponent=16", "0 to 15"), ("cart=eid:\(digits),exponent=7", "2^7 s"),
    ("cart=eid:\(digits),clock=1", "clock '1' is malformed"),
    ("cart=eid:\(digits),clock=1@10:00", "has no time"),
    ("cart=eid:\(digits),clock=1@0001-01-01T00:00:00Z", "before 1678"),
    ("cart=eid:\(digits),clock=1@2026-05-19T10:00:00", "a time without a zone"),
    ("eid:\(digits),exponent=10", "is no name of a key"),
    ("\(digits)=eid:cart", "is no name of a key"),
    ("cart=eid:\(digits),\(digits)=3", "unknown option '…'"),
    ("cart=eid:\(digits),clock=4294967296@2026-05-19T10:00:00Z", "0 to 4294967295"),
    ("cart=eid:\(digits),window=5", "window without clock"),
    ("cart=eid:\(digits),k=5", "unknown option 'k'"), ("cart=eid:\(digits),5", "has no '='"),
    ("cart=eid:\(digits),exponent=9,exponent=9", "given twice"),
  ])
  func mistakesAreNamed(_ line: String, _ said: String) {
    let problem = #expect(throws: SettingProblem.self) { try BeaconKey.parse(line) }
    #expect(problem?.description.contains(said) == true, "\(problem?.description ?? "")")
    // Who looks over a shoulder learns nothing.
    #expect(problem?.description.contains(Self.digits) == false)
  }

  @Test func keysCanBeToldApart() throws {
    let other = "ff" + Self.digits.dropFirst(2)
    let cart = try BeaconKey.parse("cart=eid:\(Self.digits)")
    try BeaconKey.check([cart, BeaconKey.parse("bed=eid:\(other)")])
    #expect(throws: SettingProblem.self) {
      try BeaconKey.check([cart, BeaconKey.parse("cart=eid:\(other)")])
    }
    #expect(throws: SettingProblem.self) {
      try BeaconKey.check([cart, BeaconKey.parse("bed=eid:\(Self.digits)")])
    }
    // Another exponent makes other identifiers.
    try BeaconKey.check([cart, BeaconKey.parse("bed=eid:\(Self.digits),exponent=11")])
  }

  @Test func keysWithoutAClockAreNotTooMany() throws {
    let keys = try (0..<60).map { number in
      try BeaconKey.parse("k\(number)=eid:\(number + 10)\(Self.digits.dropFirst(2))")
    }
    try BeaconKey.check(Array(keys.prefix(50)))
    let problem = #expect(throws: SettingProblem.self) { try BeaconKey.check(keys) }
    #expect(problem?.description.contains("write clock=SECONDS@TIME behind some") == true)
  }
}
