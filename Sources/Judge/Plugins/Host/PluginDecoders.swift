import Analysis
package import Beacons
import CaptureReader
import FrameDecoder

/// The decoders of plugins. They run in Lua states of their own, as their files are loaded a second
/// time: decoding goes on ahead of the rules, beside them.
///
/// Unchecked: it belongs to whoever decodes; before and after that to its maker.
package final class PluginDecoders: CustomDecoding, @unchecked Sendable {
  private struct Decoder {
    let plugin: Plugin
    let declaration: DecoderDeclaration
  }

  let plugins: [Plugin]
  private let decoders: [Decoder]
  package let interests: [CustomInterest]
  package var names: [String] { decoders.map(\.declaration.name) }

  /// - Parameter plugins: loaded for decoding, in their order.
  init(_ plugins: [Plugin]) {
    self.plugins = plugins
    decoders = plugins.flatMap { plugin in
      plugin.declared.decoders.map { Decoder(plugin: plugin, declaration: $0) }
    }
    interests = decoders.enumerated().map { number, decoder in
      CustomInterest(decoder.declaration.interest, decoder: number)
    }
  }

  package func decode(
    _ structure: CustomStructure
  ) throws(CustomDecodingFailure) -> CustomBeacon? {
    let decoder = decoders[structure.decoder]
    let (plugin, name) = (decoder.plugin, decoder.declaration.name)
    if structure.time.isKnown { plugin.moment.move(to: structure.time) }
    plugin.wasCalled = true
    let answer = plugin.ask(
      decoder.declaration.decode,
      [.table(Self.structure(structure)), .table(Self.advertisement(structure))],
      during: { "decode of '\(name)', frame \(structure.frame)" },
      read: { answer throws(LuaProblem) -> CustomBeacon?? in
        do throws(LuaMessage) {
          return .some(try Self.beacon(name, answer))
        } catch {
          throw LuaProblem(
            limit: .error,
            message:
              "\(plugin.place(of: decoder.declaration.decode)): decoder '\(name)' \(error.text)",
            traceback: [])
        }
      })
    guard let answer else { throw CustomDecodingFailure(isSwitchedOff: !plugin.isOn) }
    return answer
  }

  /// The plugin of a decoder, as it was loaded for decoding.
  func plugin(ofDecoder number: Int) -> Plugin? {
    decoders.indices.contains(number) ? decoders[number].plugin : nil
  }

  private static func structure(_ structure: CustomStructure) -> LuaTable {
    var table = LuaTable()
    table.set("type", .integer(Int64(structure.type)))
    table.set("company", structure.company.map { .integer(Int64($0)) })
    table.set("service", structure.service.map { .integer(Int64($0)) })
    table.set("data", .bytes(structure.data))
    return table
  }

  private static func advertisement(_ structure: CustomStructure) -> LuaTable {
    var table = LuaTable()
    table.set("time", LuaValue(structure.time))
    table.set("frame", .integer(Int64(structure.frame)))
    table.set("address", TransmitterValues.address(structure.address))
    table.set("address_type", .text("\(structure.address.kindName)"))
    if structure.rssi != 127 { table.set("rssi", .integer(Int64(structure.rssi))) }
    table.set("data", .bytes(structure.advertisement))
    return table
  }

  private static func beacon(_ name: String, _ answer: LuaValue) throws(LuaMessage)
    -> CustomBeacon?
  {
    switch answer {
    case .none, .flag(false): return nil
    case .table: break
    default: throw LuaMessage("returned \(answer.shown); return { id = …, fields = {…} } or nil")
    }
    let reader = try DeclarationReader(answer, "returned", keys: ["id", "fields"])
    let table = reader.table
    guard let id = table["id"].text ?? table["id"].integer.map({ "\($0)" }), !id.isEmpty else {
      throw LuaMessage("returned an id that is \(table["id"].shown); a string is needed")
    }
    var fields: CustomFields = []
    let given = table["fields"]
    if !given.isNone {
      guard case .table(let found) = given else { throw reader.wrong("fields", given, "a table") }
      for (key, value) in found.pairs {
        guard let name = key.text, let value = CustomValue(value) else {
          throw LuaMessage(
            "returned a field \(key.shown) that is \(value.shown); names of strings, numbers, true "
              + "and false are needed")
        }
        fields.append((name, value))
      }
    }
    return CustomBeacon(name: name, id: id, fields: fields)
  }
}
