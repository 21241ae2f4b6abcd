import CaseStore
import GRDB
import Testing

@testable import Report

/// A receiver whose records end before those of another one.
@Suite("Receivers that end before others") struct ReceiverEndTests {
  /// The small case, and a receiver that was there from the beginning and recorded for so long, with a visit that goes on.
  private static func page(minutes: Int64, regions: Int = 1) throws -> String {
    let file = try Cases.small()
    let end = Cases.start + minutes * 60 * Cases.second
    try file.insert([
      ObserverRow(
        name: "yard", fromNs: Cases.start, toNs: end, reports: 30, listeningNs: end - Cases.start)
    ])
    try file.insert([
      ReceptionRow(beaconId: 1, observerId: 1, sightings: 30),
      ReceptionRow(beaconId: 1, observerId: 2, sightings: 30),
    ])
    for number in 1...Int64(regions) {
      if number > 1 {
        try file.insert([
          RegionRow(name: "room \(number)", condition: "ibeacon:\(number)", definition: "")
        ])
      }
      try file.insert([
        StayRow(
          profileId: 1, observerId: 2, regionId: number, sinceNs: Cases.start,
          wasInsideAlready: true, durationNs: end - Cases.start, lastSeenNs: end)
      ])
      try file.insert([
        SpanRow(
          observerId: 2, regionId: number, fromNs: Cases.start, toNs: end, state: "inside")
      ])
    }
    return try Cases.page(file)
  }

  @Test("say until when they recorded, and what was so then") func early() throws {
    let page = try Self.page(minutes: 30)
    #expect(page.contains("100 %<br><small>until 10:30:00, when its records end</small>"))
    #expect(
      page.contains(
        "<td class=\"t\">still inside when the records of this receiver end, at 10:30:00</td>"))
    #expect(
      page.contains(
        "(from 10:00:00 on); still inside when the records of this receiver end, at 10:30:00"))
    #expect(page.contains("<small>1 visit, 30 min 00 s, recorded until 10:30:00</small>"))
    #expect(!page.contains("still inside at the end"))
    #expect(page.contains("outside at the end"), "the other one went on")
  }

  @Test("are none where all end within a minute") func together() throws {
    let page = try Self.page(minutes: 60)
    #expect(page.contains("still inside at the end"))
    #expect(!page.contains("records end") && !page.contains("recorded until"))
  }

  @Test("know of nobody that he was inside all along") func throughout() throws {
    #expect(try Self.page(minutes: 60, regions: 4).contains("Inside all along"))
    #expect(!(try Self.page(minutes: 30, regions: 4).contains("Inside all along")))
  }
}
