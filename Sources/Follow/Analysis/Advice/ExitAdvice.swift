package import CaptureReader
package import Regions

/// What exit periods cost and gain: the exits that each of them makes of one recording, as the same state
/// machine decides them that decides all others.
///
/// An exit looks false where the region was entered again soon behind it and the observer could hear
/// meanwhile. Whether somebody did leave for so long, no recording says.
package struct ExitAdvice: Sendable {
  /// What one exit period came to.
  package struct Row: Sendable {
    /// Nanoseconds.
    package let period: Int64
    /// How late a true exit is told at most: where exits are tested at the ends of cycles, later than P.
    package let toldAfter: Int64
    package var exits = 0
    /// As the exits are graded.
    package var gone = 0
    package var thin = 0
    package var gradedDeaf = 0
    /// Each exit is one of these: the observer could not hear; entered again soon; not entered again soon;
    /// the recording ended too early to say.
    package var deaf = 0
    package var looksFalse = 0
    package var stayedAway = 0
    package var notKnown = 0
    /// Whether the recording can say anything about the period: an exit was none of deafness, or the region was
    /// inside, and the observer heard without a break, for several times as long.
    package var isTested = false
  }

  /// A region at an observer.
  package struct Place: Sendable {
    package let region: Int
    package let observer: Int
    /// The exit period that holds now, nanoseconds.
    package let present: Int64
    /// Where the profile scans in windows with pauses between them: how long each is, and from one to the next,
    /// nanoseconds; nil: all the time.
    package internal(set) var windows: (length: Int64, interval: Int64)?
    /// For how long the region was heard to be inside while the observer could hear, nanoseconds; and how long
    /// that is without the time that its radio listened elsewhere, or not at all, between the windows of its scans.
    package internal(set) var inside: Int64 = 0
    package internal(set) var listened: Int64 = 0
    package internal(set) var sightings = 0
    /// By period.
    package internal(set) var rows: [Row] = []
    /// The shortest of the tested periods with no exit that looks false, and the one from which on no longer one
    /// has any either; nil: there is none.
    package internal(set) var shortest: Int64?
    package internal(set) var steady: Int64?
    /// The shortest of all between the one before `shortest` and it; nil where that cannot be said.
    package internal(set) var exact: Int64?
    /// Most heard first.
    package internal(set) var beacons: [Beacon] = []

    /// How many such exits a day there may be although there was none: nineteen times of twenty there are
    /// fewer (the rule of three); nil where nothing was heard.
    package var mostPerDay: Double? { inside > 0 ? 3 * 86_400e9 / Double(inside) : nil }

    /// How long the profile does not scan between two windows: an entry is told so much later, nanoseconds.
    var rest: Int64 { windows.map { $0.interval.since($0.length) } ?? 0 }

    /// Which part of that time its radio listened, 0…1; nil: all of it.
    package var share: Double? {
      let share = inside > 0 ? Double(listened) / Double(inside) : 1
      return share < 0.99 ? share : nil
    }
  }

  /// A beacon of a region.
  package struct Beacon: Sendable {
    package let transmitter: Int
    package let sightings: Int
    package let pace: BeaconPace?
    /// Why there is none.
    package let untold: BeaconPace.Untold?
    /// Whether silences may be of other times than those that the pace was learnt from.
    package let isOfPart: Bool
    /// Why its address' counter of frames is not used, where it has one.
    package let countFault: BeaconPace.CountFault?
    /// While the observer could hear, nanoseconds.
    package let longest: Int64
    /// When it was heard last, and for how long the observer could hear from there to its end, or to that of the
    /// part of the time that counts, nanoseconds.
    package let last: Timestamp
    package let silentAtEnd: Int64
    /// By period: silences that were longer and ended within the time in which exits look false.
    package let silences: [Int]
  }

  package let profile: Profile
  /// Nanoseconds, ascending.
  package let periods: [Int64]
  package let returned: Int64
  /// Observers whose controller left out what was repeated, at times at least, by the run's number: their exits
  /// are the filter's.
  package let filtering: [Int]
  /// By region, then by observer; those where something was heard.
  package internal(set) var places: [Place] = []

  /// So many reports of others are to be expected in a time in which nobody was heard, or it says nothing
  /// about the radio: without them is a chance of one in twenty.
  static let enoughOthers = 3.0
  /// A silence that is to be expected so often or less in the recording is not its beacons' own.
  static let chance = 0.05
  /// So much may be lost for a moment of who is heard well.
  static let leastLoss = 0.2
  /// A time tests a period that is so many times as long.
  static let test: Int64 = 5
}

extension FollowSettings {
  /// Follows by several exit periods at once: the first profile is that which holds now.
  /// - Parameters:
  ///   - periods: nanoseconds above 0; those that hold now are added.
  ///   - returned: within which an entry takes an exit back, nanoseconds.
  /// - Returns: the exit period that holds now, of each region.
  package mutating func advise(_ periods: [Int64], returned: Int64, limits: TimeLimits?) -> [Int64]
  {
    let main = profiles[0]
    var present: [Int64] = []
    var plain = RegionList()
    for region in regions.regions {
      present.append(((try? main.with(region.overrides)) ?? main).exitAfter)
      var region = region
      region.overrides.removeAll { $0.name == "exit_after" }
      plain.add(region)
    }
    warnings += regions.warnings
    plain.found = regions.found
    regions = plain
    silences = SilenceSettings(
      periods: periods + [main.exitAfter] + present, returned: returned, present: main.exitAfter,
      limits: limits)
    profiles = [main]
    for period in silences?.periods ?? [] where period != main.exitAfter {
      var other = main
      other.exitAfter = period
      profiles.append(other)
    }
    ranges = false
    return present
  }
}
