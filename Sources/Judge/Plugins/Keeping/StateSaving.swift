import CaptureReader

/// What is to be saved, as it was last known.
struct StateSaving {
  var states: SavedStates
  /// Of the last time: what could not be saved.
  var leftOut = 0
  /// Of the last time: why what a plugin keeps is not in it at all, a clause; that of before is.
  var problem: String?
  /// What has been told of that; not again.
  private var told: Set<String> = []
  private static let mostTold = 1000

  init(_ states: SavedStates) { self.states = states }

  /// - Returns: whether it is new.
  mutating func isNew(_ sentence: String) -> Bool {
    told.count < Self.mostTold && told.insert(sentence).inserted
  }
}

extension PluginHost {
  /// What plugins want to be saved, as text for `SavedStates(reading:name:)`; the same bytes for the
  /// same values. What plugins that do not run now saved earlier is in it, too. To be called where
  /// `Judge` is: on the queue that follows the run, between two of those calls, or after the run.
  ///
  /// What cannot be saved is told once, and counted in `notSaved`. Where a plugin's `state` cannot be
  /// taken out at all, what it saved before stays.
  package func savedState() -> [UInt8] {
    saving.leftOut = 0
    saving.problem = nil
    for plugin in plugins { save(plugin) }
    return saving.states.text
  }

  /// How many values could not be saved the last time.
  package var notSaved: Int { saving.leftOut }

  /// Why all of what a plugin keeps could not be, the last time, a clause.
  package var savingProblem: String? { saving.problem }

  private func save(_ plugin: Plugin) {
    let name = plugin.file.name
    saving.states.gates[name] = plugin.record.gate.saved(at: plugin.now.nanoseconds)
    guard !plugin.savedKeys.isEmpty else {
      saving.states.tables[name] = nil
      return
    }
    do throws(LuaProblem) {
      let kept = try plugin.keptState(plugin.savedKeys)
      saving.states.tables[name] = kept.table.pairs.isEmpty ? nil : kept.table
      saving.leftOut += kept.leftOut.count
      for line in LeftOut.lines(kept.leftOut) { note("\(name): not saved: \(line)") }
      for line in LeftOut.lines(kept.changed) { note("\(name): saved, but not as it is: \(line)") }
    } catch {
      saving.leftOut += 1
      let sentence = "\(name): state cannot be saved: \(Plugin.sentence(error, in: plugin))"
      if saving.problem == nil { saving.problem = sentence }
      note(sentence)
    }
  }

  private func note(_ sentence: String) {
    if saving.isNew(sentence) { tell(sentence) }
  }
}
