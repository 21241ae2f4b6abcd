package import Analysis
import Beacons
import CaptureReader
import FrameDecoder
package import Regions

/// What the numbers in timeline events stand for.
package struct EventNames: Sendable {
  package let timeline: Timeline
  /// Inputs as the user named them, by place.
  package let captures: [String]
  /// Whether a frame's number needs its capture's name beside it.
  let areSeveralCaptures: Bool
  private let identities: IdentityTable
  private let transmitters: TransmitterTable
  /// Of an event that is told as it happens: what it says, where it is an alert.
  private let ownAlert: Alert?

  /// - Parameters:
  ///   - read: how many captures could be read; nil: all of them.
  ///   - statistics: the run's, which number the transmitters.
  package init(
    _ timeline: Timeline, captures: [String], read: Int? = nil, statistics: BeaconStatistics
  ) {
    self.timeline = timeline
    self.captures = captures
    areSeveralCaptures = (read ?? captures.count) > 1
    identities = statistics.identities
    transmitters = statistics.transmitters
    ownAlert = nil
  }

  /// For an event that is told as it happens (`RunListener`): what goes to a sink by these is what goes
  /// there at the end. (Columns of the text are as wide as the names known so far.) Not to be kept.
  /// - Parameters:
  ///   - profiles: of the run, all of them.
  ///   - alert: what the event says where it is an alert.
  package init(_ view: RunView, profiles: [Profile], alert: Alert? = nil) {
    var timeline = Timeline()
    timeline.observers = view.observers.map(Timeline.Observer.init)
    timeline.regions = view.regions
    timeline.outcomes = profiles.map(Timeline.Outcome.init)
    timeline.tracks = view.tracks
    timeline.messages = view.messages.map(Timeline.Message.init)
    timeline.isJudged = true
    self.timeline = timeline
    captures = view.captures
    areSeveralCaptures = view.captures.count > 1
    identities = view.identities
    transmitters = view.transmitters
    ownAlert = alert
  }

  /// Nil where nothing was followed.
  package init?(_ result: AnalysisResult) {
    guard let timeline = result.timeline else { return nil }
    self.init(
      timeline, captures: result.captureNames, read: result.captures.count,
      statistics: result.statistics)
  }

  /// Nil where an alert is about none.
  package func observer(_ event: TimelineEvent) -> String? {
    if let alert = alert(event), alert.observer == nil { return nil }
    return timeline.observers[event.observer].name
  }

  /// Nil for all other events.
  package func alert(_ event: TimelineEvent) -> Alert? {
    event.alert.map { ownAlert ?? timeline.alerts[$0] }
  }

  func region(_ event: TimelineEvent) -> String? {
    event.region.map { timeline.regions[$0].identifier }
  }

  package func profile(_ event: TimelineEvent) -> String {
    timeline.outcomes[event.profile].profile.name
  }

  func file(_ evidence: TimelineEvent.Evidence) -> String {
    evidence.source == .capture ? captures[evidence.file] : timeline.tracks[evidence.file]
  }

  /// An advertiser's address and what it says it is.
  package struct Sender: Equatable {
    let address: DeviceAddress
    let kind: BeaconKind
    /// All bytes of the identity.
    let bytes: [UInt8]
    /// The device that has the address; nil where none does.
    var device: String? = nil

    var kindName: StaticString { BeaconFormats.format(kind).name }
    var id: String { BeaconFormats.format(kind).identityText(bytes) }
    var fields: [BeaconField] {
      let own = BeaconFormats.format(kind).identityFields(bytes)
      guard kind != .device, let device else { return own }
      return own + [BeaconField("device", .text(device))]
    }

    /// The identity's parts, and which of its bytes they are.
    var parts: [(name: String, bytes: Range<Int>)] {
      BeaconFormats.format(kind).parts.map { part in
        ("\(part.name)", part.range(bytes))
      }
    }

    /// What tells it from the other beacons of a region: `1:7` where that goes by the UUID; nil where the
    /// region has but this one.
    func name(in region: Region) -> String? {
      if case .identity(let prefix) = region.condition {
        guard bytes.count > prefix.bytes.count else { return nil }
        return BeaconTable.name(kind, bytes, between: ":")
      }
      if case .text(_, _, isPrefix: false) = region.condition { return nil }
      return "\(BeaconTable.kind(kind)) \(TextColumns.printable(TextColumns.shortened(id)))"
    }

    /// `iBeacon f782…893e:1:7 from c2:35:33:30:25:50`, identities shortened.
    var words: String {
      "\(kindName) \(TextColumns.printable(TextColumns.shortened(id))) from "
        + BeaconTable.address(address)
    }
  }

  func sender(_ transmitter: Int) -> Sender {
    let found = transmitters[UInt32(transmitter)]
    return sender(found.identity, found.address)
  }

  func sender(_ identity: UInt32, _ address: DeviceAddress) -> Sender {
    let identity = identities[identity]
    return Sender(
      address: address, kind: identity.kind, bytes: identities.bytes(of: identity),
      device: identities.device(at: address))
  }
}

/// How events are named: 16 hexadecimal digits.
package enum EventReference {
  package static func text(_ id: UInt64) -> String {
    HexText.string((0..<8).map { UInt8(truncatingIfNeeded: id >> UInt64(56 - 8 * $0)) })
  }

  /// Nil where it is anything but 16 hexadecimal digits, small or capital.
  package static func id(_ text: String) -> UInt64? {
    let isHex = text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    return text.utf8.count == 16 && isHex ? UInt64(text, radix: 16) : nil
  }
}
