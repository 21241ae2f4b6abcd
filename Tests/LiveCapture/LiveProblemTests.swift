import Glibc
import Testing

@testable import LiveCapture

@Suite("What is said where nothing can be captured") struct LiveProblemTests {
  static let sentences: [(String, LiveProblem.Kind, String)] = [
    (
      "Can't attach to interface: Operation not permitted", .permission,
      "may not open bluetooth0: this needs CAP_NET_RAW."
    ),
    (
      "Can't create raw socket: Address family not supported by protocol", .noKernelSupport,
      "cannot open bluetooth0: the kernel has no Bluetooth (address family not supported by protocol)."
    ),
    (
      "Can't attach to device 0: No such device", .noDevice,
      "there is no interface bluetooth0 to capture Bluetooth on; there is bluetooth-monitor, bluetooth3."
    ),
    (
      "Can't attach to device 0: Device or resource busy", .busy,
      "cannot open bluetooth0: another program has it (device or resource busy)."
    ),
    (
      "Can't enable data direction info: Bad address", .other,
      "cannot open bluetooth0: Can't enable data direction info: Bad address."
    ),
    ("", .other, "cannot open bluetooth0: libpcap does not say why."),
  ]

  @Test("tells libpcap's reasons apart", arguments: sentences)
  func sentence(says: String, kind: LiveProblem.Kind, what: String) {
    let problem = LiveProblem.opening("bluetooth0", says: says) {
      ["bluetooth-monitor", "bluetooth3"]
    }
    #expect(problem.kind == kind)
    #expect(problem.what == what)
    #expect(problem.remedy.isEmpty == (kind == .other))
  }

  private static let kernelHasBluetooth: Bool = {
    let descriptor = socket(31, Int32(SOCK_RAW.rawValue), 1)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0 || errno != EAFNOSUPPORT
  }()

  @Test(
    "says that the kernel has no Bluetooth where it has none", .disabled(if: kernelHasBluetooth),
    arguments: ["bluetooth-monitor", "bluetooth0"])
  func noKernelSupport(name: String) {
    #expect(throws: LiveProblem.noKernelSupport(name, "address family not supported by protocol")) {
      _ = try LiveDevice.open(name)
    }
    let listed = Interfaces.all().first { $0.name == name }
    if name == "bluetooth-monitor" {
      #expect(listed?.canOpen == false)
      #expect(listed?.problem?.kind == .noKernelSupport)
      #expect(listed?.linkType == 254)
    } else {
      #expect(listed == nil)
    }
  }

  @Test(
    "captures on interfaces of Bluetooth alone",
    arguments: ["eth0", "lo", "", "bluetooth", "bluetooth-", "bluetooth01", "bluetooth1x", "any"])
  func otherInterfaces(name: String) {
    #expect(throws: LiveProblem.noDevice(name, all: Interfaces.names())) {
      _ = try LiveDevice.open(name)
    }
  }

  @Test("knows what interfaces are called")
  func names() {
    #expect(InterfaceName("bluetooth-monitor") == .monitor)
    #expect(InterfaceName("bluetooth0") == .controller(0))
    #expect(InterfaceName("bluetooth12")?.linkType == 201)
    #expect(InterfaceName("bluetooth12")?.description == "controller hci12")
    #expect(InterfaceName("bluetooth65535") == nil)
  }

  @Test("names the interface of a controller that was named as other programs do")
  func otherName() {
    let problem = LiveProblem.noDevice("hci0", all: ["bluetooth-monitor", "bluetooth0"])
    #expect(
      problem.what == "there is no interface hci0: libpcap calls this controller bluetooth0.")
    #expect(problem.remedy == "Try   -i bluetooth0")
    let absent = LiveProblem.noDevice("hci3", all: ["bluetooth-monitor", "bluetooth0"])
    #expect(absent.what.hasSuffix("there is bluetooth-monitor, bluetooth0."))
  }
}
