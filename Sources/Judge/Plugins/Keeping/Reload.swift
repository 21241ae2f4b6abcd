package import Analysis
import CaptureReader
import TrackReader

/// What became of another text of a plugin.
package enum ReloadOutcome: Sendable, Equatable {
  /// It has taken the place of the one before. The sentences say what of it comes into force later,
  /// and what of `state` was left behind; they have been told.
  case replaced(Alert.Rule, notes: [String])
  /// The one before goes on; the sentence says why, and has been told.
  case refused(String)
}

/// Other texts for plugins while a run goes on. To be called where `Judge` is: on the queue that
/// follows the run, between two of those calls, or before and after the run.
///
/// A text is loaded beside the one that runs, with the same options, and with what `state` holds
/// already in its `state`. Where that works it takes the other's place: its handlers, its timers from
/// now on, its `contains` for the regions of the run; `start` is told to it before anything else. What
/// was told under `once_per` and `at_most` stays told, and what went wrong stays counted; a plugin
/// that was switched off is on again. Regions, messages, markers and decoders stay those of the start.
extension PluginHost {
  /// Puts a text in the place of the plugin of the same name.
  @discardableResult
  package func reload(_ file: PluginFile) -> ReloadOutcome {
    guard let place = plugins.firstIndex(where: { $0.file.name == file.name }) else {
      return refuse(
        file.name,
        UnknownWord.sentence("plugin", file.name, among: plugins.map(\.file.name)))
    }
    let handling = moment.handling
    defer { moment.handling = handling }
    moment.handling = .nothing
    let old = plugins[place]
    let plugin = Plugin(file, replacing: old)
    do throws(PluginProblem) {
      let left = try fill(plugin, from: old)
      refused[file.name] = nil
      let notes = LeftOut.lines(left) + replace(place, by: plugin)
      let version = plugin.rule.version.isEmpty ? "" : "version \(plugin.rule.version), "
      tell("\(file.name): replaced by \(version)SHA-256 \(file.sha256.prefix(16))…")
      for note in notes { tell("\(file.name): \(note)") }
      tellMistakes(in: plugin)
      tellDeadHandlers(of: plugin)
      return .replaced(plugin.rule, notes: notes)
    } catch {
      // Rules of regions hold the plugin that holds them.
      plugin.declared.regions = []
      refused[file.name] = (
        TextPrint(text: file.sha256, modules: plugin.modules), error.description
      )
      return refuse(file.name, error.description)
    }
  }

  /// Loads a text with the state of another one.
  /// - Returns: what of that was left out.
  private func fill(_ plugin: Plugin, from old: Plugin) throws(PluginProblem) -> [String] {
    // An editor that is writing has emptied the file.
    guard plugin.file.text.contains(where: { $0 > 0x20 }) else {
      throw PluginProblem("\(plugin.file.path): the file is empty")
    }
    let kept: KeptState
    do throws(LuaProblem) {
      kept = try old.keptState()
    } catch {
      throw PluginProblem("state cannot be carried over: \(Plugin.sentence(error, in: old))")
    }
    try plugin.load(with: kept.table)
    return kept.leftOut + kept.changed
  }

  private func refuse(_ name: String, _ why: String) -> ReloadOutcome {
    let sentence = "\(name): not replaced, the text before goes on: \(why)"
    tell(sentence)
    return .refused(sentence)
  }

  /// Reads the files of all plugins and of their modules, and reloads those that are others than
  /// before. What was refused is not tried again before it has changed.
  /// - Parameter revives: those that were switched off, too, though their text is the same.
  /// - Returns: what became of those that have changed, in the order of the plugins.
  @discardableResult
  package func reloadChanged(revives: Bool = false) -> [(name: String, outcome: ReloadOutcome)] {
    var outcomes: [(name: String, outcome: ReloadOutcome)] = []
    for plugin in plugins {
      let name = plugin.file.name
      let running = TextPrint(text: plugin.file.sha256, modules: plugin.modules)
      let isRevived = revives && !plugin.isOn
      if !isRevived, TextPrint.onDisk(plugin.file.path, modules: running.modules.keys) == running {
        refused[name] = nil
        continue
      }
      if let before = refused[name],
        TextPrint.onDisk(plugin.file.path, modules: before.print.modules.keys) == before.print
      {
        continue
      }
      do throws(TextProblem) {
        outcomes.append((name, reload(try PluginFile.read(plugin.file.path))))
      } catch {
        refused[name] = (TextPrint(text: error.description, modules: [:]), error.description)
        outcomes.append((name, refuse(name, error.description)))
      }
    }
    return outcomes
  }
}

/// Sentences about what of `state` is not kept.
enum LeftOut {
  /// More are only counted.
  private static let most = 20

  static func lines(_ sentences: [String]) -> [String] {
    guard sentences.count > most else { return sentences }
    return sentences.prefix(most) + ["… and \(sentences.count - most) more of that kind in state"]
  }
}
