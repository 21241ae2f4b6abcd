import CaptureReader
@testable import LiveCapture

/// Machines that `doctor` looks at.
enum DoctorCase: String, CaseIterable {
  case noKernelSupport = "no-kernel-support"
  case notLoaded = "not-loaded"
  case container
  case noController = "no-controller"
  case anotherAsked = "another-asked"
  case softBlocked = "soft-blocked"
  case hardBlocked = "hard-blocked"
  case down
  case classicOnly = "classic-only"
  case noPermission = "no-permission"
  case notGranted = "not-granted"
  case switchedOff = "switched-off"
  case silent
  case filtered
  case unknownParameters = "unknown-parameters"
  case well

  var report: DoctorReport { DoctorReport(facts) }

  private static let root = ProcessRights(
    effective: Capabilities(bits: 0x1ff_ffff_ffff), isRoot: true, program: "/usr/bin/beacontrace")
  private static let user = ProcessRights(
    effective: Capabilities(bits: 0), program: "/usr/bin/beacontrace")
  private static let capable = ProcessRights(
    effective: Capabilities(bits: 1 << 13), program: "/usr/bin/beacontrace",
    ofProgram: Capabilities(bits: 1 << 13))
  private static let noFamily = SystemError(code: 97)
  private static let notPermitted = SystemError(code: 1)

  private static func facts(
    _ kernel: KernelSupport = .there, _ controllers: [Controller] = [controller()],
    rights: ProcessRights = root, _ observation: ScanObservation? = nil,
    _ change: (inout DoctorFacts) -> Void = { _ in }
  ) -> DoctorFacts {
    var facts = DoctorFacts(
      kernel: kernel, controllers: controllers, switches: [], rights: rights,
      observation: observation, libraryVersion: "libpcap version 1.10.3 (with TPACKET_V3)",
      libraryHasMonitor: true)
    if !controllers.isEmpty {
      facts.settings = settings(supported: 0x02, current: 0x02)
    }
    change(&facts)
    return facts
  }

  private var facts: DoctorFacts {
    switch self {
    case .noKernelSupport:
      Self.facts(.missing(release: "6.18.44"), []) {
        $0.monitorProblem = Self.noFamily
        $0.switches = nil
      }
    case .notLoaded: Self.facts(.notLoaded, []) { $0.monitorProblem = Self.noFamily }
    case .container: Self.facts(.hidden, []) { $0.monitorProblem = Self.noFamily }
    case .noController: Self.facts(.there, [])
    case .anotherAsked:
      Self.facts {
        $0.asked = "hci7"
        $0.settings = nil
      }
    case .softBlocked:
      Self.facts(.there, [Self.controller(isUp: false)]) {
        $0.switches = [.init(name: "hci0", isSoftBlocked: true, isHardBlocked: false)]
      }
    case .hardBlocked:
      Self.facts(.there, [Self.controller(isUp: false)]) {
        $0.switches = [
          .init(name: "hci0", isSoftBlocked: true, isHardBlocked: false),
          .init(name: "hp-bluetooth", isSoftBlocked: false, isHardBlocked: true),
        ]
      }
    case .down: Self.facts(.there, [Self.controller(isUp: false)])
    case .classicOnly:
      Self.facts(.there, [Self.controller(lowEnergy: 0)]) {
        $0.settings = Self.settings(supported: 0, current: 0)
      }
    case .noPermission: Self.facts(rights: Self.user) { $0.monitorProblem = Self.notPermitted }
    case .notGranted:
      Self.facts(rights: Self.user) {
        $0.monitorProblem = Self.notPermitted
        $0.rights.ofProgram = Capabilities(bits: 1 << 13)
        $0.rights.takesNoNewRights = true
      }
    default: listening
    }
  }

  private var listening: DoctorFacts {
    switch self {
    case .switchedOff: Self.facts(Self.seen { $0.told(0x200C, [0, 0]) }) { $0.daemons = [812] }
    case .filtered:
      Self.facts(
        Self.seen {
          $0.told(0x200B, [1, 0x12, 0, 0x12, 0, 1, 0])
          $0.told(0x200C, [1, 1])
          $0.report()
        })
    case .unknownParameters:
      Self.facts(
        Self.seen {
          $0.take(.opened(.init(program: "hcitool", use: .raw, controller: 0)))
          $0.report()
          $0.report(kind: 4)
        })
    case .well:
      Self.facts(
        .there, [Self.controller(), Self.controller(number: 1)], rights: Self.capable,
        Self.seen {
          $0.told(0x2041, [0, 0, 1, 0, 0x10, 0, 0x10, 0])
          $0.told(0x2042, [1, 0, 0, 0, 0, 0])
          for _ in 0..<37 { $0.report() }
        }
      ) { $0.settings = Self.settings(supported: 0x02, current: 0) }
    default: Self.facts(Self.seen { _ in })
    }
  }

  private static func facts(
    _ observation: ScanObservation, _ change: (inout DoctorFacts) -> Void = { _ in }
  ) -> DoctorFacts {
    facts(.there, [controller()], rights: root, observation, change)
  }

  private static func seen(_ body: (inout ScanObservation) -> Void) -> ScanObservation {
    var seen = ScanObservation(controller: 0)
    seen.listenedMilliseconds = 1_500
    body(&seen)
    return seen
  }

  private static func controller(
    number: UInt8 = 0, isUp: Bool = true, lowEnergy: UInt8 = 0x40
  ) -> Controller {
    var bytes: [UInt8] = [number, 0] + Array("hci\(number)".utf8) + [0, 0, 0, 0]
    bytes += [0x42 + number, 0, 0, 1, 0xaa, 0, isUp ? 5 : 0, 0, 0, 0, 1, 0xff, 0, 0, 0, lowEnergy]
    bytes += [UInt8](repeating: 0, count: 92 - bytes.count)
    guard let controller = Controller(information: bytes) else { preconditionFailure() }
    return controller
  }

  /// - supported, current: the second byte of each; bit 1 is Low Energy.
  private static func settings(supported: UInt8, current: UInt8) -> ManagedSettings? {
    let head: [UInt8] = [1, 0, 0, 0, 0x1b, 1, 4, 0, 0] + [UInt8](repeating: 0, count: 9)
    return ManagedSettings(
      message: head + [1, supported, 0, 0, 1, current, 0, 0], controller: 0)
  }
}

extension ScanObservation {
  /// A command that the controller took.
  fileprivate mutating func told(_ opcode: UInt16, _ parameters: [UInt8]) {
    let answer = [1, UInt8(opcode & 0xff), UInt8(opcode >> 8), 0]
    take(.command(controller: 0, opcode: opcode, parameters: parameters))
    take(.event(controller: 0, code: 0x0e, parameters: answer))
  }

  fileprivate mutating func report(kind: UInt8 = 3) {
    let report: [UInt8] = [kind, 0, 1, 2, 3, 4, 5, 6, 3, 2, 1, 6, 0xc0]
    take(.event(controller: 0, code: 0x3e, parameters: [2, 1] + report))
  }
}
