import Regions

/// Handlers that are written and not registered, and what they return in vain.
extension PluginChecker {
  /// How one is registered: `enter` stands for any event.
  static func registration(_ event: String = "enter") -> String {
    let given = Reference.event(event)?.isSighting == true ? "s" : "e"
    return "a handler is registered: on(\"\(event)\", function(\(given)) … end)"
  }

  /// The event that `on_enter`, `onEnter` or `enter` is meant for; `enter` for another one that begins so. Nil
  /// where the name is none of a handler.
  private static func eventMeant(by name: String) -> String? {
    func plain(_ text: some StringProtocol) -> String { text.lowercased().filter { $0 != "_" } }
    let isHandler = name.prefixMatch(of: /[oO]n(?:_|[A-Z])/) != nil
    let word = plain(isHandler ? name.dropFirst(2) : name[...])
    return Reference.events.map(\.name).first { plain($0) == word } ?? (isHandler ? "enter" : nil)
  }

  /// Whether a global function is one that somebody thinks is called by its name.
  /// - Returns: the advice.
  func unregistered(_ name: String) -> String? {
    guard file == .plugin, let event = Self.eventMeant(by: name) else { return nil }
    let isUsed = program.expressions.indices.contains { number in
      switch program.kind(number) {
      case .global(name, _): !targets.contains(number)
      // Through these it may be called by any name.
      case .global("_G", _), .global("_ENV", _): true
      default: false
      }
    }
    // What a module has is for others to call.
    if isUsed || program.returns.contains(where: { $0.function == 0 }) { return nil }
    return "nobody calls '\(name)'; \(Self.registration(event))"
  }

  /// The same of local functions, which other names are no reason to look at.
  mutating func checkUnregistered() {
    guard file == .plugin else { return }
    for variable in program.variables where variable.reads <= 0 {
      switch variable.origin {
      case .function: break
      case .local(let value?):
        guard case .function = program.kind(value) else { continue }
      default: continue
      }
      guard let event = Self.eventMeant(by: variable.name) else { continue }
      remark("nobody calls '\(variable.name)'; \(Self.registration(event))", at: variable.place)
    }
  }

  /// `return { title = "in" }` in a handler: nobody takes it.
  mutating func checkReturnedAlerts() {
    for (function, value) in program.returns {
      guard roles.calls[function] == nil, !roles.calledOtherwise.contains(function),
        let items = program.items(value), program.item("title", of: items) != nil,
        (roles.roles[function] ?? []).contains(where: Self.isTeller)
      else { continue }
      error(
        "what a handler returns is not told; write alert { title = … } in the place of return { title = … }",
        at: place(value))
    }
  }

  private static func isTeller(_ role: FunctionRoles.Role) -> Bool {
    switch role {
    case .handler, .timer: true
    default: false
    }
  }
}

extension PluginCheck {
  /// Of a file of which nothing comes, whatever is heard.
  package static func nothing(_ file: File) -> String {
    file == .site
      ? "this file does nothing: it declares nothing"
      : "this file does nothing: it has no handler, no timer, and declares nothing; "
        + PluginChecker.registration()
  }
}
