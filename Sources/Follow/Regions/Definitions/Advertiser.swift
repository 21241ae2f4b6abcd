import BeaconKeys

/// Who sends: an address, or a device by its name, whatever its address.
enum Advertiser {
  case address(UInt64)
  case device(String)

  /// From an address or the name of a device: a name has no colon.
  init(_ text: String) throws(SettingProblem) {
    let isName = (try? BeaconKey.check(name: text)) != nil && !SettingText.isAddress(text)
    guard !isName else {
      self = .device(text)
      return
    }
    do throws(SettingProblem) {
      self = .address(try SettingText.address(text, "address"))
    } catch {
      throw SettingText.bareAddress(text) == nil
        ? SettingProblem(error.what, allowed: error.allowed + ", or the name of a device") : error
    }
  }
}
