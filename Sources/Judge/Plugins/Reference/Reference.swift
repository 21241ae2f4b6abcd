/// Everything that a plugin can name, in one table: the bindings, the checker, the documentation and
/// what editors know are all made from it.
package enum Reference {
  /// In the order in which they are explained.
  package static let functions: [ReferenceFunction] =
    DeclaringFunctions.all + HandlingFunctions.all + [TestReference.test]
  package static let events: [ReferenceEvent] = Events.all
  /// Of sightings, in the order of the exports.
  package static let sightingFields: [ReferenceField] = SightingFields.all
  package static let sightingKinds: [ReferenceKind] = SightingFields.kinds
  /// Tables that plugins write or read.
  package static let records: [ReferenceRecord] =
    WrittenRecords.all + ReadRecords.all + TestReference.records
  package static let libraries: [ReferenceLibrary] = Libraries.all
  /// Libraries of Lua that plugins do not have, with the reason: one clause.
  package static let absentLibraries: [String: String] = Libraries.absent

  /// Options that every plugin has without declaring them.
  package static let reservedOptions = ["memory_mb", "instructions"]
  /// Functions that declare; a site file may call only those that are not rules.
  package static let rules = ["on", "every", "after", "alert"]

  /// The table of the plugin's own: `state`, and what can be called on it.
  package static let stateText =
    "A table of the plugin's own. `state.save(\"key\", …)` names the keys that survive restarts of "
    + "live monitoring; all of it goes on when the file changes while that runs. What is kept is plain "
    + "data (strings, numbers, booleans, tables of these), and is there before the file is loaded: "
    + "write `state.seen = state.seen or {}`."
  package static let stateExample = ReferenceExample(
    """
    state.save("heard")
    on("sighting", function() state.heard = (state.heard or 0) + 1 end)
    """,
    test: """
      test "counts" {
        sightings = {
          { at = 0, ["until"] = 9, every = 1, url = "https://example.com/",
            address = "c2:35:33:30:25:50" },
        },
        alerts = {},
        finish = function(state) assert(state.heard == 10) end,
      }
      """)

  /// What can be called on a sighting.
  package static let copyText =
    "`s:copy()`: a table with the same fields, which can be kept, and be given fields of your own."
  package static let copyExample = ReferenceExample(
    """
    local last
    on("sighting", function(s) last = s:copy() end)
    on("finish", function() print(last.kind, last.id) end)
    """,
    test: """
      test "keeps the last one" {
        sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
        alerts = {},
        print = { "eddystone-url\\thttps://example.com/" },
      }
      """)

  package static func function(_ name: String) -> ReferenceFunction? {
    functions.first { $0.name == name }
  }

  package static func event(_ name: String) -> ReferenceEvent? { events.first { $0.name == name } }

  package static func record(_ name: String) -> ReferenceRecord? {
    records.first { $0.name == name }
  }

  package static func library(_ name: String) -> ReferenceLibrary? {
    libraries.first { $0.name == name }
  }

  /// Every example, by the name of what it shows: `region`, `on exit`, `ibeacon`, `string`.
  package static var examples: [(name: String, example: ReferenceExample)] {
    functions.map { ($0.name, $0.example) }
      + events.map { ("on \($0.name)", $0.example) }
      + sightingKinds.map { ($0.name, $0.example) }
      + [("state", stateExample), ("copy", copyExample)]
      + libraries.compactMap { library in
        library.example.map { (library.name.isEmpty ? "base" : library.name, $0) }
      }
  }
}
