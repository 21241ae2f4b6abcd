import Foundation
import Testing

@testable import Plugins

@Suite("Reading Lua")
struct LuaParserTests {
  /// Texts that are Lua, and texts that are none; each for a rule of the grammar.
  static let corpus: [String] = LuaCorpus.valid + LuaCorpus.invalid

  private static func accepts(_ text: String) -> Bool {
    (try? LuaProgram.parse(Array(text.utf8))) != nil
  }

  @Test("accepts Lua", arguments: LuaCorpus.valid)
  func acceptsLua(_ text: String) { #expect(Self.accepts(text)) }

  @Test("refuses what is none", arguments: LuaCorpus.invalid)
  func refusesOthers(_ text: String) { #expect(!Self.accepts(text)) }

  @Test("says what Lua says, and where", arguments: LuaCorpus.messages)
  func saysWhatLuaSays(_ text: String, _ line: Int, _ message: String) {
    let findings = PluginCheck.findings(in: Array(text.utf8), .plugin)
    #expect(findings.map(\.text) == [message])
    #expect(findings.map(\.place.line) == [line])
  }

  @Test("accepts exactly what Lua's own compiler accepts")
  func agreesWithLua() throws {
    guard let lua = Self.lua else {
      print("skipped: no lua5.4 in PATH to compare with")
      return
    }
    let texts = Self.corpus + LuaCorpus.mutations(seed: 7, count: 1500)
    let verdicts = try Self.verdicts(lua, texts)
    #expect(verdicts.count == texts.count)
    for (text, verdict) in zip(texts, verdicts) {
      #expect(Self.accepts(text) == verdict, "\(text)")
    }
  }

  // By its whole name: `lua` may be any version, such as the one that luacheck brings along.
  private static let lua: String? = ["/usr/bin/lua5.4", "/usr/local/bin/lua5.4"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether Lua compiles each text: one run for all of them.
  private static func verdicts(_ lua: String, _ texts: [String]) throws -> [Bool] {
    let input = URL(filePath: NSTemporaryDirectory()).appending(path: "corpus-\(UUID()).txt")
    defer { try? FileManager.default.removeItem(at: input) }
    var bytes: [UInt8] = []
    for text in texts { bytes += Array("\(text.utf8.count)\n".utf8) + Array(text.utf8) }
    try Data(bytes).write(to: input)
    let program = """
      local f = assert(io.open(arg[1], "rb"))
      while true do
        local count = f:read("n", "L")
        if not count then break end
        local text = count == 0 and "" or f:read(count)
        io.write(load(text, "=x", "t") and "1" or "0")
      end
      """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: lua)
    process.arguments = ["-e", "arg = { [[\(input.path)]] } " + program]
    process.standardOutput = output
    try process.run()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return answer.map { $0 == UInt8(ascii: "1") }
  }

  @Test("no cut and no mutation of an example stops it")
  func neverTraps() {
    for text in LuaCorpus.examples {
      let bytes = Array(text.utf8)
      for count in bytes.indices { _ = PluginCheck.findings(in: Array(bytes[..<count]), .plugin) }
    }
    for text in LuaCorpus.mutations(seed: 11, count: 1500) {
      _ = PluginCheck.findings(in: Array(text.utf8), .test)
    }
    for bytes in LuaCorpus.noise(seed: 3, count: 500) {
      _ = PluginCheck.findings(in: bytes, .plugin)
    }
  }

  @Test("depth has an end, length has none")
  func depthHasAnEnd() {
    func said(_ text: String) -> [String] {
      PluginCheck.findings(in: Array(text.utf8), .plugin).map(\.text)
    }
    let many = 30_000
    #expect(
      said("local a = " + String(repeating: "(", count: many)).first?.hasPrefix("C stack overflow")
        == true)
    #expect(
      said("local a = " + String(repeating: "{", count: many)).first?.hasPrefix("C stack overflow")
        == true)
    #expect(
      said(String(repeating: "do ", count: many)).first?.hasPrefix("C stack overflow") == true)
    #expect(said("local a = 1" + String(repeating: " + 1", count: many)).isEmpty)
    #expect(said("local a = {} print(a" + String(repeating: ".b", count: many) + ")").isEmpty)
    #expect(said("print" + String(repeating: "()", count: many)).isEmpty)
    #expect(said("local a = 1\n" + String(repeating: "do local a = a end\n", count: many)).isEmpty)
  }
}
