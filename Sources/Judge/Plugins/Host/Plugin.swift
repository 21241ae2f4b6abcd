import Analysis
import CLuaGuard
import CaptureReader
import Regions
import TrackReader

/// One plugin: its file, its Lua state, what it declared, and whom it wants called when.
final class Plugin {
  enum Role: Sendable {
    /// Everything.
    case rules
    /// Declares only (`--site`).
    case site
    /// A second state of the same file, whose decoders alone are called.
    case decoding
    /// The file of a plugin's tests.
    case tests
  }

  let file: PluginFile
  let role: Role
  /// Options as the user set them, by name.
  let settings: [String: String]
  private var lua: LuaState?
  private(set) var isLoading = true
  var declared = Declarations()
  var handlers: [Handler] = []
  var timers = Timers()
  var tests: [PluginTest] = []
  /// Keys of `state` that survive a restart.
  var savedKeys: Set<[UInt8]> = []
  var errors = ErrorLedger()
  var zones = TimeZones()
  var printing = PrintBudget()
  /// One of its functions was asked since it was loaded, but for `start` and `finish`.
  var wasCalled = false
  let record: PluginRecord
  /// Modules that were asked for, by path: their SHA-256; empty where they could not be read.
  private(set) var modules: [String: String] = [:]
  /// Of its text and its modules.
  lazy var fieldNames = FieldNames(file.text)
  private var keeping: StateKeeping?
  /// What alerts cite that are given where nothing is being handled.
  var told = ToldLast()
  /// A region's `contains` is being asked.
  var isAskedForRegion = false
  let moment: Moment
  /// Where what people should read goes, a line at a time.
  let tell: @Sendable (String) -> Void
  /// Where `print` goes; nil: where everything else does, with the plugin's name before it.
  var printed: (@Sendable (String) -> Void)?
  /// Where regions are known to be.
  let regions: RegionStates

  init(
    _ file: PluginFile, _ role: Role, settings: [String: String] = [:],
    regions: RegionStates = RegionStates(), moment: Moment = Moment(),
    tell: @escaping @Sendable (String) -> Void
  ) {
    record = PluginRecord()
    self.file = file
    self.role = role
    self.settings = settings
    self.regions = regions
    self.moment = moment
    self.tell = tell
  }

  /// Another text in the place of a plugin's: not loaded yet.
  init(_ file: PluginFile, replacing old: Plugin) {
    self.file = file
    role = old.role
    settings = old.settings
    regions = old.regions
    moment = old.moment
    tell = old.tell
    printed = old.printed
    record = old.record
  }

  var rule: Alert.Rule {
    Alert.Rule(plugin: file.name, version: declared.version, sha256: file.sha256)
  }

  /// Runs the file.
  /// - Parameter state: what `state` holds from the beginning.
  /// - Throws: where Lua does not take it, or options do not fit; the whole sentence.
  func load(with state: LuaTable = LuaTable()) throws(PluginProblem) {
    var limits = PluginLimits()
    do throws(LuaMessage) {
      for (name, text) in settings.sorted(by: { $0.key < $1.key }) {
        _ = try limits.set(name, text)
      }
    } catch {
      throw PluginProblem("\(file.path): \(error.text)")
    }
    // The first digits of the file's digest: random numbers repeat as long as the file is the same.
    let seed = UInt64(file.sha256.prefix(16), radix: 16) ?? 0
    lua = LuaState(
      limits.guarded(seed: seed), functions: PluginFunctions.all.map(\.name),
      fields: SightingField.all, client: self)
    guard let lua else { throw PluginProblem("\(file.path): there is no memory for a Lua state") }
    do throws(LuaProblem) {
      try lua.run(Array(PluginFunctions.prelude.utf8), name: "=beacontrace")
      try lua.shapeCopies(by: "_copied")
      try lua.setGlobal("_copied", .none)
      keeping = try StateKeeping(lua, state)
      try lua.run(file.text, name: shownName)
    } catch {
      throw PluginProblem(loadingFailed(error))
    }
    isLoading = false
    try checkDeclarations(lua)
    markHandlers(lua)
    try checkSettings()
  }

  /// As Lua's messages call the file.
  var shownName: String { file.path.split(separator: "/").last.map(String.init) ?? file.path }

  // MARK: Calling

