package import Beacons
package import CaptureReader

/// Tells when messages come within reach and when they are lost, for each observer and subscription
/// (SEMANTICS 5).
///
/// Which messages an identity carries is decided once; a sighting of one that carries none costs a
/// look into an array. Events of one observer come in the order of time.
package struct MessageMonitor: Sendable {
  /// Nanoseconds: the profile's.
  package let exitPeriod: Int64
  /// What has happened and was not taken yet.
  package private(set) var events: [MessageEvent] = []
  /// Sightings without a time before the observer's first that had one: they cannot be placed.
  package private(set) var withoutTime = 0

  private let index: MessageIndex
  /// A subscription and a message that it takes.
  private let pairs: [(subscription: Int, message: Int)]
  /// By message: its pairs.
  private let pairsOfMessage: [[Int32]]
  /// By identity number: where its list begins in `lists`, or −1.
  private var listOfIdentity: [Int32] = []
  /// Lists of pairs, each with its length in front.
  private var lists: [Int32] = []
  private var places: [[Int32]: Int32] = [:]
  private var observers: [MessageReach] = []
  private var capture = 0

  /// - Parameter exitPeriod: nanoseconds without a sighting after which a message is lost.
  package init(_ messages: [BeaconMessage], _ subscriptions: [Subscription], exitPeriod: Int64) {
    self.exitPeriod = exitPeriod
    index = MessageIndex(messages)
    var pairs: [(subscription: Int, message: Int)] = []
    var pairsOfMessage = messages.map { _ in [Int32]() }
    for (subscription, wanted) in subscriptions.enumerated() {
      for (message, offered) in messages.enumerated() where wanted.takes(offered) {
        pairsOfMessage[message].append(Int32(pairs.count))
        pairs.append((subscription, message))
      }
    }
    self.pairs = pairs
    self.pairsOfMessage = pairsOfMessage
  }

  /// Sightings of another capture come, which shares the numbers of the one before.
  package mutating func continueCapture(_ number: Int) { capture = number }

  /// Decides on the identities that are new in the capture's table; before `heard` of them.
  package mutating func learn(_ table: IdentityTable) {
    for number in listOfIdentity.count..<max(table.count, listOfIdentity.count) {
      let identity = table[UInt32(number)]
      listOfIdentity.append(list(index.messages(of: identity, table.bytes(of: identity))))
    }
  }

  private mutating func list(_ messages: [Int]) -> Int32 {
    let members = messages.flatMap { pairsOfMessage[$0] }.sorted()
    if members.isEmpty { return -1 }
    if let place = places[members] { return place }
    let place = Int32(lists.count)
    places[members] = place
    lists.append(Int32(members.count))
    lists += members
    return place
  }

  /// A sighting; handled at its time or the observer's clock, whichever is later.
  @inline(__always)
  package mutating func heard(
    identity: UInt32, observer: Int, transmitter: UInt32, time: Timestamp, frame: Int
  ) {
    guard Int(identity) < listOfIdentity.count else { return }
    let list = listOfIdentity[Int(identity)]
    if list >= 0 {
      take(list: Int(list), observer: observer, transmitter: transmitter, time: time, frame: frame)
    }
  }

  private mutating func take(
    list: Int, observer: Int, transmitter: UInt32, time: Timestamp, frame: Int
  ) {
    advance(observer: observer, to: time)
    let now = observers[observer].clock
    guard now.isKnown else {
      withoutTime += 1
      return
    }
    let sighting = MessageEvidence(
      time: now, capture: capture, frame: frame, transmitter: transmitter)
    for place in (list + 1)...(list + Int(lists[list])) {
      let pair = Int(lists[place])
      if observers[observer].renew(pair, sighting, exitPeriod) {
        append(.found, pair, observer: observer, time: now, sighting)
      }
    }
  }

  /// The observer's clock; a step back does nothing.
  package mutating func advance(observer: Int, to time: Timestamp) {
    while observers.count <= observer { observers.append(MessageReach(pairs: pairs.count)) }
    guard observers[observer].advance(to: time) else { return }
    for (pair, last) in observers[observer].expire(exitPeriod) {
      // The sum is not beyond the clock.
      let end = Timestamp(nanoseconds: last.time.nanoseconds + exitPeriod)
      append(
        .lost, pair, observer: observer, time: end, observers[observer].lastSighting(pair, last))
    }
  }

  /// Messages still within reach, by observer, then subscription and message, each with its last
  /// sighting.
  package var open: [MessageEvent] {
    observers.indices.flatMap { observer in
      observers[observer].present.sorted().map { pair in
        let last = observers[observer].lastSighting(pair, observers[observer].last[pair])
        return event(.found, pair, observer, last.time, last)
      }
    }
  }

  /// Messages that an earlier run had within reach stay so without an event, as if they had been seen
  /// now; when they are lost it is told when they truly were (SEMANTICS 2, 8).
  /// - Parameter observer: its clock stands at its first record.
  package mutating func restore(
    _ found: [(message: Int, lastSeen: Timestamp)], observer: Int, from start: Timestamp
  ) {
    advance(observer: observer, to: start)
    guard observers[observer].clock.isKnown else { return }
    for (message, lastSeen) in found {
      for pair in pairsOfMessage[message] {
        observers[observer].restore(Int(pair), lastSeen: lastSeen, exitPeriod)
      }
    }
  }

  /// Hands over what has happened since the last call.
  package mutating func takeEvents() -> [MessageEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  private mutating func append(
    _ kind: MessageEvent.Kind, _ pair: Int, observer: Int, time: Timestamp,
    _ evidence: MessageEvidence
  ) {
    events.append(event(kind, pair, observer, time, evidence))
  }

  private func event(
    _ kind: MessageEvent.Kind, _ pair: Int, _ observer: Int, _ time: Timestamp,
    _ evidence: MessageEvidence
  ) -> MessageEvent {
    MessageEvent(
      kind: kind, time: time, observer: observer, subscription: pairs[pair].subscription,
      message: pairs[pair].message, evidence: evidence)
  }
}
