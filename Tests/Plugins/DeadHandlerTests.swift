import Synchronization
import TestSupport
import Testing

@testable import Plugins

/// Handlers and timers that nothing can call.
@Suite("Handlers that are never called", .timeLimit(.minutes(60)))
struct DeadHandlerTests {
  private static func told(_ text: String, _ names: RunNames) throws -> [String] {
    let told = Mutex<[String]>([])
    let file = try PluginFile(path: "p.lua", text: Array(text.utf8))
    let host = try PluginHost([(file, isSite: false)]) { line in told.withLock { $0.append(line) } }
    host.tellDeadHandlers(names)
    return told.withLock { $0 }
  }

  private static let none = RunNames(devices: [], keys: [], hasPositions: false)
  private static let some = RunNames(devices: ["phone"], keys: ["shelf"], hasPositions: true)

  @Test("are told before the run, each once")
  func told() throws {
    let plugin = """
      region 'quiet' { ibeacon = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', notify_on_entry = false }
      on('position', function(e) end)
      on('sighting', { device = 'phnoe' }, function(s) end)
      on('sighting', { device = { 'phone', 'phnoe' } }, function(s) end)
      on('sighting', { key = 'shelf' }, function(s) end)
      on('enter', 'quiet', function(e) end)
      on('exit', 'quiet', function(e) end)
      """
    #expect(
      try Self.told(plugin, Self.none) == [
        "p: on(\"position\"): positions are told only with --positions, and a --track; it is never called",
        "p: on(\"sighting\"): there is no device 'phnoe'; this run has none at all (--device or --keys)",
        "p: on(\"sighting\"): there is no device 'phone'; this run has none at all (--device or --keys)",
        "p: on(\"sighting\"): there is no key 'shelf'; this run has none at all (--keys)",
        "p: on(\"enter\"): region 'quiet' has notify_on_entry = false; it is never called for it",
      ])
    #expect(
      try Self.told(plugin, Self.some) == [
        "p: on(\"sighting\"): unknown device 'phnoe'; did you mean 'phone'?",
        "p: on(\"enter\"): region 'quiet' has notify_on_entry = false; it is never called for it",
      ])
  }

  @Test("a timer that is made in finish is told, once")
  func late() throws {
    let lines = try HostedRun.lines(
      [
        """
        local function wait() after(1, function() print('late') end) every(1, print) end
        on('start', function() after(1, function() print('due') end) end)
        on('finish', wait)
        """
      ], [HostTests.heard(0, 2000)])
    #expect(
      lines == ["a: due", "a: after in finish: the run is over, so it is never called (told once)"])
  }
}
