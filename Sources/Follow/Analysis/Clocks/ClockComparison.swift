/// How the clocks of captures, or of observers that wrote several, go by one another, as far as they heard the
/// same packets. What is called a capture here is all that has one clock (`ComparedClock`).
package struct ClockComparison: Sendable {
  package struct Capture: Sendable {
    /// Among the clocks.
    package let place: Int
    /// By the group's clock; has a piece at least.
    package let track: ClockTrack
    /// The capture that it was compared with: the group's own, or another one of it.
    package let through: Int
    /// Nanoseconds by which it is ahead of the group's own clock, in the middle of what it was compared in.
    package var ahead: Int64 { track.main?.ahead ?? 0 }
  }

  /// Captures of which each heard what another one did.
  package struct Group: Sendable {
    /// The capture whose clock the others are compared with.
    package let against: Int
    /// The others, in the order of the captures.
    package fileprivate(set) var captures: [Capture]

    init(against: Int, captures: [Capture]) { (self.against, self.captures) = (against, captures) }

    mutating func take(_ capture: Capture) {
      captures.append(capture)
      captures.sort { $0.place < $1.place }
    }
  }

  /// Two and more captures each, in the order of those that others are compared with.
  package private(set) var groups: [Group] = []
  /// The others, in the order of the captures.
  package let alone: [Alone]
  /// Captures of clocks that are in a group of which no packet was found in another clock's, by place in the run.
  package private(set) var notCompared: [Int] = []
  /// Whether every clock was compared with every other one, in all of their sessions, as far as that was of use.
  package private(set) var isComplete = true

  /// A capture of which nothing shows how its clock goes.
  package struct Alone: Sendable {
    package let place: Int
    /// Whether anybody was heard in it at all.
    package let hasHeard: Bool
    /// How many advertisers it has in common with the capture with which it has most.
    package let advertisers: Int
  }

  /// - Parameters:
  ///   - against: whose clock the others are compared with; nil: one of the most that agree, and where there are
  ///     none, that of whichever heard most.
  ///   - mostFruitless: pairs that have nothing in common; after so many no more is looked for. Pairs of captures
  ///     that were made at about the same time by their clocks come first then.
  package init(_ logs: [ArrivalLog], against: Int?, mostFruitless: Int = .max) {
    var search = Search(logs: logs, mostFruitless: mostFruitless)
    var open = logs.indices.filter { logs[$0].count > 0 && $0 != against }
    open.sort { (logs[$1].count, $0) < (logs[$0].count, $1) }
    if let against { open.insert(against, at: 0) }
    if mostFruitless < .max {
      open = search.group(open, into: &groups, Self.areNear)
      search.join(&groups)
      for place in groups.indices { search.grow(&groups[place], &open) { _, _ in true } }
    }
    var alone = search.group(open, into: &groups) { _, _ in true }
    for place in groups.indices where groups[place].against != against {
      search.settle(&groups[place], &alone)
    }
    alone = search.group(alone, into: &groups) { _, _ in true }
    isComplete = search.fruitless <= mostFruitless && !search.isCutShort
    notCompared = groups.flatMap { [$0.against] + $0.captures.map(\.place) }
      .flatMap { place in
        logs[place].captures.filter { capture in
          search.compared[place]?.contains { $0.overlaps(capture.span) } != true
        }.map(\.place)
      }.sorted()
    groups = groups.map { group in
      group.against == against ? group : group.byMajority { logs[$0].count }
    }
    let silent = logs.indices.filter { logs[$0].count == 0 && $0 != against }
    self.alone = (alone + silent).sorted().map { place in
      Alone(
        place: place, hasHeard: logs[place].count > 0, advertisers: Self.most(logs, place))
    }
  }

  private static func most(_ logs: [ArrivalLog], _ place: Int) -> Int {
    logs.indices.filter { $0 != place }.map { other in
      logs[place].places.keys.count { logs[other].places[$0] != nil }
    }.max() ?? 0
  }

  /// Nanoseconds: clocks that nobody sets are off by that much, and rotated files of several receivers are not
  /// made in the same second.
  private static let slack: Int64 = 600_000_000_000

  private static func areNear(_ log: ArrivalLog, _ other: ArrivalLog) -> Bool {
    log.first.addingWithin(-slack) <= other.last && other.first.addingWithin(-slack) <= log.last
  }
}

/// Looks for captures that heard the same.
private struct Search {
  let logs: [ArrivalLog]
  let mostFruitless: Int
  /// Pairs that had nothing in common, each once.
  private var without: Set<[Int]> = []
  var fruitless: Int { without.count }
  /// When the packets came that were found in another capture, too, by the clock itself; by place.
  private(set) var compared: [Int: [ClosedRange<Int64>]] = [:]
  /// Whether sessions of two that have something in common were left out.
  private(set) var isCutShort = false
  /// Of pairs that may be looked at again, each once: the second by the first.
  private var tracks: [[Int]: ClockTrack] = [:]

  init(logs: [ArrivalLog], mostFruitless: Int) {
    (self.logs, self.mostFruitless) = (logs, mostFruitless)
  }

  /// Groups of what is open.
  /// - Parameter isTried: whether two captures are compared.
  /// - Returns: what is in none.
  mutating func group(
    _ all: [Int], into groups: inout [ClockComparison.Group],
    _ isTried: (ArrivalLog, ArrivalLog) -> Bool
  ) -> [Int] {
    var (open, alone) = (all, [Int]())
    while !open.isEmpty {
      var group = ClockComparison.Group(against: open.removeFirst(), captures: [])
      grow(&group, &open, isTried)
      if group.captures.isEmpty { alone.append(group.against) } else { groups.append(group) }
    }
    return alone
  }

