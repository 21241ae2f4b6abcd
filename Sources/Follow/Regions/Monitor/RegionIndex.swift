package import Beacons
package import FrameDecoder

/// Which regions an identity lies in: a few look-ups, however many regions there are.
package struct RegionIndex: Sendable {
  package init() {}

  private struct Key: Hashable, Sendable {
    let prefix: IdentityPrefix
    /// nil: any advertiser.
    let address: UInt64?
  }

  /// Forms of keys that there are, so that others are not looked for.
  private struct Form: Hashable, Sendable {
    let kind: BeaconKind
    let count: Int
    let hasAddress: Bool
  }

  private struct Text: Hashable, Sendable {
    let kind: BeaconKind
    let text: String
  }

  private var forms: [Form] = []
  private var byIdentity: [Key: [UInt32]] = [:]
  private var byAddress: [UInt64: [UInt32]] = [:]
  private var texts: [Text: [UInt32]] = [:]
  /// By beginning, and the lengths in bytes that beginnings have.
  private var beginnings: [Text: [UInt32]] = [:]
  private var lengths: [Int] = []
  private var kindsOfTexts: Set<BeaconKind> = []
  private var customs: [UInt32] = []
  /// Conditions on the advertiser that the look-up has not decided.
  private var addresses: [UInt32: UInt64] = [:]
  private var devices: [UInt32: String] = [:]

  /// Circles are not for identities: they are left out.
  package mutating func add(_ region: Region, _ number: UInt32) {
    if let device = region.device { devices[number] = device }
    if case .identity(let prefix) = region.condition {
      let form = Form(
        kind: prefix.kind, count: Int(prefix.identity.count), hasAddress: region.address != nil)
      if !forms.contains(form) { forms.append(form) }
      byIdentity[Key(prefix: prefix, address: region.address), default: []].append(number)
      return
    }
    if let address = region.address { addresses[number] = address }
    switch region.condition {
    case .text(let kind, let text, let isPrefix):
      kindsOfTexts.insert(kind)
      if isPrefix {
        if !lengths.contains(text.utf8.count) { lengths.append(text.utf8.count) }
        beginnings[Text(kind: kind, text: text), default: []].append(number)
      } else {
        texts[Text(kind: kind, text: text), default: []].append(number)
      }
    case .address(let address): byAddress[address, default: []].append(number)
    case .custom: customs.append(number)
    case .identity, .circle: break
    }
  }

  /// Numbers of the regions, in order of definition.
  /// - Parameters:
  ///   - device: who has the address, asked for only where it is needed; nil: nobody's.
  ///   - bytes: of the identity, asked for only where they are needed.
  package func regions(
    of identity: BeaconIdentity, address: DeviceAddress, device: () -> String? = { nil },
    bytes: () -> [UInt8]
  ) -> [UInt32] {
    let found = regions(of: identity, address, bytes)
    guard !devices.isEmpty, found.contains(where: { devices[$0] != nil }) else { return found }
    let device = device()
    return found.filter { devices[$0] == nil || devices[$0] == device }
  }

  private func regions(
    of identity: BeaconIdentity, _ address: DeviceAddress, _ bytes: () -> [UInt8]
  ) -> [UInt32] {
    let address: UInt64? = address.isPresent ? address.address : nil
    var found: [UInt32] = []
    for form in forms where form.kind == identity.kind {
      guard let prefix = IdentityPrefix(of: identity, count: form.count),
        !form.hasAddress || address != nil
      else { continue }
      found += byIdentity[Key(prefix: prefix, address: form.hasAddress ? address : nil)] ?? []
    }
    var others = customs
    if let address { others += byAddress[address] ?? [] }
    if kindsOfTexts.contains(identity.kind) {
      let text = BeaconFormats.format(identity.kind).identityText(bytes())
      others += regions(Text(kind: identity.kind, text: text))
    }
    found += others.filter { addresses[$0] == nil || addresses[$0] == address }
    return found.sorted()
  }

  private func regions(_ whole: Text) -> [UInt32] {
    var found = texts[whole] ?? []
    for length in lengths where length <= whole.text.utf8.count {
      let beginning = String(decoding: whole.text.utf8.prefix(length), as: UTF8.self)
      found += beginnings[Text(kind: whole.kind, text: beginning)] ?? []
    }
    return found
  }
}
