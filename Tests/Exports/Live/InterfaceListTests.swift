@testable import LiveCapture
import Testing

@testable import Exports

@Suite("The list of interfaces") struct InterfaceListTests {
  static let monitor = CaptureInterfaceState(
    name: "bluetooth-monitor", description: "all controllers, and what the host sends them",
    linkType: 254, problem: nil)
  static let refused = CaptureInterfaceState(
    name: "bluetooth0", description: "controller hci0", linkType: 201,
    problem: LiveProblem(
      .permission, "may not open bluetooth0: this needs CAP_NET_RAW.",
      remedy: "Either   one command\nor   another"))
  static let puzzling = CaptureInterfaceState(
    name: "bluetooth1", description: "controller \"hci1\"", linkType: 201,
    problem: LiveProblem(.other, "cannot open bluetooth1: who knows."))

  @Test("says of each whether it can be opened, and what to do where not")
  func text() {
    #expect(
      InterfaceList.lines([Self.monitor, Self.refused, Self.puzzling], width: nil) == [
        "bluetooth-monitor  all controllers, and what the host sends them, can be opened",
        "bluetooth0         controller hci0, cannot be opened",
        "                   may not open bluetooth0: this needs CAP_NET_RAW.",
        "                   Either   one command",
        "                   or   another",
        "bluetooth1         controller \"hci1\", cannot be opened",
        "                   cannot open bluetooth1: who knows.",
      ])
  }

  @Test("keeps what is long within the terminal's width", arguments: [40, 60, 80])
  func width(_ width: Int) {
    let long = CaptureInterfaceState(
      name: "bluetooth0", description: "controller hci0", linkType: 201,
      problem: LiveProblem(
        .other, "one two three four five six seven eight nine ten eleven twelve thirteen",
        remedy: "fourteen fifteen sixteen seventeen eighteen nineteen twenty"))
    let lines = InterfaceList.lines([long], width: width)
    #expect(lines.allSatisfy { $0.count <= width })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("            ") })
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.hasPrefix("bluetooth0 controller hci0, cannot be opened one two three"))
    #expect(
      words.hasSuffix("twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
    )
  }

  @Test("says so where there is none") func none() {
    #expect(
      InterfaceList.lines([], width: 80) == [
        "There is no interface of Bluetooth: libpcap on this machine knows of none.",
        "See   beacontrace doctor",
      ])
  }

  @Test("is one document for programs") func json() throws {
    let output = Collected()
    try InterfaceList.writeJSON(
      [Self.monitor, Self.refused, Self.puzzling], to: output)
    #expect(
      String(decoding: output.bytes, as: UTF8.self) == """
        {"interfaces":[
        {"name":"bluetooth-monitor","description":"all controllers, and what the host sends them",\
        "link_type":254,"can_open":true,"problem":null,"remedy":null},
        {"name":"bluetooth0","description":"controller hci0","link_type":201,"can_open":false,\
        "problem":"may not open bluetooth0: this needs CAP_NET_RAW.",\
        "remedy":"Either   one command\\nor   another"},
        {"name":"bluetooth1","description":"controller \\"hci1\\"","link_type":201,\
        "can_open":false,"problem":"cannot open bluetooth1: who knows.","remedy":null}]}

        """)
  }

  @Test("is an empty list for programs where there is none") func emptyJSON() throws {
    let output = Collected()
    try InterfaceList.writeJSON([], to: output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "{\"interfaces\":[]}\n")
  }
}

private final class Collected: TextOutput {
  private(set) var bytes: [UInt8] = []
  func write(_ new: [UInt8]) { bytes += new }
}
