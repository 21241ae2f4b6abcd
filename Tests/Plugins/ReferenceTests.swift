import Plugins
import Testing

@testable import Regions

@Suite("The reference of plugins")
struct ReferenceTests {
  @Test("names everything once")
  func namesAreUnique() {
    func repeated(_ names: [String]) -> [String] {
      var seen: Set<String> = []
      return names.filter { !seen.insert($0).inserted }
    }
    #expect(repeated(Reference.functions.map(\.name)).isEmpty)
    #expect(repeated(Reference.events.map(\.name)).isEmpty)
    #expect(repeated(Reference.records.map(\.name)).isEmpty)
    #expect(repeated(Reference.examples.map(\.name)).isEmpty)
    for record in Reference.records { #expect(repeated(record.fields.map(\.name)).isEmpty) }
    for event in Reference.events { #expect(repeated(event.fields.map(\.name)).isEmpty) }
  }

  @Test("has a record for every type that it names")
  func recordsAreThere() {
    for type in types() {
      for name in Self.records(in: type) {
        let isThere = ["sighting", "event"].contains(name) || Reference.record(name) != nil
        #expect(isThere, "\(name)")
      }
    }
  }

  @Test("has every option that --region takes")
  func regionKeysAreThoseOfTheCommandLine() throws {
    let region = try #require(Reference.record("region"))
    let kinds = Set(RegionKinds.names + ["decoder", "contains"])
    let own = Set(region.fields.map(\.name)).subtracting(kinds)
    #expect(own.union(["address"]) == Set(RegionOptions.names))
    let words = [
      "smoothing": SmoothingFilter.all.map(\.name), "distance_model": DistanceModel.all.map(\.name),
    ]
    for (name, names) in words {
      #expect(region.fields.first { $0.name == name }?.type == .words(names))
    }
  }

  @Test("has a test for every example, and an example for every name")
  func examplesAreComplete() {
    for (name, example) in Reference.examples {
      #expect(example.test.contains("test \""), "\(name)")
      for file in example.captures.keys { #expect(example.test.contains("\"\(file)\"")) }
    }
    let names = Set(Reference.examples.map(\.name))
    let needed =
      Reference.functions.map(\.name) + Reference.events.map { "on \($0.name)" }
      + Reference.sightingKinds.map(\.name)
    #expect(needed.allSatisfy(names.contains))
  }

  private func types() -> [ReferenceType] {
    var types: [ReferenceType] = []
    for function in Reference.functions {
      types += function.parameters.map(\.type)
      types += function.returns
    }
    for event in Reference.events { types += event.fields.map(\.type) }
    for record in Reference.records { types += record.fields.map(\.type) }
    return types
  }

  private static func records(in type: ReferenceType) -> [String] {
    switch type {
    case .record(let name): [name]
    case .list(let element): records(in: element)
    case .either(let types): types.flatMap(records)
    case .function(let parameters, let returns):
      (parameters.map(\.type) + returns).flatMap(records)
    default: []
    }
  }

  @Test("What has another name here is found by the word for it, or by its text")
  func searches() throws {
    let timers = try #require(ReferenceText.search("timer"))
    for name in ["every", "after", "cancel"] {
      #expect(timers.contains("  \(name) "), "\(timers)")
    }
    #expect(ReferenceText.search("TZ")?.contains("utc_offset") == true)
    let window = try #require(ReferenceText.search("window"))
    #expect(window.contains("  beacontrace.stats") && !window.contains("  exit"))
    #expect(ReferenceText.search("xyzzy") == nil)
    #expect(timers.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
