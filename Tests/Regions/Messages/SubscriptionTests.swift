import Regions
import Testing
import TrackReader

@Suite struct SubscriptionTests {
  private func message(_ beacon: String, _ namespace: String = "n", _ type: String = "t") throws
    -> BeaconMessage
  {
    BeaconMessage(
      beacon: try MessageBeacon(beacon), namespace: namespace, type: type, content: .text(""))
  }

  @Test func bothKindsOfBeaconsAreOnByDefault() throws {
    let subscription = try Subscription("")
    #expect(subscription == Subscription())
    #expect(subscription.iBeacon && subscription.eddystone)
    #expect(!subscription.background && !subscription.lowPower)
    #expect(subscription.text == "")
  }

  @Test(arguments: [
    "namespace=a b", "type=x=y", "ibeacon=no", "eddystone=no", "background=yes", "low_power=yes",
    "namespace=n,type=t,ibeacon=no,eddystone=no,background=yes,low_power=yes",
  ])
  func aSubscriptionIsWrittenAsItIsRead(_ text: String) throws {
    #expect(try Subscription(text).text == text)
  }

  @Test func itTakesWhatItsFiltersLetThrough() throws {
    let uuid = MessageBeaconTests.uuid
    let offered = try [
      message("ibeacon:\(uuid)"), message("eid:0001020304050607"),
      message("url:https://a.b/*", "n", "u"), message("altbeacon:\(uuid)", "m"),
    ]
    let taken = { (text: String) in
      let subscription = try Subscription(text)
      return offered.map { subscription.takes($0) }
    }
    #expect(try taken("") == [true, true, true, true])
    #expect(try taken("ibeacon=no") == [false, true, true, true])
    #expect(try taken("eddystone=no,ibeacon=true") == [true, false, false, true])
    #expect(try taken("namespace=n") == [true, true, true, false])
    #expect(try taken("namespace=n,type=u") == [false, false, true, false])
    #expect(try taken("namespace=N") == [false, false, false, false])
  }

  @Test(arguments: [
    (
      "namespac=x",
      "subscription 'namespac=x': namespac: is unknown; the keys are namespace, type, ibeacon, "
        + "eddystone, background, low_power."
    ),
    ("ibeacon=maybe", "ibeacon: has to be yes or no, not 'maybe'."),
    ("type=", "type: has no value."), ("type", "type: has no value."),
    ("type=a,type=b", "type: is given twice."), (",", "is unknown"),
  ])
  func aMistakeIsToldWithItsKey(_ text: String, _ sentence: String) {
    let problem = #expect(throws: TextProblem.self) { try Subscription(text) }
    #expect(problem?.description.contains(sentence) == true)
  }
}

extension Subscription {
  /// What `init` would read it from: keys that are not as by default.
  fileprivate var text: String {
    let values: [(String, String?)] = [
      ("namespace", namespace), ("type", type), ("ibeacon", iBeacon ? nil : "no"),
      ("eddystone", eddystone ? nil : "no"), ("background", background ? "yes" : nil),
      ("low_power", lowPower ? "yes" : nil),
    ]
    return values.compactMap { key, value in value.map { "\(key)=\($0)" } }.joined(separator: ",")
  }
}