  /// The run's clock, of the sighting that is being handled where that is later.
  var now: Timestamp {
    let own: Timestamp? =
      switch moment.handling {
      case .run: lua?.currentClock
      case .timer(let due): due
      default: nil
      }
    guard let own, own.nanoseconds > moment.now.nanoseconds else { return moment.now }
    return own
  }

  /// Place of the sighting that is being handled among those of its run; -1 where there is none.
  var place: Int {
    guard case .run = moment.handling else { return -1 }
    return lua?.currentPlace ?? -1
  }

  /// The sighting that is being handled; nil where something else is.
  var sighting: JudgedSighting? {
    switch moment.handling {
    case .run(let run): lua?.currentPlace.flatMap { run.judged($0) }
    case .considered(let judged): judged
    default: nil
    }
  }

  /// Whether nothing comes of it, whatever is heard.
  var isIdle: Bool { handlers.isEmpty && timers.count == 0 && declared.isEmpty }

  /// Whether it is called at all.
  var isOn: Bool { !errors.isSwitchedOff }

  /// The run's clock, or none while the file loads.
  var clockTime: Timestamp { isLoading ? .none : now }

  func call(_ function: LuaFunction, _ values: [LuaValue], during what: () -> String) {
    guard let lua, isOn else { return }
    do throws(LuaProblem) {
      try lua.call(function, values)
      errors.succeeded(function.number)
    } catch {
      failed(error, of: function.number, during: what())
    }
  }

  /// - Returns: whether the function returned something true; nil after an error, which has been told, and
  ///   where it is not called any more.
  func answer(
    _ function: LuaFunction, _ sighting: guard_sighting, during what: () -> String
  ) -> Bool? {
    guard let lua, isOn else { return nil }
    do throws(LuaProblem) {
      let answer = try lua.call(function, sighting)
      errors.succeeded(function.number)
      return answer
    } catch {
      failed(error, of: function.number, during: what())
      return nil
    }
  }

  /// Calls functions with sightings, one after the other.
  /// - Parameter what: says which one failed, by its place among the turns.
  /// - Returns: how many are done: fewer than all where one failed, or has made a timer.
  func call(_ turns: Span<guard_turn>, during what: (Int) -> String) -> Int {
    guard let lua, isOn else { return turns.count }
    var done = 0
    do throws(LuaProblem) {
      try lua.call(turns, done: &done)
      errors.succeeded(turns.extracting(first: done))
    } catch {
      let last = max(done - 1, 0)
      errors.succeeded(turns.extracting(first: last))
      failed(error, of: turns[last].function, during: what(last), turns[last].sighting)
    }
    return isOn && done > 0 ? done : turns.count
  }

  /// A timer was made: what is behind it in time is not to come before it.
  func endTurns() {
    if case .run = moment.handling { lua?.endTurns() }
  }

  /// - Returns: what the function returned; nil after an error, which has been told.
  /// - Parameter read: makes something of the answer; one that makes no sense is a failed call.
  func ask<Answer>(
    _ function: LuaFunction, _ values: [LuaValue], during what: () -> String,
    read: (LuaValue) throws(LuaProblem) -> Answer?
  ) -> Answer? {
    guard let lua, isOn else { return nil }
    do throws(LuaProblem) {
      let answer = try read(try lua.call(function, values))
      errors.succeeded(function.number)
      return answer
    } catch {
      failed(error, of: function.number, during: what())
      return nil
    }
  }

  /// Calls a function whose error is the caller's to tell.
  @discardableResult
  func run(_ function: LuaFunction, _ values: [LuaValue]) throws(LuaProblem) -> LuaValue {
    try lua?.call(function, values) ?? .none
  }

  /// - Parameter sighting: of the run that was being handled.
  func failed(
    _ problem: LuaProblem, of function: Int32, during what: String,
    _ sighting: guard_sighting? = nil
  ) {
    let wasOn = isOn
    let time = sighting.map { Timestamp(nanoseconds: $0.clock) } ?? now
    record.errors[problem.limit, default: 0] += 1
    if let times = errors.note(problem, of: function, at: time) {
      let again = times > 1 ? " (\(times) times so far)" : ""
      let sentence = "\(Self.sentence(problem, in: self)), during \(what)"
      if record.firstError == nil { record.firstError = sentence }
      tell(sentence + again)
      if times == 1 { for line in problem.traceback { tell("    \(line)") } }
    }
    if wasOn && !isOn {
      record.lastError = "\(Self.sentence(problem, in: self)), during \(what)"
      tell(
        "\(file.name): switched off after \(ErrorLedger.mostInARow) errors in a row; "
          + "everything else goes on")
      tellSwitchedOff(at: time, because: Self.sentence(problem, in: self), sighting)
    }
  }

