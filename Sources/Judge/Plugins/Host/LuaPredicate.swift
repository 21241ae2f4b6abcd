import CaptureReader
import Analysis
import CLuaGuard
import Regions

/// `contains` of a region: what a plugin decides, sighting by sighting.
///
/// Unchecked: it is asked on the queue that follows the run, which its plugin belongs to.
final class LuaPredicate: RegionPredicate, @unchecked Sendable {
  private(set) var plugin: Plugin
  private var function: LuaFunction
  let region: String

  init(_ plugin: Plugin, _ function: LuaFunction, region: String) {
    self.plugin = plugin
    self.function = function
    self.region = region
  }

  /// The rule that another text has for the region is asked from now on.
  func become(_ other: LuaPredicate) {
    plugin = other.plugin
    function = other.function
  }

  var text: String { "lua:\(plugin.file.name)" }

  func matches(_ candidate: RegionCandidate) throws(RegionRuleFailure) -> Bool {
    guard case .considered(let judged) = plugin.moment.handling else { return false }
    plugin.isAskedForRegion = true
    defer { plugin.isAskedForRegion = false }
    plugin.wasCalled = true
    let answer = plugin.answer(
      function,
      SightingValues.handle(
        judged.whole, transmitter: candidate.transmitter,
        clock: plugin.moment.now.nanoseconds)
    ) {
      let capture = plugin.moment.view.map { " of \($0.captures[Int(judged.capture)])" } ?? ""
      return "contains of region '\(region)', frame \(candidate.frame)\(capture)"
    }
    guard let answer else { throw RegionRuleFailure() }
    return answer
  }
}
