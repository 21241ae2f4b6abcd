import CLuaGuard

/// Names as C needs them, for as long as a state lives.
@safe final class LuaNames {
  let functions: UnsafeMutablePointer<UnsafePointer<CChar>?>
  let functionCount: Int
  let fields: UnsafeMutablePointer<guard_field>
  let fieldCount: Int
  let handle: UnsafeMutablePointer<CChar>

  init(_ functionNames: [String], _ fieldNames: [(String, guard_field_source)], handle: String) {
    functionCount = functionNames.count
    fieldCount = fieldNames.count
    unsafe functions = .allocate(capacity: max(functionCount, 1))
    unsafe fields = .allocate(capacity: max(fieldCount, 1))
    for (index, name) in functionNames.enumerated() {
      unsafe (functions + index).initialize(to: UnsafePointer(Self.copy(name)))
    }
    for (index, field) in fieldNames.enumerated() {
      unsafe (fields + index).initialize(
        to: guard_field(name: Self.copy(field.0), source: field.1))
    }
    unsafe self.handle = Self.copy(handle)
  }

  deinit {
    for index in 0..<functionCount { unsafe functions[index]?.deallocate() }
    for index in 0..<fieldCount { unsafe fields[index].name.deallocate() }
    unsafe functions.deallocate()
    unsafe fields.deallocate()
    unsafe handle.deallocate()
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    unsafe place.initialize(from: bytes, count: bytes.count)
    return unsafe place
  }
}
