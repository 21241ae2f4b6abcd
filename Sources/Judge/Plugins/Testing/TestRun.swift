import Analysis
import CaptureReader
import Regions
import TrackReader

/// One test under way: ordinary runs of the plugin over the test's input.
struct TestRun {
  let file: PluginTestFile
  let test: PluginTest
  private let told = LineBox()
  private let printed = LineBox()

  init(_ file: PluginTestFile, _ test: PluginTest) {
    self.file = file
    self.test = test
  }

  func outcome() -> TestOutcome {
    do {
      return try outcome(runs())
    } catch let problem as PluginProblem {
      return unfit(problem.description)
    } catch let problem as TextProblem {
      return unfit(problem.description)
    } catch let problem as SettingProblem {
      return unfit(problem.description)
    } catch {
      return unfit("\(error)")
    }
  }

  private func unfit(_ sentence: String) -> TestOutcome {
    TestOutcome(lines: ["it cannot be run: \(sentence)"], isUnfit: true)
  }

  /// A run of the program, ended.
  private struct Run {
    let result: AnalysisResult
    let host: PluginHost
    let sources: [CaptureSource]

    var timeline: Timeline { result.timeline ?? Timeline() }
  }

  /// One, unless the test restarts the program: each goes on with what the one before left.
  private func runs() throws -> [Run] {
    var runs: [Run] = []
    var before: TestMemory?
    for sources in sources {
      let host = try host(before?.plugins() ?? SavedStates())
      let memory = TestMemory(host)
      var settings = try settings(host)
      if settings.messages.isEmpty { try host.checkMessages() }
      (settings.restored, settings.keeper) = (before?.run, memory)
      // Captures of one radio, one behind the other.
      for case (let place, let observer?) in sources.map(\.observer).enumerated() {
        settings.observerNames[place] = observer
      }
      let sources = sources.map(\.source)
      runs.append(Run(result: try result(sources, settings), host: host, sources: sources))
      before = memory
    }
    return runs
  }

  /// By run; of what is written by hand with the name of the radio.
  private var sources: [[(source: CaptureSource, observer: String?)]] {
    switch test.input {
    case .sightings(let sightings):
      TestCapture.recordings(sightings).map { captures in
        captures.map { (.bytes($0.bytes, name: $0.name), $0.observer) }
      }
    case .captures(let paths): [paths.map { (.file($0), nil) }]
    }
  }

  private func host(_ saved: SavedStates) throws -> PluginHost {
    var files = [(file: file.plugin, isSite: false)]
    if let site = test.site { files.insert((try PluginFile.read(site), true), at: 0) }
    let (told, printed) = (told, printed)
    let host = try PluginHost(
      files, settings: test.options.isEmpty ? [:] : [file.plugin.name: test.options],
      regions: test.regions, keys: TestKeys.names(test) + TestKeys.devices(test), saved: saved,
      tell: { told.add($0) },
      printed: { printed.add($0) })
    // As a run would: what waits for a region that is not there holds whatever is expected to be silent.
    do throws(PluginProblem) {
      try host.checkNames()
    } catch {
      throw PluginProblem("\(error.description) (in a test: with regions = { … } or site = …)")
    }
    return host
  }

  private func result(
    _ sources: [CaptureSource], _ settings: FollowSettings
  ) throws -> AnalysisResult {
    var options = Analysis.Options()
    // All on this thread: what a decoder and a rule print comes in the same order each time.
    options.readsAhead = false
    options.follow = settings
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    if let problem = result.problems.first {
      throw PluginProblem("\(problem.capture): \(problem.detail)")
    }
    return result
  }

  private func settings(_ host: PluginHost) throws(SettingProblem) -> FollowSettings {
    let declared = host.declarations
    var settings = FollowSettings()
    settings.profiles = [test.profile]
    settings.regions = RegionList(declared.flatMap(\.regions) + test.regions)
    settings.messages = declared.flatMap(\.messages)
    settings.subscriptions = declared.flatMap(\.subscriptions)
    settings.displayMarkers = declared.flatMap(\.markers).filter { $0.kind == Plugin.display }
      .map(\.time)
    settings.judge = host
    settings.custom = host.decoders
    settings.keys = try TestKeys.ring(test)
    try settings.check()
    return settings
  }

