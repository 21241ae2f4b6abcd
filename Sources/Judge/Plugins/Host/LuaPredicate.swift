import CaptureReader
import Analysis
import CLuaGuard
import Regions

/// `contains` of a region: what a plugin decides, sighting by sighting.
///
/// Unchecked: it is asked on the queue that follows the run, which its plugin belongs to.
final class LuaPredicate: RegionPredicate, @unchecked Sendable {
  private let plugin: Plugin
  private let function: LuaFunction
  private let region: String

  init(_ plugin: Plugin, _ function: LuaFunction, region: String) {
    self.plugin = plugin
    self.function = function
    self.region = region
  }

  var text: String { "lua:\(plugin.file.name)" }

  func matches(_ candidate: RegionCandidate) -> Bool {
    guard case .considered(let judged) = plugin.moment.handling else { return false }
    return plugin.call(
      function,
      SightingValues.handle(
        judged.whole, transmitter: candidate.transmitter,
        clock: plugin.moment.now.nanoseconds)
    ) {
      let capture = plugin.moment.view.map { " of \($0.captures[Int(judged.capture)])" } ?? ""
      return "contains of region '\(region)', frame \(candidate.frame)\(capture)"
    }
  }
}
