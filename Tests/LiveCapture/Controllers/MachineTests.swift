import CaptureReader
import Testing

@testable import LiveCapture

/// This machine, whatever it has.
@Suite("This machine") struct MachineTests {
  @Test("has Bluetooth where its sockets open, and the controllers that they tell")
  func facts() {
    let facts = DoctorFacts.gather(listening: 0)
    var names: [String]?
    do throws(SystemError) { names = try Controller.all().map(\.name) } catch {}
    #expect((facts.kernel == .there) == (names != nil))
    #expect(facts.controllers.map(\.name) == names ?? [])
    #expect(facts.observation == nil)
    #expect(facts.libraryVersion.hasPrefix("libpcap version 1."))
  }

  @Test("scans with no controller that it does not have")
  func noScan() {
    // Sixteen are the most that a kernel has.
    #expect {
      _ = try ScanSession.start(on: "hci999", ScanSettings(.passive))
    } throws: {
      let kind = ($0 as? ControllerProblem)?.kind
      return kind == .noController || kind == .noKernelSupport
    }
  }
}