  // MARK: Judging

  private func outcome(_ runs: [Run]) throws -> TestOutcome {
    var outcome = TestOutcome()
    let start = start(runs[0].result)
    let told = try runs.flatMap { try alerts($0, start: start) }
    outcome.lines += TestDifference.lines(expected: test.alerts, told: told, start: start)
    if let lines = test.lines {
      outcome.lines += TestDifference.lines(expected: lines, printed: printed.lines)
    }
    outcome.lines += failures(runs)
    if test.errors == 0, runs.allSatisfy({ $0.timeline.judges.allSatisfy { $0.errorCount == 0 } }) {
      outcome.remarks = self.told.lines
    }
    outcome.callsNothing = !runs.contains { callsAny($0.host) }
    if let finish = test.finish { outcome.lines += end(finish, runs[runs.count - 1].host) }
    // What it printed is how a rule is looked into; where it is compared it has been shown.
    if !outcome.lines.isEmpty, test.lines == nil, !printed.lines.isEmpty {
      outcome.lines.append("the plugin printed:")
      outcome.lines += printed.lines.prefix(Self.mostPrinted).map { "  \($0)" }
      let more = printed.lines.count - Self.mostPrinted
      if more > 0 { outcome.lines.append("  … and \(more) more") }
    }
    return outcome
  }

  /// The alerts of a run. Frames are looked for where the test asks for them.
  private func alerts(_ run: Run, start: Timestamp) throws -> [ToldAlert] {
    let alerts = run.timeline.events.compactMap { event in
      event.alert.map { run.timeline.alerts[$0] }
    }
    let asks = test.alerts.contains { $0.evidence != nil }
    let cited = try CitedTimes(of: asks ? alerts : [], in: run.sources)
    return alerts.map {
      ToldAlert($0, run.timeline, cited: cited.times($0), start: start)
    }
  }

  private static let mostPrinted = 20

  /// Times in tests count from here.
  private func start(_ result: AnalysisResult) -> Timestamp {
    if case .sightings = test.input { return TestCapture.start }
    let first = result.captures.map(\.span.earliest).filter(\.isKnown)
    return first.min { $0.nanoseconds < $1.nanoseconds } ?? TestCapture.start
  }

  /// Whether one of the plugin's functions was called; of one that has none there is nothing to say.
  private func callsAny(_ host: PluginHost) -> Bool {
    let own = host.plugins.filter { $0.file.name == file.plugin.name }
    let all = own + (host.decoders?.plugins.filter { $0.file.name == file.plugin.name } ?? [])
    let asks =
      all.count > own.count
      || own.contains { plugin in
        plugin.timers.count > 0
          || plugin.handlers.contains { $0.event != .start && $0.event != .finish }
      }
    return !asks || all.contains(where: \.wasCalled)
  }

  private func failures(_ runs: [Run]) -> [String] {
    let count = runs.flatMap(\.timeline.judges).reduce(0) { $0 + $1.errorCount }
    guard count != test.errors else { return [] }
    return ["calls that failed: \(test.errors) expected, \(count) did"]
      + told.lines.prefix(20).map { "  \($0)" }
  }

  private func end(_ finish: LuaFunction, _ host: PluginHost) -> [String] {
    let plugin = host.plugins.first { $0.file.name == file.plugin.name }
    guard let state = plugin?.state else {
      return ["finish: the plugin's state is no table that could be handed over"]
    }
    do throws(LuaProblem) {
      let answer = try file.loaded.run(finish, [.table(state)])
      return answer == .flag(false) ? ["finish: it returned false"] : []
    } catch {
      return ["finish: \(error.message)"] + error.traceback.map { "    \($0)" }
    }
  }
}

extension PluginTestFile {
  package func run(_ test: PluginTest) -> TestOutcome { TestRun(self, test).outcome() }
}
