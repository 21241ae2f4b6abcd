import Beacons
import CaseStore
import Exports

/// A list of regions, one for each beacon that keeps its identity: what `--regions` reads, to be given better
/// names. Of a day on which all was well it is the plan of a site.
enum RegionListExport {
  static let form = CaseExport(
    name: "regions",
    purpose: "A list for --regions, a region for each beacon that was heard: names to be bettered.",
    usualName: "site.txt", shape: .text(write))

  /// What regions of a kind are called; of the others there are none that last. A key's beacon is known by the
  /// key's name.
  private static let words: [String: String] = [
    "\(IBeacon.name)": "ibeacon", "\(EddystoneUID.name)": "eddystone",
    "\(AltBeacon.name)": "altbeacon",
    "\(EddystoneURL.name)": "url", keyed: "eid",
  ]

  private static let keyed = "\(EddystoneResolved.name)"

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    var leftOut = LeftOut()
    let addresses = try Self.addresses(file)
    var names = ListNames()
    var text = """
      # A region for each beacon that was heard: NAME=KIND:SPEC. Give them better names, add what is to be there,
      # too, and where a copy is to be told put the address behind it: ,address=c4:b0:00:00:01:01

      """
    var before = ""
    try file.forEach(BeaconRow.self, order: "kind, group_name, identity") { beacon in
      guard let kind = words[beacon.kind] else {
        return leftOut.add("beacon", "whose identity does not last, or that no region is for,")
      }
      // What stands behind a comma is a setting, and a star at the end stands for anything.
      guard !beacon.identity.contains(","), !beacon.identity.hasSuffix("*") else {
        return leftOut.add("beacon", "with a comma, or a star at the end, in its identity")
      }
      let group = (beacon.groupName.isEmpty ? beacon.kindName : beacon.groupName)
        .split(separator: " ").joined(separator: " ")
      if group != before {
        let needs = beacon.kind == keyed ? " (with the --keys by which they are known)" : ""
        text += "\n# \(TextColumns.printable(group))\(needs)\n"
      }
      before = group
      let heard = TextColumns.counted(beacon.sightings, "sighting")
      let from = addresses[beacon.id ?? 0] ?? "no address"
      text += "# \(TextColumns.printable("\(from), \(heard)"))\n"
      text += "\(names.next(kind, beacon))=\(kind):\(beacon.identity)\n"
    }
    try output.write(Array(text.utf8))
    return leftOut.sentences
  }

  /// By beacon: its address, or how many it has.
  private static func addresses(_ file: CaseFile) throws -> [Int64: String] {
    var found: [Int64: String] = [:]
    let select = """
      SELECT beacon_id, count(DISTINCT address), min(address) FROM transmitters GROUP BY 1 ORDER BY 1
      """
    try file.forEach(select: select) { row in
      let count = row[1].int ?? 0
      found[row[0].int ?? 0] = count == 1 ? row[2].text ?? "" : "\(count) addresses"
    }
    return found
  }
}

/// Names that tell beacons apart, and that a list can have.
private struct ListNames {
  private var taken: Set<String> = []

  /// `ibeacon 1-2`; of the next beacon with these numbers, with the beginning of its UUID: `ibeacon 1-2 b9407f30`.
  mutating func next(_ kind: String, _ beacon: BeaconRow) -> String {
    let short = "\(kind) \(Self.plain(beacon.shortName))"
    var name = short
    if taken.contains(name) { name = "\(short) \(Self.plain(beacon.identity).prefix(8))" }
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(short) (\(number))"
      number += 1
    }
    return name
  }

  /// Without what has a meaning in a list.
  private static func plain(_ text: String) -> String {
    let parts = text.replacing(/^https?:\/\//, with: "").split { " :=,".contains($0) }
    return TextColumns.printable(parts.joined(separator: "-"))
  }
}
