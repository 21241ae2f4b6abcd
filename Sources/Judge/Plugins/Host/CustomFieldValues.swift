import Analysis
import Beacons

extension JudgedSighting {
  /// What a plugin's decoder found, as Lua has it; nil where no decoder made it, or found no fields.
  var customFields: LuaValue {
    guard whole.kind == .custom, !fields.isEmpty else { return .none }
    var table = LuaTable()
    for (name, value) in fields { table.set(name, LuaValue(value)) }
    return .table(table)
  }
}

extension LuaValue {
  init(_ value: CustomValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .int(let number): self = .integer(Int64(number))
    case .number(let number): self = .number(number)
    case .flag(let flag): self = .flag(flag)
    }
  }
}

extension CustomValue {
  /// Nil for what no field can be.
  init?(_ value: LuaValue) {
    switch value {
    case .bytes: self = .text(value.text ?? "")
    case .integer(let number): self = .int(Int(number))
    case .number(let number): self = .number(number)
    case .flag(let flag): self = .flag(flag)
    default: return nil
    }
  }
}
