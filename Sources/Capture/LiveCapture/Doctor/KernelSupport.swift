package import CaptureReader
import Glibc

/// Whether this process can speak with the kernel's Bluetooth.
package enum KernelSupport: Equatable, Sendable {
  case there
  /// The kernel has it, but not in this network namespace: only the first one does.
  case hidden
  /// There is a module that is not loaded.
  case notLoaded
  /// The kernel comes without.
  case missing(release: String)
  case other(SystemError)

  /// - Parameter problem: what opening a Bluetooth socket gave; nil: it opened.
  package init(problem: SystemError?, tree: SystemTree) {
    guard let problem else {
      self = .there
      return
    }
    guard problem.code == EAFNOSUPPORT || problem.code == EPROTONOSUPPORT else {
      self = .other(problem)
      return
    }
    let release = tree.text("proc/sys/kernel/osrelease") ?? "unknown"
    let modules = tree.text("lib/modules/\(release)/modules.dep") ?? ""
    if tree.exists("sys/module/bluetooth") {
      self = .hidden
    } else if modules.contains("/bluetooth.ko") {
      self = .notLoaded
    } else {
      self = .missing(release: release)
    }
  }
}
