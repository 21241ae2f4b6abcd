/// What is wrong with a Lua file, found without running it.
package enum PluginCheck {
  package struct Finding: Sendable, Equatable {
    package enum Kind: String, Sendable {
      /// It will not run, or not as it says.
      case error
      /// It runs, but probably not as it was meant.
      case remark
    }
    package let kind: Kind
    package let place: LuaPlace
    /// One sentence.
    package let text: String

    /// `low-battery.lua:4: unknown field …`
    package func line(file: String) -> String {
      "\(file):\(place.line): \(kind == .remark ? "remark: " : "")\(text)"
    }
  }

  /// What sort of file it is: what it may call.
  package enum File: Sendable {
    case plugin
    /// `--site`: only declares.
    case site
    /// `NAME.test.lua`
    case test

    /// As a name says.
    package init(name: String) { self = name.hasSuffix(".test.lua") ? .test : .plugin }
  }

  /// What a run declares beside a file.
  struct Known {
    var regions: Set<String> = []
    var decoders: Set<String> = []
  }

  /// In the order of the text. Where it is no Lua, only the first mistake.
  package static func findings(in text: [UInt8], _ file: File) -> [Finding] {
    findings(in: text, file, beside: Known())
  }

  static func findings(in text: [UInt8], _ file: File, beside known: Known) -> [Finding] {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      let advice = "the file begins with a byte order mark; save it as UTF-8 without one"
      return [Finding(kind: .error, place: LuaPlace(line: 1, column: 1), text: advice)]
    }
    let program: LuaProgram
    do throws(LuaSyntaxError) {
      program = try LuaProgram.parse(text)
    } catch {
      let hint = PluginProblem.reservedWordHint(error.text, isTest: file == .test)
      return [Finding(kind: .error, place: error.place, text: error.sentence + hint)]
    }
    var checker = PluginChecker(program, file, beside: known)
    return checker.findings()
  }

  /// Whether a text returns something, for `require`.
  package static func isModule(_ text: [UInt8]) -> Bool {
    (try? LuaProgram.parse(text))?.returns.contains { $0.function == 0 } == true
  }

  /// A file called `name`.
  package static func findings(in text: String, name: String) -> [Finding] {
    findings(in: Array(text.utf8), File(name: name))
  }
}

/// Looks at every expression of a program once.
struct PluginChecker {
  let program: LuaProgram
  let file: PluginCheck.File
  let known: PluginCheck.Known
  /// What calls which function.
  let roles: FunctionRoles
  /// Globals that the program assigns, and expressions that are assigned to.
  let ownGlobals: Set<String>
  let targets: Set<Int>
  /// What is put into tables that hold nothing else.
  let kept: [LuaProgram.VariableNumber: [LuaProgram.ExpressionNumber]]
  let memo = ShapeMemo()
  /// Fields that the program adds to tables that it is given.
  var ownFields: Set<String> = []
  /// What globals are where a text is an expression over fields; several of a name are of several events.
  var outerFields: [ReferenceField] = []
  private(set) var found: [PluginCheck.Finding] = []

  init(_ program: LuaProgram, _ file: PluginCheck.File, beside known: PluginCheck.Known) {
    self.program = program
    self.file = file
    self.known = known
    roles = FunctionRoles(program)
    kept = KeptValues(program).values
    targets = Set(program.assignments.map(\.target))
    ownGlobals = Set(
      program.assignments.compactMap { assignment in
        guard case .global(let name, isPlain: true) = program.kind(assignment.target) else {
          return nil
        }
        return name
      })
  }

  mutating func findings() -> [PluginCheck.Finding] {
    for target in targets {
      if case .member(let base, let name) = program.kind(target), !shapes(of: base).isEmpty {
        ownFields.insert(name)
      }
    }
    for number in program.expressions.indices {
      checkName(number)
      checkField(number)
      checkCall(number)
      checkLateUse(number)
      checkMap(number)
      checkComparison(number)
    }
    checkAssignments()
    checkReturns()
    checkReturnedAlerts()
    checkUnregistered()
    checkUncertain()
    checkAnswers()
    checkRegionNames()
    checkSightingRegions()
    checkDecoderNames()
    checkSavedKeys()
    checkStateAssignments()
    checkMessageHandlers()
    checkRegionsTwice()
    checkSilencedRegions()
    checkDecoderVariables()
    checkOptions()
    return sorted()
  }

  /// What is said of the comparisons of an expression whose globals are fields.
  mutating func comparisons(over fields: [ReferenceField]) -> [PluginCheck.Finding] {
    outerFields = fields
    for number in program.expressions.indices { checkComparison(number) }
    return sorted()
  }

  mutating func error(_ text: String, at place: LuaPlace) {
    found.append(PluginCheck.Finding(kind: .error, place: place, text: text))
  }

  mutating func remark(_ text: String, at place: LuaPlace) {
    found.append(PluginCheck.Finding(kind: .remark, place: place, text: text))
  }

  func place(_ number: Int) -> LuaPlace { program.expressions[number].place }

  /// Each once: `f{…}` is looked at as a call and as what another call returns.
  private func sorted() -> [PluginCheck.Finding] {
    var seen: Set<String> = []
    let unique = found.filter {
      seen.insert("\($0.place.line):\($0.place.column):\($0.text)").inserted
    }
    return unique.enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element)
  }
}
