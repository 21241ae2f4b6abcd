import CaptureReader
import Foundation
import Glibc
@testable import LiveCapture
import Testing

/// What files of the kernel say, out of a copy of them.
@Suite("Facts of the system") struct SystemFactsTests {
  private static func with<Value>(
    _ files: [String: String], _ body: (SystemTree) throws -> Value
  ) throws -> Value {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try body(SystemTree(root: root.path))
  }

  @Test("rfkill's switches are those for Bluetooth, of a controller or of the machine")
  func switches() throws {
    let folder = "sys/class/rfkill/rfkill"
    let files = [
      "\(folder)0/type": "wlan\n", "\(folder)0/name": "phy0\n", "\(folder)0/soft": "1\n",
      "\(folder)0/hard": "0\n",
      "\(folder)1/type": "bluetooth\n", "\(folder)1/name": "hci0\n", "\(folder)1/soft": "1\n",
      "\(folder)1/hard": "0\n",
      "\(folder)2/type": "bluetooth\n", "\(folder)2/name": "tpacpi_bluetooth_sw\n",
      "\(folder)2/soft": "0\n", "\(folder)2/hard": "1\n",
    ]
    let own = RfkillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false)
    let machine = RfkillSwitch(
      name: "tpacpi_bluetooth_sw", isSoftBlocked: false, isHardBlocked: true)
    #expect(try Self.with(files) { RfkillSwitch.all(in: $0) } == [own, machine])
    #expect(own.concerns("hci0") && !own.concerns("hci1") && machine.concerns("hci1"))
    #expect(try Self.with([:]) { RfkillSwitch.all(in: $0) } == nil)
    #expect(try Self.with(["sys/class/rfkill/x": ""]) { RfkillSwitch.all(in: $0) } == [])
  }

  @Test("this process' rights are those in its status")
  func rights() throws {
    let status = """
      Name:\tbeacontrace
      Uid:\t1000\t0\t1000\t1000
      CapPrm:\t0000000000000000
      CapEff:\t0000000000003000
      NoNewPrivs:\t1
      """
    let rights = try Self.with(["proc/self/status": status]) { ProcessRights.read($0) }
    #expect(rights.effective.hasNetRaw && rights.effective.hasNetAdmin)
    #expect(rights.isRoot && rights.takesNoNewRights)
    let other = status.replacing("0\t1000\t1000", with: "1000\t1000\t0").replacing(
      "3000", with: "1000"
    )
    .replacing("NoNewPrivs:\t1", with: "NoNewPrivs:\t0")
    let less = try Self.with(["proc/self/status": other]) { ProcessRights.read($0) }
    #expect(!less.effective.hasNetRaw && less.effective.hasNetAdmin)
    #expect(!less.isRoot && !less.takesNoNewRights)
  }

  @Test("the kernel tells of this process")
  func real() {
    let rights = ProcessRights.read(SystemTree())
    #expect(rights.isRoot == (geteuid() == 0))
    #expect(FileManager.default.fileExists(atPath: rights.program))
  }

  @Test("a program's capabilities are those that take effect by themselves")
  func ofPrograms() {
    let raw = UInt8(1 << 5)
    let second: [UInt8] = [1, 0, 0, 2, 0, raw, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(Capabilities(attribute: second)?.hasNetRaw == true)
    #expect(Capabilities(attribute: second)?.hasNetAdmin == false)
    let withRoot = [1, 0, 0, 3] + second.dropFirst(4) + [0, 0, 0, 0]
    #expect(Capabilities(attribute: withRoot)?.hasNetRaw == true)
    // `+p` alone.
    #expect(Capabilities(attribute: [0] + second.dropFirst()) == nil)
    #expect(Capabilities(attribute: [1, 0, 0, 9] + second.dropFirst(4)) == nil)
    for length in 0..<16 { #expect(Capabilities(attribute: Array(second.prefix(length))) == nil) }
  }

  @Test("Bluetooth is missing, not loaded, or hidden")
  func kernel() throws {
    let none = SystemError(code: EAFNOSUPPORT)
    let release = ["proc/sys/kernel/osrelease": "6.1.0-9\n"]
    func support(_ files: [String: String], _ problem: SystemError?) throws -> KernelSupport {
      try Self.with(release.merging(files) { $1 }) { KernelSupport(problem: problem, tree: $0) }
    }
    #expect(try support([:], nil) == .there)
    #expect(try support([:], none) == .missing(release: "6.1.0-9"))
    let modules = ["lib/modules/6.1.0-9/modules.dep": "kernel/net/bluetooth/bluetooth.ko.xz: a\n"]
    #expect(try support(modules, none) == .notLoaded)
    #expect(try support(["sys/module/bluetooth/refcnt": "1"], none) == .hidden)
    #expect(try support([:], SystemError(code: EMFILE)) == .other(SystemError(code: EMFILE)))
  }

  @Test("processes are found by their names")
  func processes() throws {
    let files = [
      "proc/12/comm": "bluetoothd\n", "proc/7/comm": "bluetoothd\n", "proc/8/comm": "bash\n",
      "proc/self/comm": "bluetoothd\n",
    ]
    #expect(try Self.with(files) { $0.processes(named: "bluetoothd") } == [7, 12])
  }

  @Test(
    "what the system refuses has a kind and a command that mends it",
    arguments: [
      (EAFNOSUPPORT, .noKernelSupport, "sudo modprobe bluetooth"),
      (EPERM, .permission, "sudo setcap cap_net_raw+ep '/opt/it'\\''s here/beacontrace'"),
      (ENETDOWN, .down, "sudo hciconfig hci0 up"),
      (ERFKILL, .blocked, "sudo rfkill unblock bluetooth"),
      (ENODEV, .noController, "beacontrace doctor"), (EIO, .other, nil),
    ] as [(Int32, ControllerProblem.Kind, String?)])
  func problems(_ code: Int32, _ kind: ControllerProblem.Kind, _ remedy: String?) {
    let problem = ControllerProblem(
      SystemError(code: code), name: "hci0", program: "/opt/it's here/beacontrace")
    #expect(problem.kind == kind && problem.remedy == remedy)
  }
}
