package import CaptureReader
package import Regions

/// What a board of a live run shows, at one moment.
package struct LiveBoard: Sendable {
  /// What holds in a region, at an observer.
  package struct Standing: Sendable {
    package let region: String
    /// Empty where there is only one.
    package let observer: String
    /// Nil: nothing was told of it yet.
    package let presence: RegionPresence?
    /// When that was told.
    package let since: Timestamp
    /// Of an exit: whether it is known to be one.
    package let grade: String

    package init(
      region: String, observer: String, presence: RegionPresence?, since: Timestamp, grade: String
    ) {
      self.region = region
      self.observer = observer
      self.presence = presence
      self.since = since
      self.grade = grade
    }
  }

  /// A line that the run told: an event, or something of the run itself.
  package struct Happening: Sendable {
    package let text: String
    /// It came within the last second.
    package let isNew: Bool
    /// It is of the run itself: no filter hides it.
    package let isNotice: Bool

    package init(_ text: String, isNew: Bool, isNotice: Bool = false) {
      self.text = text
      self.isNew = isNew
      self.isNotice = isNotice
    }
  }

  package var status = LiveStatus()
  /// How far the run has come.
  package var now = Timestamp.none
  /// Times in which the radio did not listen; one that goes on has no end yet, which is the last moment there
  /// is.
  package var deaf: [(from: Timestamp, to: Timestamp)] = []
  package var beacons: [BeaconTrace] = []
  /// Sightings of beacons that found no room among them.
  package var notTraced = 0
  package var regions: [Standing] = []
  /// In the order in which it was told.
  package var happenings: [Happening] = []
  /// The latest alert in a line; empty: there was none.
  package var lastAlert = ""

  package init() {}
}