  /// Puts groups together by way of the clock that each goes by: clocks that are off by hours are of no time.
  mutating func join(_ groups: inout [ClockComparison.Group]) {
    var kept: [ClockComparison.Group] = []
    for group in groups {
      let place = kept.indices.first { add(group, to: &kept[$0]) }
      if place == nil { kept.append(group) }
    }
    groups = kept
  }

  /// - Returns: whether it was found to have packets in common with it.
  private mutating func add(
    _ added: ClockComparison.Group, to group: inout ClockComparison.Group
  ) -> Bool {
    let members =
      [(place: group.against, piece: ClockTrack.Piece?.none)]
      + group.captures.filter { $0.track.pieces.count == 1 }
      .map { (place: $0.place, piece: $0.track.pieces[0]) }
    for member in members where fruitless <= mostFruitless {
      let pair = [member.place, added.against].sorted()
      guard !without.contains(pair) else { continue }
      let found = Self.track(logs[member.place], logs[added.against])
      var track = found
      if let middle = member.piece { track = track.by(middle) }
      guard track.pieces.count == 1 else {
        if track.pieces.isEmpty { without.insert(pair) }
        continue
      }
      note(found, of: added.against, by: member.place)
      group.captures.append(
        ClockComparison.Capture(place: added.against, track: track, through: member.place))
      group.captures += added.captures.map { capture in
        ClockComparison.Capture(
          place: capture.place, track: capture.track.by(track.pieces[0]), through: capture.through)
      }
      group.captures.sort { $0.place < $1.place }
      return true
    }
    return false
  }

  /// Takes every open capture into the group that heard the same as one of it.
  mutating func grow(
    _ group: inout ClockComparison.Group, _ open: inout [Int],
    _ isTried: (ArrivalLog, ArrivalLog) -> Bool
  ) {
    // By the group's clock each; nil: that is its own.
    var members: [(place: Int, piece: ClockTrack.Piece?)] = [(group.against, nil)]
    while !members.isEmpty {
      let member = members.removeFirst()
      for place in open
      where fruitless <= mostFruitless && isTried(logs[member.place], logs[place])
        && !without.contains([member.place, place].sorted())
      {
        let found = track(place, by: member.place)
        var track = found
        if let middle = member.piece { track = track.by(middle) }
        guard !track.pieces.isEmpty else {
          without.insert([member.place, place].sorted())
          continue
        }
        note(found, of: place, by: member.place)
        group.captures.append(
          ClockComparison.Capture(place: place, track: track, through: member.place))
        open.removeAll { $0 == place }
        // By a clock that was set nobody else's can be told.
        if track.pieces.count == 1 { members.append((place, track.pieces[0])) }
      }
    }
    group.captures.sort { $0.place < $1.place }
  }

  /// Clocks that are tried in the place of a group's own.
  private static let mostTried = 3

  /// Where more clocks go steadily by one another than by the group's own it was that which was set: they are
  /// compared with one of theirs, of those that heard most.
  /// - Parameter open: those in no group, which may hear what that one does.
  mutating func settle(_ group: inout ClockComparison.Group, _ open: inout [Int]) {
    let unsteady = group.captures.filter { $0.track.pieces.count > 1 }.map(\.place)
      .sorted { (logs[$1].count, $0) < (logs[$0].count, $1) }
    var most = group.captures.count + 1 - unsteady.count
    var chosen: Int?
    for place in unsteady.prefix(Self.mostTried) where most < unsteady.count {
      let steady = unsteady.count { $0 == place || isSteady($0, by: place) }
      if steady > most { (most, chosen) = (steady, place) }
    }
    guard let chosen else { return }
    var members = Set(group.captures.map(\.place) + [group.against])
    members.remove(chosen)
    var settled = ClockComparison.Group(against: chosen, captures: [])
    var left = members.sorted() + open
    grow(&settled, &left) { _, _ in true }
    // By a clock that was set nobody can be told whom nobody else heard.
    guard members.isDisjoint(with: left) else { return }
    (group, open) = (settled, left)
  }

  private mutating func isSteady(_ place: Int, by other: Int) -> Bool {
    let pair = [place, other].sorted()
    guard fruitless <= mostFruitless, !without.contains(pair) else { return false }
    let track = tracks[pair] ?? Self.track(logs[pair[0]], logs[pair[1]])
    tracks[pair] = track
    if track.pieces.isEmpty { without.insert(pair) }
    return track.pieces.count == 1
  }

  private func track(_ place: Int, by other: Int) -> ClockTrack {
    if let known = tracks[[other, place]] { return known }
    if let known = tracks[[place, other]] { return known.reversed() }
    return Self.track(logs[other], logs[place])
  }

  private mutating func note(_ track: ClockTrack, of place: Int, by other: Int) {
    isCutShort = isCutShort || track.isCutShort
    for point in track.pieces.flatMap(\.points) {
      compared[other, default: []].append(point.first...point.last)
      compared[place, default: []].append(
        point.first.addingWithin(point.ahead)...point.last.addingWithin(point.ahead))
    }
  }

  /// Looks for the packets of the shorter one in the longer one: where it begins may be anywhere in that.
  private static func track(_ log: ArrivalLog, _ other: ArrivalLog) -> ClockTrack {
    (other.busyWhiles, other.length) < (log.busyWhiles, log.length)
      ? ClockTracking(other, log).track().reversed() : ClockTracking(log, other).track()
  }
}
