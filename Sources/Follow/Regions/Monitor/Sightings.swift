package import Beacons
import CaptureReader

extension RegionMonitor {
  /// Takes a run of sightings.
  /// - Parameters:
  ///   - wholes: what the run's `whole` counts in.
  ///   - capture: place of the capture, for evidence.
  ///   - numbers: the run's number per transmitter number of the sightings; none: they are the same.
  ///   - transmitters: by the run's numbers.
  ///   - identities: what they count in.
  ///   - observers: this monitor's number per observer that they name.
  package mutating func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>,
    _ transmitters: TransmitterTable, _ identities: IdentityTable, observers: Span<UInt32>
  ) {
    for place in run.indices {
      take(
        run[place], wholes: wholes, capture: capture, numbers: numbers, transmitters, identities,
        observers: observers)
    }
  }

  /// The same, up to and with the first sighting at which there are events.
  /// - Returns: how many were taken.
  package mutating func takeUntilEvent(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>,
    _ transmitters: TransmitterTable, _ identities: IdentityTable, observers: Span<UInt32>
  ) -> Int {
    for place in run.indices {
      take(
        run[place], wholes: wholes, capture: capture, numbers: numbers, transmitters, identities,
        observers: observers)
      if !events.isEmpty { return place + 1 }
    }
    return run.count
  }

  @inline(__always)
  private mutating func take(
    _ sighting: BriefSighting, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>,
    _ transmitters: TransmitterTable, _ identities: IdentityTable, observers: Span<UInt32>
  ) {
    let number =
      numbers.isEmpty ? Int(sighting.transmitter) : Int(numbers[Int(sighting.transmitter)])
    if number >= rows.count || !rows[number].isKnown {
      guard learn(number, sighting.time, transmitters, identities, observers) else { return }
    }
    let row = rows[number]
    let moment = pass(sighting.time.nanoseconds, Int(row.observer))
    guard row.links > 0 else { return }
    if sighting.whole > 0 { note(wholes[Int(sighting.whole) - 1], of: number) }
    let reference = SightingReference(
      capture: capture, frame: sighting.frame, transmitter: UInt32(number),
      time: sighting.time)
    for link in Int(row.firstLink)..<Int(row.firstLink + row.links) {
      let state = Int(links[link].state)
      let rule = matchRules[Int(states[state].rule)]
      if sighting.rssi == 127 && rule.ignoresUnknownRSSI { continue }
      if !rule.takesAll, !passes(link, state, sighting, moment, number, transmitters, identities) {
        continue
      }
      match(link, state, rule.longestGap, moment, reference)
    }
  }

  /// Moves the observer's clock on and hears somebody. Returns when the sighting is handled: at its
  /// time or, if that is later, at the clock's.
  @inline(__always)
  private mutating func pass(_ time: Int64, _ observer: Int) -> Int64 {
    if time > clocks[observer].clock {
      if time > clocks[observer].wake {
        advance(observer, to: time)
      } else {
        clocks[observer].clock = time
      }
    }
    let moment = clocks[observer].clock
    if moment < clocks[observer].restsUntil {
      clocks[observer].lastHeard = moment
    } else {
      hear(observer, at: moment)
    }
    return moment
  }

  @inline(__always)
  private mutating func match(
    _ link: Int, _ place: Int, _ longestGap: Int64, _ moment: Int64, _ reference: SightingReference
  ) {
    if states[place].presence != .inside { enter(place, at: moment, reference) }
    states[place].last = moment
    states[place].lastMatch = reference
    states[place].sightings += 1
    if links[link].stay != states[place].stay {
      links[link].stay = states[place].stay
      links[link].next = states[place].links
      states[place].links = UInt32(link + 1)
    }
    links[link].note(moment, longestGap: longestGap, &gaps)
  }

  /// A repeat that somebody else wanted says nothing new: what is followed does not depend on it.
  private mutating func note(_ sighting: Sighting, of number: Int) {
    if sighting.isRepeat { return }
    rows[number].power = sighting.power
    rows[number].measured = Self.measuredPower(sighting)
  }

  /// dBm at 1 m. Eddystone's is at 0 m: 41 dB less. Outside −100…−20 dBm it is not usable
  /// (SEMANTICS 3).
  private static func measuredPower(_ sighting: Sighting) -> Int16 {
    guard let loss = MeasuredPower.lossToOneMetre(sighting.kind) else { return Row.noPower }
    let power = Int(sighting.power) - loss
    return MeasuredPower.usable.contains(power) ? Int16(power) : Row.noPower
  }

  /// Whether a sighting of a transmitter that belongs to a region is a match there.
  @inline(never)
  private mutating func passes(
    _ link: Int, _ place: Int, _ sighting: BriefSighting, _ moment: Int64, _ number: Int,
    _ transmitters: TransmitterTable, _ identities: IdentityTable
  ) -> Bool {
    let state = states[place]
    let rule = rules[Int(state.rule)]
    let start = timelines[Int(state.observer)].start
    guard duties[rule.ear].listens(at: moment, from: start) else { return false }
    if let gate = rule.gate {
      let signal = Int(links[link].gate) - 1
      guard sighting.rssi != 127 else {
        refuse(nil, link, place, moment)
        return false
      }
      let rssi = gates[signal].add(sighting.rssi, at: moment, from: start, gate)
      let measured = rows[number].measured
      let power = measured == Row.noPower ? nil : Int(measured)
      guard gate.lets(rssi, power: power, isInside: state.presence == .inside) else {
        refuse(rssi, link, place, moment)
        return false
      }
    }
    guard let predicate = rule.predicate else { return true }
    let transmitter = transmitters[UInt32(number)]
    do throws(RegionRuleFailure) {
      let isMatch = try predicate.matches(
        RegionCandidate(
          time: Timestamp(nanoseconds: moment), frame: sighting.frame, transmitter: UInt32(number),
          observer: state.observer, identity: identities[transmitter.identity],
          address: transmitter.address, rssi: sighting.rssi, power: rows[number].power))
      guard isMatch else { return false }
      states[place].unanswered = 0
      if links[link].received == 0 { newMembers.append(UInt32(number)) }
      return true
    } catch {
      if state.unanswered < .max { states[place].unanswered = state.unanswered + 1 }
      return false
    }
  }

  /// A sighting did not pass a gate. Of who was in the region in this stay: another one that stays outside says nothing
  /// about who left.
  /// - Parameter rssi: smoothed, dBm; nil: the radio told none.
  private mutating func refuse(_ rssi: Double?, _ link: Int, _ place: Int, _ moment: Int64) {
    let state = states[place]
    guard state.presence == .inside, links[link].stay == state.stay else { return }
    gates[Int(links[link].gate) - 1].refuse(rssi, at: moment, after: state.last)
  }

  /// Finds the regions of a transmitter that is seen for the first time.
  /// - Returns: false where the sighting has no time and there is no clock yet.
  @inline(never)
  private mutating func learn(
    _ number: Int, _ time: Timestamp, _ transmitters: TransmitterTable,
    _ identities: IdentityTable, _ observers: Span<UInt32>
  ) -> Bool {
    while rows.count <= number { rows.append(Row()) }
    let transmitter = transmitters[UInt32(number)]
    let observer = Int(observers[Int(transmitter.observer)])
    if !timelines[observer].hasStarted {
      guard time.isKnown else {
        unplaced += 1
        return false
      }
      start(observer, at: time.nanoseconds)
    }
    let identity = identities[transmitter.identity]
    var row = Row()
    row.firstLink = UInt32(links.count)
    row.observer = UInt32(observer)
    row.isKnown = true
    for region in regions(of: identity, transmitter, identities) where isMonitored(region) {
      var link = RegionLink(state: timelines[observer].states[Int(region)])
      if rules[Int(states[Int(link.state)].rule)].gate != nil {
        gates.append(GateSignal())
        link.gate = UInt32(gates.count)
      }
      links.append(link)
      row.links += 1
    }
    rows[number] = row
    return true
  }

  private mutating func regions(
    of identity: BeaconIdentity, _ transmitter: Transmitter, _ identities: IdentityTable
  ) -> [UInt32] {
    guard catalog.grows else {
      return index.regions(
        of: identity, address: transmitter.address,
        device: { identities.device(at: transmitter.address) },
        bytes: { identities.bytes(of: identity) })
    }
    let before = catalog.count
    guard let region = catalog.number(of: identity) else { return [] }
    if catalog.count > before { define(region) }
    return [region]
  }
}
