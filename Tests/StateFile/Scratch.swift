import Analysis
import CaptureReader
import Foundation

@testable import StateFile

/// A folder that goes with its owner, with a state file in it.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.appending(path: "state.json").path(percentEncoded: false) }

  func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  func read() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// A state with everything in it.
  static let run: RunState = {
    var lobby = RunState.OfRegion(
      identifier: "the \"lobby\"/ä", definition: "lobby=url:http://a/", isInside: true,
      since: Timestamp(nanoseconds: 1_779_184_800_123_456_789),
      lastSeen: Timestamp(nanoseconds: 1_779_184_900_000_000_001))
    lobby.wasInsideAlready = true
    lobby.awaitsDisplay = true
    lobby.sightings = 12
    let hall = RunState.OfRegion(
      identifier: "hall", definition: "hall=circle:1,2,3", isInside: false, since: .none,
      lastSeen: .none)
    let message = RunState.OfMessage(
      beacon: "url:http://a/", namespace: "n", type: "t", content: "text:x",
      lastSeen: Timestamp(nanoseconds: 7))
    let now = Timestamp(nanoseconds: 1_779_184_901_000_000_000)
    var observer = RunState.OfObserver(
      name: "hci0", clock: now, regions: [lobby, hall], messages: [message])
    observer.scanLimits = 3
    return RunState(
      taken: now,
      profiles: [
        RunState.OfProfile(
          profile: "site exit_after=30",
          observers: [observer])
      ])
  }()
}
