/// What a Lua value may be, as the reference, the checker and editors see it.
package indirect enum ReferenceType: Sendable, Hashable {
  case any, nothing, boolean, integer, number, string
  /// One of these strings.
  case words([String])
  /// A sequence.
  case list(ReferenceType)
  /// Any of these.
  case either([ReferenceType])
  /// A table with the keys, or a value with the fields, of the `ReferenceRecord` of that name.
  case record(String)
  /// A table of names with values of the plugin's own.
  case values
  /// Parameters and what is returned.
  case function([ReferenceParameter], returns: [ReferenceType])

  /// As LuaCATS writes it.
  package var text: String {
    switch self {
    case .any: return "any"
    case .nothing: return "nil"
    case .boolean: return "boolean"
    case .integer: return "integer"
    case .number: return "number"
    case .string: return "string"
    case .words(let words): return words.map { "\"\($0)\"" }.joined(separator: "|")
    case .list(let element):
      let text = element.text
      return element.isSimple ? text + "[]" : "(\(text))[]"
    case .either(let types): return types.map(\.text).joined(separator: "|")
    case .record(let name): return "beacontrace.\(name)"
    case .values: return "table<string, string|number|boolean>"
    case .function(let parameters, let returns):
      let list = parameters.map { "\($0.name): \($0.type.text)" }.joined(separator: ", ")
      let answer = returns.map(\.text).joined(separator: ", ")
      return "fun(\(list))" + (answer.isEmpty ? "" : ": \(answer)")
    }
  }

  /// As people read it: «a number», «one of "info", "notice"».
  package var words: String {
    switch self {
    case .any: "any value"
    case .nothing: "nil"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .number: "a number"
    case .string: "a string"
    case .words(let words): Self.choice(words.map { "\"\($0)\"" })
    case .list(let element): "a list, each \(element.words)"
    case .either(let types): types.map(\.words).joined(separator: ", or ")
    case .record(let name): name == "sighting" ? "a sighting" : "a table (\(name))"
    case .values: "a table of strings, numbers and booleans"
    case .function: "a function"
    }
  }

  private static func choice(_ words: [String]) -> String {
    words.count == 1 ? words[0] : "one of " + words.joined(separator: ", ")
  }

  private var isSimple: Bool {
    switch self {
    case .words(let words): words.count == 1
    case .either, .function: false
    default: true
    }
  }
}

/// A parameter of a function, in its place.
package struct ReferenceParameter: Sendable, Hashable {
  package let name: String
  package let type: ReferenceType
  package let isOptional: Bool
  /// A clause: what it means, and its unit; may be empty.
  package let text: String

  package init(_ name: String, _ type: ReferenceType, optional: Bool = false, _ text: String = "") {
    self.name = name
    self.type = type
    isOptional = optional
    self.text = text
  }
}

/// When a function may be called.
package enum ReferencePlace: String, Sendable {
  /// While the file is loaded, outside every handler.
  case loading = "at the top of the file"
  /// In handlers and in what they call.
  case handling = "in handlers"
  case anywhere
  /// In `NAME.test.lua` alone.
  case tests = "in test files"
}

/// How a function is written.
package enum ReferenceForm: Sendable {
  /// `on("enter", f)`
  case plain
  /// `alert { … }`
  case table
  /// `region "lobby" { … }`
  case nameThenTable
}

