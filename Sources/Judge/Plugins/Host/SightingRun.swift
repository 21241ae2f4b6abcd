import Analysis
import Beacons

/// A run of sightings while it is being handled: what callbacks of Lua look into, who know a place
/// only.
@safe struct SightingRun {
  // The memory is the run's: it stays as it is until the call that handed it over returns, and nobody
  // has this any longer.
  private let briefs: UnsafeBufferPointer<BriefSighting>
  private let wholes: UnsafeBufferPointer<Sighting>
  let capture: UInt32
  /// Of custom beacons: what `extra` of their whole sightings counts in, from 1.
  private let fields: [CustomFields]

  /// - Parameters: as of `Judge.take`; not to be used when that has returned.
  @unsafe init(
    _ briefs: UnsafeBufferPointer<BriefSighting>, _ wholes: UnsafeBufferPointer<Sighting>,
    capture: UInt32, _ fields: [CustomFields]
  ) {
    unsafe self.briefs = briefs
    unsafe self.wholes = wholes
    self.capture = capture
    self.fields = fields
  }

  /// Nil for what is no place of the run, or was not handed on whole.
  func judged(_ place: Int) -> JudgedSighting? {
    guard unsafe briefs.indices.contains(place) else { return nil }
    let brief = unsafe briefs[place]
    guard brief.whole > 0, unsafe Int(brief.whole) <= wholes.count else { return nil }
    let whole = unsafe wholes[Int(brief.whole) - 1]
    return JudgedSighting(
      brief: brief, whole: whole, capture: capture,
      fields: whole.kind == .custom ? whole.customFields(fields) : [])
  }
}
