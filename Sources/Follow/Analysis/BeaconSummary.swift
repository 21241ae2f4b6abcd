package import Beacons
package import CaptureReader
package import FrameDecoder

/// A beacon as people count them: one identity, however many devices send it.
package struct BeaconSummary: Sendable {
  /// A device that sends the identity.
  package struct Source: Sendable {
    package let address: DeviceAddress
    package var sightings: Int
    package var first: Timestamp
    package var last: Timestamp
    package let firstFrame: Int
    /// Place of the capture with the first sighting.
    package let firstCapture: Int
    /// Places of the observers that saw it.
    package var observers: OneOrMore<Int>
  }

  package let kind: BeaconKind
  package let identity: BeaconIdentity
  /// Most sightings first.
  package let sources: OneOrMore<Source>
  package let sightings: Int
  package let first: Timestamp
  package let last: Timestamp
  /// Median gap between sightings of one device by one observer, nanoseconds: off by a sixteenth at
  /// most, by less than 3 % where gaps vary.
  package let medianInterval: Double?
  /// dBm.
  package let rssi: (min: Int, median: Int, max: Int)?
  /// Lowest and highest power sent, dBm; nil for telemetry.
  package let power: (min: Int, max: Int)?
  package let telemetry: Telemetry?
  package let encryptedTelemetry: EncryptedTelemetry?
  package let warnings: BeaconWarnings
  /// Other identities that the same addresses send.
  package let companions: Int
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
public struct OneOrMore<Element: Sendable>: Sendable, RandomAccessCollection {
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
    index == 0 ? one : others[index - 1]
  }

  mutating func append(_ element: Element) { others.append(element) }
}
