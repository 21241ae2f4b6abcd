import Analysis
import CaptureReader
import Glibc
import StateFile

// Writes states into a file, one behind the other, until it is killed, or who started it has ended:
// `StateLoop FILE`.

/// So many bytes that a writing takes several calls of the system.
let regions = (0..<2000).map { "region number \($0) of a site with very many of them" }

do {
  let file = try StateFile.open(CommandLine.arguments[1])
  let keeper = file.keeper(of: nil) { print($0) }
  var round: Int64 = 0
  let parent = getppid()
  while getppid() == parent {
    round += 1
    let now = Timestamp(nanoseconds: round)
    let known = regions.map {
      RunState.OfRegion(
        identifier: $0, definition: $0, isInside: true, since: now, lastSeen: now)
    }
    keeper.keepLast(
      RunState(
        taken: now,
        profiles: [
          RunState.OfProfile(
            profile: "site",
            observers: [RunState.OfObserver(name: "hci0", clock: now, regions: known, messages: [])]
          )
        ]))
    try file.finish()
  }
} catch {
  print(error)
}
