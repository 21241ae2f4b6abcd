package import Beacons
package import CaptureReader
package import FrameDecoder
import Regions

/// A beacon as people count them: one identity, however many devices send it.
package struct BeaconSummary: Sendable {
  /// A device that sends the identity.
  package struct Source: Sendable {
    package let address: DeviceAddress
    package var sightings: Int
    package var first: Timestamp
    package var last: Timestamp
    /// Of the sighting at `first`.
    package internal(set) var firstFrame: Int
    /// Place of the capture with that frame.
    package internal(set) var firstCapture: Int
    /// By observer, in the order of their places in the run where they are several.
    package var heard: OneOrMore<Heard>
  }

  /// When one observer heard a device, by its own clock.
  package struct Heard: Sendable {
    /// Its place in the run.
    package let observer: Int
    package var first: Timestamp
    package var last: Timestamp
  }

  package let kind: BeaconKind
  package let identity: BeaconIdentity
  /// Most sightings first.
  package let sources: OneOrMore<Source>
  package let sightings: Int
  package let first: Timestamp
  package let last: Timestamp
  /// Median gap between advertising events of one device at one observer, nanoseconds: off by a sixteenth at
  /// most, by less than 3 % where gaps vary.
  package let medianInterval: Double?
  /// How often it sends, nanoseconds, whatever is missed; nil where its gaps do not tell that.
  package let ownInterval: Double?
  /// By how much that may be off by chance: one standard error, nanoseconds.
  let ownIntervalError: Double?
  /// dBm.
  package let rssi: (min: Int, median: Int, max: Int)?
  /// Lowest and highest power sent, dBm; nil for telemetry.
  package let power: (min: Int, max: Int)?
  package let telemetry: Telemetry?
  package let encryptedTelemetry: EncryptedTelemetry?
  package let warnings: BeaconWarnings
  /// Other identities that the same addresses send.
  package let companions: Int
  /// By address: the device that has it, by name; nearly always empty.
  let devices: [DeviceAddress: String]
}

extension BeaconSummary {
  /// The addresses, without those who sent none.
  package var addresses: [DeviceAddress] {
    sources.compactMap { $0.address.isPresent ? $0.address : nil }
  }

  /// When it was heard first from an address; unknown where it was not.
  package func firstHeard(from address: DeviceAddress) -> Timestamp {
    sources.first { $0.address == address }?.first ?? .none
  }

  /// How many send it, by their addresses: those that the key of one device made count once.
  package var senders: Int {
    devices.isEmpty ? sources.count { $0.address.isPresent } : Set(addresses.map(sender)).count
  }

  /// The device that has all of its addresses; nil where there is none.
  package var device: String? {
    guard !devices.isEmpty, senders == 1, let first = addresses.first else { return nil }
    return devices[first]
  }

  /// Whether keys made some of its addresses.
  package var hasDevices: Bool { !devices.isEmpty }

  /// One and the same for all addresses of a device.
  func sender(_ address: DeviceAddress) -> String {
    devices[address] ?? ":\(address.rawValue)"
  }
}

/// The last plain telemetry of a device.
package struct Telemetry: Sendable {
  /// mV.
  package let battery: Int?
  /// In 1/256 °C.
  package let temperature: Int?
  package let advertisements: Int
  /// In 0.1 s.
  package let uptime: Int
  /// How fast that goes beside the capture's clock: 1 where both go alike; nil where it is not known.
  package let uptimeRate: Double?
  package let time: Timestamp
  /// Frames of plain telemetry in all.
  package let sightings: Int
}

/// Telemetry that only a key can open.
package struct EncryptedTelemetry: Sendable {
  package let sightings: Int
  package let last: Timestamp
}

/// A value, and mostly no other: the first needs no memory of its own.
///
/// Public, so that other modules get code made for their elements.
@frozen
public struct OneOrMore<Element: Sendable>: Sendable, RandomAccessCollection, MutableCollection {
  @usableFromInline var one: Element
  @usableFromInline var others: [Element] = []

  @inlinable
  public init(_ one: Element) { self.one = one }

  /// - Parameter elements: one at least.
  init(_ elements: consuming [Element]) {
    one = elements.removeFirst()
    others = elements
  }

  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { others.count + 1 }

  @inlinable
  public subscript(index: Int) -> Element {
    get { index == 0 ? one : others[index - 1] }
    set {
      if index == 0 { one = newValue } else { others[index - 1] = newValue }
    }
  }

  mutating func append(_ element: Element) { others.append(element) }
}
