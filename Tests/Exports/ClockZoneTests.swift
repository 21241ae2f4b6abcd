import CaptureReader
import Foundation
import Testing

@testable import Exports

@Suite struct ClockZoneTests {
  @Test(arguments: [
    nil, "", "UTC", "GMT", "CET-1", "CET-1CEST,M3.5.0,M10.5.0/3", "<+0330>-3:30", "EST5EDT", "UTC0",
    "<+14>-14<+15>", "NST3:30NDT",
  ])
  func zonesThatTheSystemUnderstandsAreTaken(zone: String?) {
    #expect(ClockZone.complaint(about: zone, below: "/nowhere") == nil)
  }

  @Test(arguments: [
    "Europe/Berlin", ":Europe/Berlin", "Berlin", "X", "+2", "CET", "/no/such/file", "/etc",
    "/etc/hosts",
    ":", "<x>-1", "ABC-999", "AB-1", "CET-1 or so",
  ])
  func othersAreNot(zone: String) throws {
    let complaint = try #require(ClockZone.complaint(about: zone, below: "/nowhere"))
    #expect(complaint.contains("\"\(zone)\"") && complaint.contains("/nowhere"))
  }

  @Test func aTableIsTakenAndNoOtherFile() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    try Data("TZif2 and so on".utf8).write(to: place.appending(path: "Here"))
    try Data("# zones".utf8).write(to: place.appending(path: "list"))
    let folder = place.path(percentEncoded: false)
    #expect(ClockZone.complaint(about: "Here", below: folder) == nil)
    #expect(ClockZone.complaint(about: ":Here", below: folder) == nil)
    #expect(ClockZone.complaint(about: "list", below: folder) != nil)
    #expect(ClockZone.complaint(about: ".", below: folder) != nil)
  }

  @Test func withoutAskingAllIsInUTC() {
    #expect(ClockZone.shown.label(.init(nanoseconds: 0)) == "UTC")
    #expect(TextColumns.clock(.init(nanoseconds: 3_600_000_000_000)) == "01:00:00")
  }
}