/// A function that plugins call.
package struct ReferenceFunction: Sendable {
  package let name: String
  package let form: ReferenceForm
  /// In their order. Of `nameThenTable` the name and the table.
  package let parameters: [ReferenceParameter]
  /// Whether more arguments may follow.
  package let takesMore: Bool
  package let returns: [ReferenceType]
  package let place: ReferencePlace
  package let text: String
  package let example: ReferenceExample

  package init(
    _ name: String, form: ReferenceForm = .plain, _ parameters: [ReferenceParameter],
    takesMore: Bool = false, returns: [ReferenceType] = [], _ place: ReferencePlace, _ text: String,
    _ example: ReferenceExample
  ) {
    self.name = name
    self.form = form
    self.parameters = parameters
    self.takesMore = takesMore
    self.returns = returns
    self.place = place
    self.text = text
    self.example = example
  }

  /// As it is called: `every(seconds, handler)`.
  package var signature: String {
    var names = parameters.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    if takesMore { names.append("…") }
    switch form {
    case .plain: return "\(name)(\(names.joined(separator: ", ")))"
    case .table: return "\(name) { … }"
    case .nameThenTable: return "\(name) \"name\" { … }"
    }
  }
}

/// A key of a table, or a field of an event or a sighting.
package struct ReferenceField: Sendable, Hashable {
  package let name: String
  package let type: ReferenceType
  /// Of numbers: `s`, `dBm`, `m`; empty where there is none.
  package let unit: String
  /// Whether it may be missing (of a key), or nil (of a field).
  package let isOptional: Bool
  /// One sentence.
  package let text: String

  package init(
    _ name: String, _ type: ReferenceType, _ unit: String, optional: Bool = false, _ text: String
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    isOptional = optional
    self.text = text
  }
}

extension ReferenceField {
  /// One without a unit.
  package init(_ name: String, _ type: ReferenceType, optional: Bool = false, _ text: String) {
    self.init(name, type, "", optional: optional, text)
  }
}

/// A table that plugins write or read, with the keys it has.
package struct ReferenceRecord: Sendable {
  package let name: String
  package let text: String
  package let fields: [ReferenceField]
  /// Whether plugins write it (unknown keys are errors); else it is read.
  package let isWritten: Bool

  package init(_ name: String, written: Bool = false, _ text: String, _ fields: [ReferenceField]) {
    self.name = name
    self.text = text
    self.fields = fields
    isWritten = written
  }
}

/// Something that happens, which `on` waits for.
package struct ReferenceEvent: Sendable {
  package let name: String
  package let text: String
  /// What the handler is given: a handle of a sighting, or a table of its own.
  package let isSighting: Bool
  /// In the order of the exports. Of sightings those of every kind.
  package let fields: [ReferenceField]
  package let example: ReferenceExample

  package init(
    _ name: String, sighting: Bool = false, _ text: String, _ fields: [ReferenceField],
    _ example: ReferenceExample
  ) {
    self.name = name
    self.text = text
    isSighting = sighting
    self.fields = fields
    self.example = example
  }
}

/// A kind of sighting, and the fields that only some kinds have.
package struct ReferenceKind: Sendable {
  package let name: String
  package let text: String
  package let fields: [ReferenceField]
  package let example: ReferenceExample

  package init(
    _ name: String, _ text: String, _ fields: [ReferenceField], _ example: ReferenceExample
  ) {
    self.name = name
    self.text = text
    self.fields = fields
    self.example = example
  }
}

/// A library of Lua as plugins find it.
package struct ReferenceLibrary: Sendable {
  /// Empty for the functions that stand by themselves.
  package let name: String
  package let text: String
  package let members: [String]
  /// What Lua has elsewhere and plugins have not, with the reason: one clause.
  package let absent: [String: String]
  package let example: ReferenceExample?
}

/// A whole plugin that runs, and the test that says what must come of it.
package struct ReferenceExample: Sendable {
  /// Text of `example.lua`.
  package let plugin: String
  /// Text of `example.test.lua`.
  package let test: String
  /// Texts of modules beside it, by their file's name.
  package let modules: [String: String]
  /// Recordings beside the test, by their file's name.
  package let captures: [String: [UInt8]]

  package init(
    _ plugin: String, test: String, modules: [String: String] = [:],
    captures: [String: [UInt8]] = [:]
  ) {
    self.plugin = plugin
    self.test = test
    self.modules = modules
    self.captures = captures
  }
}
