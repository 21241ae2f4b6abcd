package import CaptureReader
package import TrackReader

/// What happened at a circle.
package struct CircleEvent: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// In the order in which events of one instant come: exits before enters (SEMANTICS 2.4).
    case exit, state, enter
  }
  package let kind: Kind
  /// Index into the circles, in the order of their definition.
  package let circle: Int
  /// Whether the state is inside from here.
  package let isInside: Bool
  /// When it was decided: for a crossing, the end of the dwell behind the cushion.
  package let time: Timestamp
  /// When the boundary itself was crossed; none for `state`, and where the position was not known
  /// then.
  package let crossedAt: Timestamp
  /// The fixes around the crossing (where it was in a stretch without position: those before and
  /// after it) and around the decision, in the order of time, each once.
  package let evidence: [FixPlace]
  /// The same fixes as they were read, each once: one line of a track may hold many.
  package let fixes: [Fix]

  package init(
    kind: Kind, circle: Int, isInside: Bool, time: Timestamp, crossedAt: Timestamp,
    evidence: [FixPlace], fixes: [Fix] = []
  ) {
    self.kind = kind
    self.circle = circle
    self.isInside = isInside
    self.time = time
    self.crossedAt = crossedAt
    self.evidence = evidence
    self.fixes = fixes
  }

  /// In the order of time; at one instant as `Kind` and the definition say.
  func precedes(_ other: CircleEvent) -> Bool {
    (time.nanoseconds, kind.rawValue, circle)
      < (other.time.nanoseconds, other.kind.rawValue, other.circle)
  }
}

/// A time in which the position was not known.
package struct UnknownStretch: Sendable, Equatable {
  package let from: Timestamp
  package let until: Timestamp
}

/// A radius that was reduced to what the profile allows [Apple].
package struct CircleWarning: Sendable, Equatable {
  /// One sentence.
  package let description: String

  /// Nil where nothing was reduced.
  init?(_ circle: CircularRegion, _ used: Double) {
    guard used < circle.radius else { return nil }
    description =
      "circle \"\(circle.identifier)\": a radius of \(circle.radius) m is more than can "
      + "be monitored; \(used) m are."
  }
}

/// How near the positions of a way came to a circle, entered or not.
package struct CircleApproach: Sendable, Equatable {
  /// From its boundary to the nearest fix; negative inside.
  package let metres: Double
  /// Nanoseconds that the way lay inside its boundary, the longest time at a time; nil where it never did.
  package let longestInside: Int64?
  /// The one that came nearest to its centre.
  package let nearestFix: Fix
}
