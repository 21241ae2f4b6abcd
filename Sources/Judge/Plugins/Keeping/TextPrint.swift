import CaptureReader
import TrackReader

/// What tells a plugin's text, with its modules, from another one.
struct TextPrint: Equatable {
  /// SHA-256, or why it cannot be read.
  var text: String
  /// By path: SHA-256; empty where it cannot be read.
  var modules: [String: String]

  /// Of the files as they are now.
  static func onDisk(_ path: String, modules: some Sequence<String>) -> TextPrint {
    var print = TextPrint(text: "", modules: [:])
    do throws(TextProblem) {
      print.text = Digest.sha256(try TextFile.read(path))
    } catch {
      print.text = error.description
    }
    for module in modules {
      print.modules[module] = (try? TextFile.read(module)).map { Digest.sha256($0) } ?? ""
    }
    return print
  }
}
