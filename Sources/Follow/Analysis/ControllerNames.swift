package import CaptureReader
package import FrameDecoder
import Regions

/// Which controllers are behind the names of observers (`pi/hci0`), where captures tell it: the kernel gives the
/// number, and after a restart, or when a dongle is plugged in again, it may be another one's.
package struct ControllerNames: Sendable {
  /// An observer whose name is another controller's from one moment on.
  package struct Change: Sendable {
    package let observer: String
    package let from: DeviceAddress
    package let to: DeviceAddress
    /// The first report of the other one.
    package let since: Timestamp
    /// The capture in which it is that.
    package let capture: String
  }

  /// One controller that has several names, one after the other.
  package struct Renumbered: Sendable {
    package let controller: DeviceAddress
    /// In the order in which it had them.
    package let observers: [String]
    /// The capture in which it has the last of them.
    package let capture: String
  }

  package private(set) var changes: [Change] = []
  /// But for those of observers that changed.
  package private(set) var renumbered: [Renumbered] = []

  /// What one observer of one capture heard.
  private struct Part {
    let observer: String
    let capture: String
    let controller: DeviceAddress
    let first: Timestamp
    let last: Timestamp
  }

  /// Two names of one controller cannot have listened together, but for what clocks differ: nanoseconds.
  private static let slack: Int64 = 1_000_000_000

  package init(_ captures: [CaptureFacts]) {
    var parts: [Part] = []
    for facts in captures {
      for observer in facts.observers where observer.firstReport.isKnown {
        guard let controller = observer.knownController else { continue }
        parts.append(
          Part(
            observer: observer.name, capture: facts.name, controller: controller,
            first: observer.firstReport, last: observer.lastReport))
      }
    }
    parts.sort { ($0.first.nanoseconds, $0.observer) < ($1.first.nanoseconds, $1.observer) }
    for (observer, own) in Dictionary(grouping: parts, by: \.observer).sorted(by: {
      $0.key < $1.key
    }) {
      for (one, next) in zip(own, own.dropFirst()) where one.controller != next.controller {
        changes.append(
          Change(
            observer: observer, from: one.controller, to: next.controller, since: next.first,
            capture: next.capture))
      }
    }
    let changed = Set(changes.map(\.observer))
    let kept = parts.filter { !changed.contains($0.observer) }
    let byController = Dictionary(grouping: kept) {
      "\(Self.radios(of: $0.observer))\n\($0.controller.rawValue)"
    }
    for (_, own) in byController.sorted(by: { $0.key < $1.key }) {
      guard let found = Self.renumbered(own) else { continue }
      renumbered.append(found)
    }
  }

  private static func renumbered(_ parts: [Part]) -> Renumbered? {
    var names: [String] = []
    for part in parts where !names.contains(part.observer) { names.append(part.observer) }
    // Cheap dongles may all have one address.
    let areInTurn = zip(parts, parts.dropFirst()).allSatisfy { one, next in
      one.observer == next.observer
        || next.first.nanoseconds.since(one.last.nanoseconds) >= -slack
    }
    guard names.count > 1, areInTurn else { return nil }
    let last = parts[parts.count - 1]
    return Renumbered(controller: last.controller, observers: names, capture: last.capture)
  }

  /// What the names of the radios of one computer have in common: `pi` of `pi/hci0`.
  package static func radios(of observer: String) -> Substring {
    guard let slash = observer.utf8.lastIndex(of: UInt8(ascii: "/")) else { return observer[...] }
    let last = observer[slash...].dropFirst()
    let isNumber = last.hasPrefix("hci") && Int(last.dropFirst(3)) != nil
    return isNumber ? observer[..<slash] : observer[...]
  }
}

extension ObserverFacts {
  /// The address of its controller; nil where the capture does not tell it, or it has none yet.
  package var knownController: DeviceAddress? {
    guard let address = controller?.address, address.isPresent,
      address != DeviceAddress(0, .publicDevice)
    else { return nil }
    return address
  }
}
