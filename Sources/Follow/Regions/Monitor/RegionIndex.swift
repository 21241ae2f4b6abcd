import Beacons
import FrameDecoder

/// Which regions an identity lies in: a few look-ups, however many regions there are.
struct RegionIndex: Sendable {
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

  private var forms: [Form] = []
  private var byIdentity: [Key: [UInt32]] = [:]
  private var byAddress: [UInt64: [UInt32]] = [:]
  private var urls: [String: [UInt32]] = [:]
  /// By beginning, and the lengths in bytes that beginnings have.
  private var beginnings: [String: [UInt32]] = [:]
  private var lengths: [Int] = []
  private var names: [String: [UInt32]] = [:]
  private var customs: [UInt32] = []
  /// Conditions on the advertiser that the look-up has not decided.
  private var addresses: [UInt32: UInt64] = [:]

  /// Circles are not for identities: they are left out.
  mutating func add(_ region: Region, _ number: UInt32) {
    if case .identity(let prefix) = region.condition {
      let form = Form(
        kind: prefix.kind, count: Int(prefix.identity.count), hasAddress: region.address != nil)
      if !forms.contains(form) { forms.append(form) }
      byIdentity[Key(prefix: prefix, address: region.address), default: []].append(number)
      return
    }
    if let address = region.address { addresses[number] = address }
    switch region.condition {
    case .url(let text, isPrefix: false): urls[text, default: []].append(number)
    case .url(let text, isPrefix: true):
      if !lengths.contains(text.utf8.count) { lengths.append(text.utf8.count) }
      beginnings[text, default: []].append(number)
    case .resolvedEID(let name): names[name, default: []].append(number)
    case .address(let address): byAddress[address, default: []].append(number)
    case .custom: customs.append(number)
    case .identity, .circle: break
    }
  }

  /// Numbers of the regions, in order of definition.
  /// - Parameters:
  ///   - bytes: of the identity, asked for only where they are needed.
  ///   - name: of a resolved EID.
  func regions(
    of identity: BeaconIdentity, address: DeviceAddress, bytes: () -> [UInt8], name: () -> String?
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
    if identity.kind == .eddystoneURL, !urls.isEmpty || !lengths.isEmpty {
      others += regions(url: EddystoneURL.identityText(bytes()))
    }
    if identity.kind == .eddystoneEID, !names.isEmpty, let name = name() {
      others += names[name] ?? []
    }
    found += others.filter { addresses[$0] == nil || addresses[$0] == address }
    return found.sorted()
  }

  private func regions(url: String) -> [UInt32] {
    var found = urls[url] ?? []
    for length in lengths where length <= url.utf8.count {
      found += beginnings[String(decoding: url.utf8.prefix(length), as: UTF8.self)] ?? []
    }
    return found
  }
}
