import Synchronization
import TestSupport
import Testing

@testable import Plugins

/// Filters that name an observer which is not there.
@Suite("Observers of filters", .timeLimit(.minutes(60)))
struct UnknownObserverTests {
  @Test("one that is none of the run's is told at the end, once, with those that there are")
  func unknownObservers() throws {
    let plugin = """
      on('sighting', { observer = { 'capture 0', 'capture O' } }, function(s) end)
      on('enter', { observer = 'capture O' }, function(e) end)
      on('exit', { observer = 'roof' }, function(e) end)
      """
    let captures = [HostTests.heard(0, 1000), HostTests.heard(500)]
    let lines = try HostedRun.lines([plugin], captures)
    #expect(
      lines == [
        "a: on(\"sighting\"): unknown observer 'capture O'; did you mean 'capture 0'? (told once)",
        "a: on(\"exit\"): unknown observer 'roof'; known are capture 0, capture 1 (told once)",
      ])
    let known = "on('sighting', { observer = { 'capture 0', 'capture 1' } }, function(s) end)"
    #expect(try HostedRun.lines([known], captures) == [])
  }

  @Test("where all are known beforehand it is told then, and not again at the end")
  func knownBefore() throws {
    let told = Told()
    let text = "on('sighting', { observer = 'hci1' }, function(s) end)"
    let host = try PluginHost(
      [(try PluginFile(path: "p.lua", text: Array(text.utf8)), isSite: false)]
    ) { told.add($0) }
    for _ in 0..<2 { host.tellUnknownObservers(among: ["hci0"]) }
    #expect(
      told.lines == [
        "p: on(\"sighting\"): unknown observer 'hci1'; did you mean 'hci0'? (told once)"
      ])
  }

  private final class Told: Sendable {
    private let all = Mutex<[String]>([])
    func add(_ line: String) { all.withLock { $0.append(line) } }
    var lines: [String] { all.withLock { $0 } }
  }
}
