import Beacons
public import CaptureReader
package import Regions

/// What a run knows that another one can go on with after a restart (SEMANTICS 2, 8). Everything is
/// named, as numbers are another run's own.
///
/// Not in it: what ranging knows. An observer that heard nothing while nothing ran does not know where
/// a transmitter is, and says `unknown` after 2 s in any run (SEMANTICS 3); its first proximity is told
/// from there. Nor the gaps between sightings, but what they came to (`EarlierRegularity`).
package struct RunState: Equatable, Sendable, Codable {
  /// The run's clock: the latest time of any observer.
  package var taken: Timestamp
  package var profiles: [OfProfile]
  /// What observers could hear; files of earlier versions have none.
  package var hearing: [OfHearing]?

  package init(taken: Timestamp, profiles: [OfProfile], hearing: [OfHearing]? = nil) {
    self.taken = taken
    self.profiles = profiles
    self.hearing = hearing
  }

  package struct OfProfile: Equatable, Sendable, Codable {
    /// Its name and all its numbers: with others nothing of it holds.
    package var profile: String
    package var observers: [OfObserver]

    package init(profile: String, observers: [OfObserver]) {
      self.profile = profile
      self.observers = observers
    }
  }

  package struct OfObserver: Equatable, Sendable, Codable {
    package var name: String
    /// The observer's clock, as of which everything here holds.
    package var clock: Timestamp
    /// Beacon regions and circles, by number.
    package var regions: [OfRegion]
    /// Within reach.
    package var messages: [OfMessage]
    /// Raw value of `ScanLimits`; nil where its scan leaves nobody out, or that is not known, and in files of
    /// earlier versions.
    package var scanLimits: UInt8?

    package init(name: String, clock: Timestamp, regions: [OfRegion], messages: [OfMessage]) {
      self.name = name
      self.clock = clock
      self.regions = regions
      self.messages = messages
    }
  }

  package struct OfRegion: Equatable, Sendable, Codable {
    package var identifier: String
    /// As `Region.text` has it: of another one nothing holds.
    package var definition: String
    package var isInside: Bool
    /// As in `RegionMemory`.
    package var since: Timestamp
    package var lastSeen: Timestamp
    package var wasInsideAlready = false
    package var awaitsDisplay = false
    package var crossedAt = Timestamp.none
    package var sightings = 0
    /// Files of earlier versions have none.
    package var regularity: EarlierRegularity?
    /// Outside: the exit that was told last.
    package var exit: OfExit?

    package init(
      identifier: String, definition: String, isInside: Bool, since: Timestamp, lastSeen: Timestamp
    ) {
      self.identifier = identifier
      self.definition = definition
      self.isInside = isInside
      self.since = since
      self.lastSeen = lastSeen
    }
  }

  package struct OfMessage: Equatable, Sendable, Codable {
    package var beacon: String
    package var namespace: String
    package var type: String
    /// `text:…` or `hex:…`.
    package var content: String
    package var lastSeen: Timestamp

    package init(
      beacon: String, namespace: String, type: String, content: String, lastSeen: Timestamp
    ) {
      self.beacon = beacon
      self.namespace = namespace
      self.type = type
      self.content = content
      self.lastSeen = lastSeen
    }
  }

  /// Most regions kept of an observer under a profile: those inside, then those that were matched last.
  /// Where regions come to be of what is seen there may be a million.
  package static let mostRegions = 10_000
  /// Nanoseconds for which a state is good unless it is set otherwise [ABL].
  package static let usualAge: Int64 = 900 * 1_000_000_000
}

/// A state to go on with.
package struct RestoredRun: Sendable {
  package var state: RunState
  /// Nanoseconds: what an observer knew is good for so long, before and behind, up to its first record.
  package var goodFor: Int64
  /// Takes what people should read of it, a line at a time, on the queue that follows the run.
  package var tell: @Sendable (String) -> Void

  package init(
    _ state: RunState, goodFor: Int64 = RunState.usualAge,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.state = state
    self.goodFor = goodFor
    self.tell = tell
  }
}

/// Whoever keeps what a run knows. Called on the queue that follows the run, between two calls of its
/// judge.
package protocol RunStateKeeper: AnyObject, Sendable {
  /// Nanoseconds of the run's clock between two states, where nothing happens that is told: what is told
  /// is kept soon.
  var interval: Int64 { get }
  /// - Parameter state: made when it is called; need not be.
  /// - Returns: false where it is not kept, for it is too soon: asked again at the next occasion.
  func keep(_ state: () -> RunState) -> Bool
  /// The run has ended; once. Not called where it never had a time.
  func keepLast(_ state: RunState)
}

/// Nanoseconds since 1970, or null.
extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    self = value.decodeNil() ? .none : Timestamp(nanoseconds: try value.decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    if isKnown { try value.encode(nanoseconds) } else { try value.encodeNil() }
  }
}

extension RunState.OfRegion {
  init(_ memory: RegionMemory, identifier: String, definition: String) {
    self.identifier = identifier
    self.definition = definition
    isInside = memory.presence == .inside
    since = memory.since
    lastSeen = memory.lastSeen
    wasInsideAlready = memory.wasInsideAlready
    awaitsDisplay = memory.awaitsDisplay
    crossedAt = memory.crossedAt
    sightings = memory.sightings
    regularity = memory.regularity
  }

  func memory(_ number: UInt32) -> RegionMemory {
    var memory = RegionMemory(
      region: number, presence: isInside ? .inside : .outside, since: since, lastSeen: lastSeen)
    memory.wasInsideAlready = wasInsideAlready
    memory.awaitsDisplay = awaitsDisplay
    memory.crossedAt = crossedAt
    memory.sightings = sightings
    memory.regularity = regularity
    return memory
  }
}

extension RunState.OfMessage {
  init(_ message: BeaconMessage, lastSeen: Timestamp) {
    let content =
      switch message.content {
      case .text(let text): "text:" + text
      case .bytes(let bytes): "hex:" + HexText.string(bytes)
      }
    self.init(
      beacon: message.beacon.text, namespace: message.namespace, type: message.type,
      content: content, lastSeen: lastSeen)
  }

  /// Whether it is the same message, whenever either was seen.
  func isSame(_ other: RunState.OfMessage) -> Bool {
    (beacon, namespace, type, content)
      == (other.beacon, other.namespace, other.type, other.content)
  }
}
