/// What a file beside the captures is in a run; cases call it so.
enum SideRole: String {
  case track, plugin, site, regions, keys, messages, markers, module

  /// As a sentence calls it.
  var words: String {
    switch self {
    case .track: "track"
    case .plugin: "plugin"
    case .site: "site file"
    case .regions: "file of regions"
    case .keys: "file of keys"
    case .messages: "file of messages"
    case .markers: "file of markers"
    case .module: "plugins' module"
    }
  }
}

/// Where files beside the captures are that are not where they were named: they are read there, and keep the
/// name that they have in the case.
struct SidePlaces {
  private var paths: [SideRole: [String: String]] = [:]
  /// What the case calls those that it has.
  var modules: Set<String> = []

  /// Nil of what is where it was named.
  subscript(role: SideRole, name: String) -> String? {
    get { paths[role]?[name] }
    set { paths[role, default: [:]][name] = newValue }
  }

  func path(_ name: String, _ role: SideRole) -> String { self[role, name] ?? name }

  /// What the case calls a module that lies beside a plugin which is somewhere else now; nil where none is.
  func named(module path: String) -> String? {
    let folders = [SideRole.plugin, .site].flatMap { paths[$0] ?? [:] }
      .map { (now: Self.folder($0.value), then: Self.folder($0.key)) }
      .filter { Self.folder(path) == $0.now }
    // Plugins of several folders may lie in one now, beside one that is where it was.
    let names = folders.map { $0.then + path.dropFirst($0.now.count) }.sorted()
    guard let first = names.first else { return nil }
    return (names + [path]).first { modules.contains($0) } ?? first
  }

  /// With its last slash; nothing of a name alone.
  static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
