import CaptureReader
import Testing

@testable import Exports

@Suite struct ClockZoneTests {
  @Test(arguments: [
    nil, "", "UTC", "GMT", "CET-1", "CET-1CEST,M3.5.0,M10.5.0/3", "<+0330>-3:30", "EST5EDT", "UTC0",
  ])
  func zonesThatTheSystemUnderstandsAreTaken(zone: String?) {
    #expect(ClockZone.complaint(about: zone, below: "/nowhere") == nil)
  }

  @Test(arguments: ["Europe/Berlin", ":Europe/Berlin", "Berlin", "X", "+2", "CET", "/no/such/file"])
  func othersAreNot(zone: String) throws {
    let complaint = try #require(ClockZone.complaint(about: zone, below: "/nowhere"))
    #expect(complaint.contains("\"\(zone)\"") && complaint.contains("/nowhere"))
  }

  @Test func aTableOfTheMachineIsTaken() {
    // Any file stands for one.
    #expect(ClockZone.complaint(about: "hosts", below: "/etc") == nil)
    #expect(ClockZone.complaint(about: "/etc/hosts", below: "/nowhere") == nil)
  }

  @Test func withoutAskingAllIsInUTC() {
    #expect(ClockZone.shown.label(.init(nanoseconds: 0)) == "UTC")
    #expect(TextColumns.clock(.init(nanoseconds: 3_600_000_000_000)) == "01:00:00")
  }
}
