/// Identities where people read them beside other things.
package enum ShortIdentity {
  /// A UUID or a long id with its middle left out: `f782…893e:1:7`. Both ends stay: those of one maker
  /// often begin alike.
  package static func text(_ id: String) -> String {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false)
    guard let first = parts.first, first.count > 16, !id.hasPrefix("http") else { return id }
    return ([first.prefix(4) + "…" + first.suffix(4)] + parts.dropFirst()).joined(separator: ":")
  }
}
