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
  /// How often it sends, nanoseconds, whatever is missed; nil where its gaps do not tell that.
  package let ownInterval: Double?
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
  package var addresses: [DeviceAddress] { sources.map(\.address).filter(\.isPresent) }

  /// How many send it, by their addresses: those that the key of one device made count once.
  package var senders: Int { devices.isEmpty ? addresses.count : Set(addresses.map(sender)).count }

  /// The device that has all of its addresses; nil where there is none.
  package var device: String? {
    guard !devices.isEmpty, senders == 1, let first = addresses.first else { return nil }
    return devices[first]
  }

  /// Whether keys made some of its addresses.
  package var hasDevices: Bool { !devices.isEmpty }

  /// One and the same for all addresses of a device.
  private func sender(_ address: DeviceAddress) -> String {
    devices[address] ?? ":\(address.rawValue)"
  }

  /// What one observer's clock is off by in its own recording, and those of several among each other,
  /// nanoseconds.
  private static let ownSlack: Int64 = 1_000_000_000
  private static let commonSlack: Int64 = 60_000_000_000

  /// Addresses of one device as one source, from its first sighting to its last.
  private func bySender(_ sources: [Source]) -> [Source] {
    var places: [String: Int] = [:]
    var result: [Source] = []
    for source in sources {
      let sender = sender(source.address)
      if let place = places[sender] {
        result[place].add(source)
      } else {
        places[sender] = result.count
        result.append(source)
      }
    }
    return result
  }

  /// How many of its addresses alternate at most, those of a device whose key is there as one: one is in use
  /// from its first sighting to its last, for who changes its address leaves the old one for good. Nil where the
  /// times do not tell it: there are none, or two addresses were heard so shortly that their order may be chance.
  /// - Parameter stepBack: by how much clocks stepped back at most, nanoseconds.
  package func addressesAtOnce(stepBack: Int64 = 0) -> Int? {
    let present = sources.filter { $0.address.isPresent }
    let known = devices.isEmpty ? present : bySender(present)
    guard known.allSatisfy({ $0.first.isKnown && $0.last.isKnown }) else { return nil }
    let observers = Set(known.flatMap { $0.observers })
    let slack = max(observers.count > 1 ? Self.commonSlack : Self.ownSlack, stepBack)
    guard !Self.areTooShort(known, Self.ownSlack) else { return nil }
    let begins = known.map(\.first.nanoseconds).sorted()
    let ends = known.map { source in
      let (end, isBefore) = source.last.nanoseconds.subtractingReportingOverflow(slack)
      return isBefore ? source.first.nanoseconds : max(source.first.nanoseconds, end)
    }.sorted()
    var (most, ended) = (0, 0)
    for (begun, begin) in begins.enumerated() {
      while ends[ended] < begin { ended += 1 }
      most = max(most, begun + 1 - ended)
    }
    return known.isEmpty ? nil : most
  }

  /// Whether two of them were heard within so short a time, all of it, that nothing follows from which
  /// was heard first.
  private static func areTooShort(_ sources: [Source], _ slack: Int64) -> Bool {
    let inOrder = sources.sorted { $0.first.nanoseconds < $1.first.nanoseconds }
    return zip(inOrder, inOrder.dropFirst()).contains { earlier, later in
      max(earlier.last.nanoseconds, later.last.nanoseconds).since(earlier.first.nanoseconds) < slack
    }
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
