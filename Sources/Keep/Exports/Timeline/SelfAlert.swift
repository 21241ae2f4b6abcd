package import Analysis
package import CaptureReader
import Regions

/// An alert that the program gives of itself, in a run that goes on: no record leads to it, and no analysis
/// of a recording gives it again.
package struct SelfAlert: Sendable {
  private let time: Timestamp
  private let severity: Alert.Severity
  private let title: String
  private let text: String?
  private let observer: String

  /// Where alerts of rules name the plugin.
  package static let source = "beacontrace"

  /// - Parameters:
  ///   - time: by the machine's clock.
  ///   - observer: what the run hears with; empty: it is not known.
  package init(
    time: Timestamp, severity: Alert.Severity, title: String, text: String?, observer: String
  ) {
    self.time = time
    self.severity = severity
    self.title = title
    self.text = text
    self.observer = observer
  }

  /// Of the moment and the title, as those of other events are made.
  private var id: UInt64 {
    var identity = EventIdentity()
    identity.add(time.nanoseconds)
    identity.add(title)
    return identity.mixed
  }

  /// As receivers get it, without the line's end. The event has the keys of other alerts, as far as they
  /// apply.
  package var line: [UInt8] {
    var event = ByteText()
    event.text("{\"id\":")
    event.jsonString(EventReference.text(id))
    event.text(",\"type\":\"alert\",\"time\":\"")
    event.time(time)
    event.text("\"")
    let words = [
      ("observer", observer.isEmpty ? nil : observer), ("severity", severity.rawValue),
      ("title", title), ("text", text), ("plugin", Self.source),
    ]
    for (key, value) in words {
      guard let value else { continue }
      event.text(",")
      event.jsonString(key)
      event.text(":")
      event.jsonString(value)
    }
    event.text(",\"fields\":{},\"events\":[],\"evidence\":[]}")
    return EVELine.bytes(
      at: time, severity, title: title, plugin: Self.source, event: event.bytes, frame: nil)
  }
}
