package import Beacons

/// Which beacons carry a message, written as regions are: `ibeacon:UUID[:MAJOR[:MINOR]]`,
/// `eddystone:NAMESPACE[:INSTANCE]`, `url:URL` or `url:BEGINNING*`, `eid:HEX`,
/// `altbeacon:ID1[:ID2[:ID3]]`.
package struct MessageBeacon: Sendable, Equatable {
  package enum Match: Hashable, Sendable {
    /// Identities that begin with these bytes.
    case bytes(BeaconKind, [UInt8])
    /// Identities of a kind by their text: URLs.
    case text(BeaconKind, String, isPrefix: Bool)
  }
  /// What subscriptions tell apart [NM].
  package enum Family: Sendable { case iBeacon, eddystone, other }

  /// As it was written.
  package let text: String
  package let match: Match

  package var family: Family {
    switch match {
    case .bytes(.iBeacon, _): .iBeacon
    case .bytes(.eddystoneUID, _), .bytes(.eddystoneEID, _), .bytes(.eddystoneResolved, _),
      .text(.eddystoneURL, _, _):
      .eddystone
    case .bytes, .text: .other
    }
  }

  /// The key whose beacon carries it; nil for others.
  package var key: String? {
    guard case .bytes(.eddystoneResolved, let bytes) = match else { return nil }
    return EddystoneResolved.identityText(bytes)
  }

  private static let kinds = RegionKinds.all.filter(\.namesBeacons)

  /// - Throws: one clause: what is wrong, and what is allowed.
  package init(_ text: String) throws(MessageBeaconProblem) {
    let name = text.prefix { $0 != ":" }
    guard name.count < text.count, let kind = Self.kinds.first(where: { $0.name == name }) else {
      let forms = Self.kinds.map { "\($0.name):\($0.form)" }.joined(separator: ", ")
      throw MessageBeaconProblem(text: "'\(text.prefix(80))' is none of \(forms)")
    }
    guard let condition = try? RegionKinds.condition(text), let match = Match(condition) else {
      throw MessageBeaconProblem(
        text: "'\(text.prefix(80))' is not of the form \(kind.name):\(kind.form)")
    }
    self.text = text
    self.match = match
  }
}

extension MessageBeacon.Match {
  /// Nil for what is no identity as it is sent.
  fileprivate init?(_ condition: RegionCondition) {
    switch condition {
    case .identity(let prefix): self = .bytes(prefix.kind, prefix.bytes)
    case .text(let kind, let text, let isPrefix): self = .text(kind, text, isPrefix: isPrefix)
    case .address, .circle, .custom: return nil
    }
  }
}

/// Why a text names no beacon: one clause.
package struct MessageBeaconProblem: Error, Sendable, Equatable {
  package let text: String
}
