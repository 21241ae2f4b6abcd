import Dispatch
import Synchronization

/// Where a run says how it goes, for programs that watch over it: `--status FILE`.
///
/// Whoever reads it finds a whole text, the old one or the new one. One run at a time writes it; where it
/// cannot be written the run goes on.
package final class StatusFile: Sendable {
  private struct Progress {
    var isBusy = false
    var problem: String?
  }

  /// As the user named it.
  package let name: String
  private let file: ReplacedFile
  private let queue = DispatchQueue(label: "beacontrace.status")
  private let progress = Mutex(Progress())

  /// - Parameter path: of a file that need not be there; its folder must.
  /// - Throws: where another run has it, its folder cannot be written to, or something else is there: that is
  ///   never replaced.
  package init(_ path: String) throws(StateProblem) {
    name = path
    do throws(ReplacedFile.Problem) {
      file = try ReplacedFile(path, for: .status)
      guard Self.isOurs(try file.head(Self.start.utf8.count)) else {
        throw ReplacedFile.Problem(
          "this is no status of a run, and is left as it is",
          remedy: "Name another file, or move this one away.", isForeign: true)
      }
    } catch {
      throw StateProblem(
        path: path, what: error.what, remedy: error.remedy, isForeign: error.isForeign)
    }
  }

  /// How every status begins.
  private static let start = #"{"format":"beacontrace-live-status","#

  /// Also an empty one, as `mktemp` makes it, and what a power cut leaves: the beginning of one, or zeros.
  private static func isOurs(_ head: [UInt8]) -> Bool {
    start.utf8.starts(with: head) || head.allSatisfy { $0 == 0 }
  }

  /// Why the latest text is not there, one clause; nil where nothing is wrong.
  package var problem: String? { progress.withLock { $0.problem } }

  /// Puts another text in its place, on another thread; not while one is still being written.
  package func write(_ bytes: [UInt8]) {
    let isBusy = progress.withLock { progress in
      defer { progress.isBusy = true }
      return progress.isBusy
    }
    guard !isBusy else { return }
    queue.async { self.replace(bytes) }
  }

  private func replace(_ bytes: [UInt8]) {
    var problem: String?
    do throws(ReplacedFile.Problem) { try file.replace(bytes) } catch { problem = error.what }
    progress.withLock { $0 = Progress(isBusy: false, problem: problem) }
  }

  /// The last text; waits until it is there.
  package func finish(_ bytes: [UInt8]) { queue.sync { replace(bytes) } }
}
