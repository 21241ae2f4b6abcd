import Regions

/// What is looked at once a plugin's text has run.
extension Plugin {
  /// A name without its table declares nothing, and Lua does not mind.
  func checkDeclarations(_ lua: LuaState) throws(PluginProblem) {
    guard case .function(let waiting)? = try? lua.global("_waiting") else { return }
    let sentence = (try? lua.call(waiting, []))?.text
    try? lua.setGlobal("_waiting", .none)
    lua.release(waiting)
    guard let sentence else { return }
    throw PluginProblem(sentence.contains(".lua:") ? sentence : "\(file.path): \(sentence)")
  }

  /// Handlers of sightings that are known to come back soon are not watched, and those that only read
  /// are given what is read the fastest.
  func markHandlers(_ lua: LuaState) {
    guard handlers.contains(where: \.event.isSighting),
      let program = try? LuaProgram.parse(file.text)
    else { return }
    var functions = BriefFunctions(program)
    let brief = functions.lines()
    let readers = SightingReaders(program, isPlainText: functions.isPlainText).lines()
    for place in handlers.indices {
      let line = lua.line(of: handlers[place].function, in: shownName)
      handlers[place].isBrief = brief.contains(line)
      handlers[place].isReader = readers.contains(line)
    }
  }

  func checkSettings() throws(PluginProblem) {
    let known = declared.options.map(\.name) + PluginLimits.names
    for name in settings.keys.sorted() where !known.contains(name) {
      throw PluginProblem(
        "--set \(file.name).\(name): " + UnknownWord.sentence("option", name, among: known))
    }
  }
}
