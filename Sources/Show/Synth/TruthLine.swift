import CaptureReader
import Exports
import FrameDecoder
import FrameEncoder

/// One line of the truth, key by key.
struct TruthLine {
  private var text = ByteText()
  private var hasMember = true

  init(_ kind: String) {
    text.text("{\"truth\":")
    text.jsonString(kind)
  }

  var finished: [UInt8] { text.bytes + Array("}\n".utf8) }

  private mutating func key(_ name: String) {
    if hasMember { text.byte(UInt8(ascii: ",")) }
    hasMember = true
    text.jsonString(name)
    text.byte(UInt8(ascii: ":"))
  }

  mutating func string(_ name: String, _ value: String?) {
    key(name)
    if let value { text.jsonString(value) } else { text.text("null") }
  }

  mutating func int(_ name: String, _ value: Int?) {
    key(name)
    if let value { text.int(value) } else { text.text("null") }
  }

  /// Three decimals.
  mutating func decimal(_ name: String, _ value: Double) {
    key(name)
    thousandths(Int((value * 1000).rounded()))
  }

  /// Seconds from nanoseconds.
  mutating func seconds(_ name: String, _ nanoseconds: Int64) {
    key(name)
    thousandths(Int(nanoseconds / 1_000_000))
  }

  private mutating func thousandths(_ value: Int) {
    if value < 0 { text.byte(UInt8(ascii: "-")) }
    text.int(Int(value.magnitude) / 1000)
    text.byte(UInt8(ascii: "."))
    text.padded(Int(value.magnitude) % 1000, 3)
  }

  /// A moment of the site by a true clock; null for nil.
  mutating func time(_ name: String, _ nanoseconds: Int64?, _ scenario: Scenario) {
    key(name)
    guard let nanoseconds else { return text.text("null") }
    text.byte(UInt8(ascii: "\""))
    text.time(Timestamp(nanoseconds: scenario.start + nanoseconds))
    text.byte(UInt8(ascii: "\""))
  }

  mutating func address(_ name: String, _ address: Address) {
    key(name)
    text.byte(UInt8(ascii: "\""))
    text.address(DeviceAddress(address.value, address.isRandom ? .random : .publicDevice))
    text.byte(UInt8(ascii: "\""))
  }

  mutating func stretch(_ stretch: BeaconHistory.Stretch, _ scenario: Scenario) {
    time("from", stretch.from, scenario)
    time("to", stretch.to, scenario)
    decimal("nearest_m", stretch.nearest)
  }

  /// A list of objects.
  mutating func list(_ name: String, _ count: Int, _ body: (inout TruthLine, Int) -> Void) {
    key(name)
    text.byte(UInt8(ascii: "["))
    for number in 0..<count {
      text.text(number == 0 ? "{" : ",{")
      hasMember = false
      body(&self, number)
      text.byte(UInt8(ascii: "}"))
    }
    text.byte(UInt8(ascii: "]"))
    hasMember = true
  }
}
