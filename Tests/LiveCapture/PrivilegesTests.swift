import FoundationEssentials
import Glibc
import Testing

@testable import LiveCapture

@Suite("Rights of the process") struct PrivilegesTests {
  @Test("are those that the kernel tells")
  func facts() throws {
    #expect(Privileges.isRoot == (geteuid() == 0))
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("CapEff:") })
    let bits = try #require(UInt64(line.suffix(16), radix: 16))
    // Root's are all alike: the numbers of capabilities(7).
    #expect(Privileges.Capability.allCases.map(\.rawValue) == [12, 13])
    #expect(Privileges.has(.netRaw) == (bits & 0x2000 != 0))
    #expect(Privileges.has(.netAdmin) == (bits & 0x1000 != 0))
  }

  @Test("are dropped for nobody who does not exist", .enabled(if: geteuid() == 0))
  func unknownUser() {
    #expect(throws: failure("nobody-of-this-name", "there is no such user")) {
      try Privileges.drop(to: "nobody-of-this-name", keeping: [])
    }
    #expect(Privileges.isRoot)
  }

  @Test("are not dropped to root's own", .enabled(if: geteuid() == 0))
  func root() {
    #expect(throws: failure("root", "that is root again")) {
      try Privileges.drop(to: "root", keeping: [.netRaw])
    }
  }

  @Test("are dropped by root alone", .disabled(if: geteuid() == 0))
  func notRoot() {
    #expect(throws: failure("nobody", "only root can")) {
      try Privileges.drop(to: "nobody", keeping: [])
    }
  }

  private func failure(_ user: String, _ words: String) -> LiveProblem {
    let problems = [
      "there is no such user": LiveProblem(
        .badSetting, "cannot become user \(user): there is no such user.",
        remedy: "See   getent passwd   for those there are."),
      "that is root again": LiveProblem(
        .badSetting, "cannot become user \(user): that is root again.",
        remedy: "Name a user without rights, such as nobody."),
      "only root can": LiveProblem(
        .permission, "cannot become user \(user): only root can.",
        remedy: "Leave out --user: this program does not run as root."),
    ]
    return problems[words]!
  }
}