  /// The table `state`, or nil where the program has put something else there.
  var state: LuaTable? {
    guard let lua, case .table(let table)? = try? lua.global("state") else { return nil }
    return table
  }

  /// What `state` holds, as plain data.
  /// - Parameter keys: these alone; nil: all.
  /// - Throws: where that takes more than a call may.
  func keptState(_ keys: Set<[UInt8]>? = nil) throws(LuaProblem) -> KeptState {
    guard let lua, let keeping else { return KeptState() }
    return try keeping.take(lua, keys)
  }

  /// Seeds the random numbers with the first moment of the input, too.
  func seed(_ time: Timestamp) {
    guard let lua, case .function(let seed)? = try? lua.global("_seed") else { return }
    call(seed, [.integer(time.nanoseconds)]) { "start" }
    try? lua.setGlobal("_seed", .none)
    lua.release(seed)
  }

  func release(_ function: LuaFunction) { lua?.release(function) }

  /// `rule.lua:7`: where a function begins; without a line for one of a module.
  func place(of function: LuaFunction) -> String {
    let line = lua?.line(of: function, in: shownName) ?? 0
    return line > 0 ? "\(shownName):\(line)" : shownName
  }

  // MARK: What functions ask of it

  func needLoading(_ what: String) throws(LuaMessage) {
    guard isLoading else {
      throw LuaMessage(
        "\(what) belongs at the top of the file, not into a function that is called later")
    }
  }

  func needRules(_ what: String) throws(LuaMessage) {
    guard role != .site else {
      throw LuaMessage("\(what): a site file only declares; put rules into a plugin (--plugin)")
    }
  }

  func mark(_ marker: Marker) {
    if isLoading {
      declared.markers.append(marker)
    } else if marker.kind == Self.display {
      record.markers.append(marker.time)
    }
  }

  /// The only kind of marker that means something yet.
  static let display = "display_on"

  func cancelTimer(_ number: Int64) -> Bool {
    guard let function = timers.cancel(number) else { return false }
    release(function)
    return true
  }

  func presence(in region: String, at observer: String?) -> RegionPresence {
    regions.presence(in: region, at: observer, now: now.nanoseconds)
  }
}

extension Plugin: LuaClient {
  func call(_ function: Int, _ arguments: [LuaValue]) throws(LuaMessage) -> LuaValue {
    let function = PluginFunctions.all[function]
    if role == .tests { try function.needInTests(self) }
    return try function.call(self, arguments)
  }

  func field(_ number: Int, of sighting: guard_sighting) -> LuaValue {
    guard let judged = self.sighting, let view = moment.view else { return .none }
    let name = SightingField.names[number]
    if name == "fields" { return judged.customFields }
    return SightingValues(judged, view).value(name)
  }

  func module(_ name: String) throws(LuaMessage) -> (text: [UInt8], shown: String) {
    if let text = BuiltInModules.all[name] { return (Array(text.utf8), name) }
    if name.hasPrefix("beacontrace.") {
      throw LuaMessage(
        UnknownWord.sentence("module", name, among: BuiltInModules.all.keys.sorted()))
    }
    guard !name.isEmpty, name.utf8.allSatisfy(PluginFile.isOfName) else {
      throw LuaMessage(
        "module '\(name)': a name has letters, digits, - and _ only; modules lie beside the plugin")
    }
    let path = file.folder + name + ".lua"
    do throws(TextProblem) {
      let text = try TextFile.read(path)
      modules[path] = Digest.sha256(text)
      fieldNames.add(text)
      return (text, "\(name).lua")
    } catch {
      modules[path] = ""
      throw LuaMessage(
        "module '\(name)': \(error.detail) (\(path)); built in are "
          + BuiltInModules.all.keys.sorted().joined(separator: ", "))
    }
  }

  var clock: Int64 {
    guard now.isKnown else { return 0 }
    return Int64((Double(now.nanoseconds) / 1e9).rounded(.down))
  }
}
