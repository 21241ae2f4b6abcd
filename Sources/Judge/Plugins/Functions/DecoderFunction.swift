import Beacons

/// `decoder "ruuvi" { company = 0x0499, decode = function(ad, adv) … end }`
extension PluginFunction {
  static let decoder = PluginFunction(name: "_decoder") { plugin, arguments throws(LuaMessage) in
    try plugin.needLoading("decoder")
    guard let name = arguments.first?.text, !name.isEmpty, arguments.count > 1 else {
      throw LuaMessage("decoder: write decoder \"name\" { … }")
    }
    guard name.utf8.allSatisfy(PluginFile.isOfName) else {
      throw LuaMessage("decoder '\(name)': a name has letters, digits, - and _ only")
    }
    let interests = ["company", "service", "ad_type"]
    let reader = try DeclarationReader(
      arguments[1], "decoder '\(name)'", keys: interests + ["decode"])
    guard let decode = try reader.function("decode") else {
      throw LuaMessage(
        "decoder '\(name)': decode is missing; write decode = function(ad, adv) … end")
    }
    let company = try reader.integer("company", in: 0...0xFFFF)
    let service = try reader.integer("service", in: 0...0xFFFF)
    let type = try reader.integer("ad_type", in: 0...0xFF)
    let interest: CustomInterest.Structure
    switch (company, service, type) {
    case (let company?, nil, nil): interest = .company(UInt16(company))
    case (nil, let service?, nil): interest = .service(UInt16(service))
    case (nil, nil, let type?): interest = .adType(UInt8(type))
    default:
      throw LuaMessage(
        "decoder '\(name)': write one of \(interests.joined(separator: ", ")): what it is asked about"
      )
    }
    guard !plugin.declared.decoders.contains(where: { $0.name == name }) else {
      throw LuaMessage("decoder '\(name)' is declared twice")
    }
    plugin.declared.decoders.append(
      DecoderDeclaration(name: name, interest: interest, decode: decode))
    return .none
  }
}
