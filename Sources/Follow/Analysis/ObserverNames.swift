import CaptureReader
package import FrameDecoder

/// Names of observers: the capture's file name without its endings, and behind a slash the
/// controller (`hci0`) or the interface where the capture names one. Two captures of one name are
/// told apart by their place: `site`, `site#2`.
package struct ObserverNames {
  private var used: Set<String> = []
  /// The packing first; of the others the longest, as the containers' order must not decide.
  private static let endings: [String] =
    CaptureFormats.packings.map { ".\($0)" }
    + CaptureFormats.endings.enumerated().filter(\.element.isLeftOutOfNames)
    .sorted { ($1.element.text.utf8.count, $0.offset) < ($0.element.text.utf8.count, $1.offset) }
    .map { ".\($0.element.text)" }

  package init() {}

  /// The name that a capture's observers begin with; each call is another capture.
  package mutating func stem(of capture: String) -> String {
    var name = capture == "-" ? "stdin" : Self.lastComponent(capture)
    for ending in Self.endings where name.count > ending.count && name.hasSuffix(ending) {
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

  /// Where an interface of a replay of several captures comes from.
  package struct Origin: Sendable {
    /// The capture's.
    let stem: String
    /// Names of its capture's interfaces, and which of them it is.
    let interfaceNames: [String?]
    let place: Int

    package init(stem: String, interfaceNames: [String?], place: Int) {
      self.stem = stem
      self.interfaceNames = interfaceNames
      self.place = place
    }
  }

  /// The name that an observer has in its own capture.
  package static func name(_ observer: Observer, _ origin: Origin) -> String {
    name(
      interface: origin.place, adapter: observer.adapter, stem: origin.stem,
      interfaceNames: origin.interfaceNames)
  }

  /// Name of one observer of a capture, as it stands in the file: output makes it harmless.
  package static func name(_ observer: Observer, stem: String, interfaceNames: [String?]) -> String
  {
    name(
      interface: Int(observer.interface), adapter: observer.adapter, stem: stem,
      interfaceNames: interfaceNames)
  }

  private static func name(
    interface: Int, adapter: UInt16, stem: String, interfaceNames: [String?]
  ) -> String {
    switch adapter {
    case Observer.noAdapter:
      if interface < interfaceNames.count, let name = interfaceNames[interface], !name.isEmpty {
        // `bluetooth0`, live.
        return name == stem ? stem : "\(stem)/\(name)"
      }
      return interfaceNames.count > 1 ? "\(stem)/\(interface)" : stem
    case Observer.systemAdapter: return "\(stem)/system"
    default: return "\(stem)/hci\(adapter)"
    }
  }
}
