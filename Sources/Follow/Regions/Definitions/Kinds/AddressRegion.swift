extension RegionKind {
  /// Anything that one advertiser sends.
  static let address: RegionKind = RegionKind(
    name: "address", form: "ADDRESS", example: "c2:35:33:30:25:50",
    parse: { spec throws(SettingProblem) in .address(try SettingText.address(spec, "address")) },
    write: { condition in
      guard case .address(let address) = condition else { return nil }
      return SettingText.text(address: address)
    })
}
