import CaptureReader
import CaseStore
import Plugins
import TrackReader

/// The files that a run reads beside its captures, with their SHA-256: tracks first, by the order of the
/// options.
enum CaseInputFiles {
  /// - Parameters:
  ///   - host: the run's plugins, when it is over: then they know their modules.
  ///   - places: where files are that are not where they were named.
  static func rows(
    _ follow: FollowOptions, _ host: PluginHost?, _ places: SidePlaces = SidePlaces()
  ) throws -> [FileRow] {
    var rows: [FileRow] = []
    func add(_ role: SideRole, _ name: String, at path: String? = nil) throws {
      let bytes = try TextFile.read(path ?? places.path(name, role))
      rows.append(
        FileRow(
          role: role.rawValue, name: name, bytes: bytes.count, sha256: Digest.sha256(bytes)))
    }
    for track in follow.tracks { try add(.track, TrackWord(track, places).path) }
    for plugin in follow.rules.plugins {
      try add(
        .plugin, plugin, at: try places[.plugin, plugin] ?? PluginShelf.path(of: plugin))
    }
    for site in follow.rules.sites { try add(.site, site) }
    for file in follow.regionFiles { try add(.regions, file) }
    for file in follow.keys.files { try add(.keys, file) }
    if let messages = follow.messages { try add(.messages, messages) }
    if let markers = follow.markers { try add(.markers, markers) }
    for (path, sha256) in host?.modules ?? [] {
      let name = places.named(module: path) ?? shown(path)
      rows.append(FileRow(role: SideRole.module.rawValue, name: name, sha256: sha256))
    }
    return rows
  }

  /// Where plugins that came with the program lie is nobody's business.
  private static func shown(_ path: String) -> String {
    guard let shelf = PluginShelf.folder, path.hasPrefix(shelf + "/") else { return path }
    return String(path.dropFirst(shelf.count + 1))
  }
}
