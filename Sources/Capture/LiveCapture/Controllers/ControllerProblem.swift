import CaptureReader
import Glibc

/// Why a controller cannot be asked, or does not do what it is told.
package struct ControllerProblem: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    case noKernelSupport, noController, permission, blocked, down, notLE, busy, noAnswer, refused,
      other
  }
  package let kind: Kind
  /// One sentence.
  package let what: String
  /// What to do: a command where there is one, else sentences.
  package let remedy: String?

  /// `what`, and what to do on a line of its own.
  /// - Parameter remark: a sentence that belongs behind the first.
  package func lines(_ remark: String = "") -> String {
    let first = remark.isEmpty ? what : "\(what) \(remark)"
    guard let remedy else { return first }
    return first + "\n" + (remedy.hasSuffix(".") ? remedy : "Try   \(remedy)")
  }

  init(_ kind: Kind, _ what: String, remedy: String? = nil) {
    self.kind = kind
    self.what = what
    self.remedy = remedy
  }
}

extension ControllerProblem {
  /// - Parameter name: the controller, such as `hci0`.
  init(_ error: SystemError, name: String, program: String) {
    switch error.code {
    case EAFNOSUPPORT, EPROTONOSUPPORT:
      self.init(
        .noKernelSupport, "This kernel has no Bluetooth, or hides it (\(error.text)).",
        remedy: "sudo modprobe bluetooth")
    case ENODEV, EPIPE, EBADFD:
      self.init(
        .noController, "There is no controller \(name) (any more).", remedy: "beacontrace doctor")
    case EPERM, EACCES:
      self.init(
        .permission, "Commands to \(name) need the capability CAP_NET_RAW.",
        remedy: Remedies.allow(program))
    case ERFKILL:
      self.init(.blocked, "\(name) is blocked by rfkill.", remedy: Remedies.unblock)
    case ENETDOWN:
      self.init(.down, "\(name) is down.", remedy: Remedies.bringUp(name))
    case EBUSY, EUSERS:
      self.init(
        .busy, "Another program has taken \(name) for itself.",
        remedy: "End that program; beacontrace doctor may tell its name.")
    default:
      self.init(.other, "\(name): \(error.text).")
    }
  }
}

/// The commands that mend things, each in one place.
package enum Remedies {
  package static let unblock = "sudo rfkill unblock bluetooth"

  package static func bringUp(_ name: String) -> String { "sudo hciconfig \(name) up" }

  package static func scan(_ name: String) -> String {
    "beacontrace live -i \(name.replacing("hci", with: "bluetooth")) --scan passive"
  }

  /// - Parameter program: path of the file.
  package static func allow(_ program: String) -> String {
    "sudo setcap cap_net_raw+ep \(quoted(program))"
  }

  private static func quoted(_ path: String) -> String {
    let plain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    return plain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
