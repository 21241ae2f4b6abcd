import CaptureReader
import CPrivileges
import FoundationEssentials
import Glibc

/// What this process may do, and how it comes to be allowed less.
package enum Privileges {
  /// What matters of capabilities(7), by their numbers.
  package enum Capability: UInt64, Sendable, CaseIterable {
    /// Controllers' settings, larger socket buffers.
    case netAdmin = 12
    /// Capturing, and scanning.
    case netRaw = 13
  }

  package static var isRoot: Bool { geteuid() == 0 }

  /// Of the calling thread: root has it, and so have programs that `setcap` gave it.
  package static func has(_ capability: Capability) -> Bool {
    effective() & (1 << capability.rawValue) != 0
  }

  /// What a service manager gave this process alone is not for the programs that it starts. To be
  /// called before there are other threads.
  package static func keepToSelf() { privileges_keep_to_self() }

  /// Becomes another user for good, with that user's own group alone, and keeps only these
  /// capabilities. To be called before there are other threads: what is kept is kept by the calling
  /// thread and those that it begins.
  /// - Parameter user: name, not root's.
  package static func drop(to user: String, keeping kept: [Capability]) throws(LiveProblem) {
    guard isRoot else {
      throw LiveProblem(
        .permission, "cannot become user \(user): only root can.",
        remedy: "Leave out --user: this program does not run as root.")
    }
    var number: uid_t = 0
    var group: gid_t = 0
    let code = unsafe privileges_find_user(user, &number, &group)
    guard code == 0 else {
      let words = code == ENOENT ? "there is no such user" : SystemError(code: code).text
      throw LiveProblem(
        code == ENOENT ? .badSetting : .other, "cannot become user \(user): \(words).",
        remedy: "See   getent passwd   for those there are.")
    }
    guard number != 0 else {
      throw LiveProblem(
        .badSetting, "cannot become user \(user): that is root again.",
        remedy: "Name a user without rights, such as nobody.")
    }
    let bits = kept.reduce(UInt64(0)) { $0 | 1 << $1.rawValue }
    var step: UnsafePointer<CChar>?
    let failure = unsafe privileges_become(number, group, bits, &step)
    guard failure == 0 else {
      let name = unsafe step.map { unsafe String(cString: $0) } ?? ""
      throw LiveProblem(
        .permission, "cannot become user \(user): \(name): \(SystemError(code: failure).text).",
        remedy: "Does the container or service allow CAP_SETUID and CAP_SETGID?")
    }
    try verify(user, number, group, bits)
  }

  /// Asks the kernel what has become of it.
  private static func verify(_ user: String, _ number: uid_t, _ group: gid_t, _ bits: UInt64)
    throws(LiveProblem)
  {
    guard getuid() == number, geteuid() == number, getgid() == group, getegid() == group,
      effective() == bits, field("CapPrm") == bits, getgroups(0, nil) == 1,
      privileges_can_return() == 0
    else {
      throw LiveProblem(
        .other, "became user \(user), but rights of root are left: not going on.")
    }
  }

  private static func effective() -> UInt64 { field("CapEff") }

  /// A line of hexadecimal digits about the calling thread; 0 where there is no such line.
  private static func field(_ name: String) -> UInt64 {
    guard
      let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let digits = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last
    else { return 0 }
    return UInt64(digits, radix: 16) ?? 0
  }
}
