package import FrameDecoder

/// Names of observers: the capture's file name without its endings, and behind a slash the
/// controller (`hci0`) or the interface where the capture names one. Two captures of one name are
/// told apart by their place: `site`, `site#2`.
package struct ObserverNames {
  private var used: Set<String> = []

  package init() {}

  /// The name that a capture's observers begin with; each call is another capture.
  package mutating func stem(of capture: String) -> String {
    var name = capture == "-" ? "stdin" : Self.lastComponent(capture)
    for ending in [".gz", ".zst", ".btsnoop", ".pcapng", ".pcap", ".pklg", ".log", ".cfa", ".txt"]
    where name.count > ending.count && name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    var stem = name
    var count = 1
    while !used.insert(stem).inserted {
      count += 1
      stem = "\(name)#\(count)"
    }
    return stem
  }

  private static func lastComponent(_ path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.last.map(String.init) ?? path
  }

  /// Name of one observer of a capture, as it stands in the file: output makes it harmless.
  package static func name(_ observer: Observer, stem: String, interfaceNames: [String?]) -> String
  {
    switch observer.adapter {
    case Observer.noAdapter:
      let interface = Int(observer.interface)
      if interface < interfaceNames.count, let name = interfaceNames[interface], !name.isEmpty {
        // `bluetooth0`, live.
        return name == stem ? stem : "\(stem)/\(name)"
      }
      return interfaceNames.count > 1 ? "\(stem)/\(interface)" : stem
    case Observer.systemAdapter: return "\(stem)/system"
    default: return "\(stem)/hci\(observer.adapter)"
    }
  }
}
