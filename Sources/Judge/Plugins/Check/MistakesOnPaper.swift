/// What `plugin check` would say, said where a run begins with a plugin: what loads may still never do what it
/// says, and a rule that is silent for that looks like a site where all is well.
extension PluginHost {
  /// More are only counted.
  private static let mostMistakes = 5

  /// Of all plugins, in their order.
  package func tellMistakes() {
    for plugin in plugins { tellMistakes(in: plugin) }
  }

  func tellMistakes(in plugin: Plugin) {
    let file = plugin.file
    let known = PluginCheck.Known(
      regions: regionStates.declared,
      decoders: Set(plugins.flatMap(\.declared.decoders).map(\.name)))
    let kind: PluginCheck.File = plugin.role == .site ? .site : .plugin
    if plugin.isIdle { tell("\(file.path): \(PluginCheck.nothing(kind))") }
    let mistakes = PluginCheck.findings(in: file.text, kind, beside: known).filter {
      $0.kind == .error
    }
    for mistake in mistakes.prefix(Self.mostMistakes) { tell(mistake.line(file: file.path)) }
    if mistakes.count > Self.mostMistakes {
      tell(
        "\(file.path): … and \(mistakes.count - Self.mostMistakes) more mistakes; "
          + "'beacontrace plugin check' has them all")
    }
  }
}
