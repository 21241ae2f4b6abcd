import Analysis
import Beacons
import CLuaGuard
import CaptureReader
import FrameDecoder

/// The fields of one sighting.
struct SightingValues {
  let whole: Sighting
  let address: DeviceAddress
  let identity: BeaconIdentity
  let table: IdentityTable
  let observer: String
  let capture: String

  init(_ judged: JudgedSighting, _ view: RunView) {
    let transmitter = view.transmitters[judged.brief.transmitter]
    whole = judged.whole
    address = transmitter.address
    identity = view.identities[transmitter.identity]
    table = view.identities
    observer = view.observers[Int(transmitter.observer)]
    capture = view.captures[Int(judged.capture)]
  }

  /// Outside of a run that is followed: by the capture's own numbers.
  init(_ sighting: Sighting, _ context: CaptureContext) {
    whole = sighting
    address = sighting.address
    identity = context.identities[sighting.identity]
    table = context.identities
    observer = context.observers[Int(sighting.observer)]
    capture = context.name
  }

  func value(_ name: String) -> LuaValue {
    switch name {
    case "capture": return .text(capture)
    case "observer": return .text(observer)
    case "phy": return whole.phy.name.map { .text("\($0)") } ?? .none
    case "warnings": return warnings
    case "address", "address_type", "device", "kind", "id":
      return TransmitterValues.value(name, address, identity, table)
    default:
      let format = BeaconFormats.format(identity.kind)
      if name == "company", case .always(let company) = format.company {
        return .integer(Int64(company))
      }
      let fields = format.fields(of: whole, id: identity, table)
      return fields.first { "\($0.name)" == name }.map { LuaValue($0.value) } ?? .none
    }
  }

  private var warnings: LuaValue {
    var names: [String] = []
    for (bit, name) in BeaconWarnings.names.enumerated()
    where whole.warnings.rawValue & (1 << UInt32(bit)) != 0 { names.append("\(name)") }
    for (bit, name) in FrameWarnings.names.enumerated()
    where whole.frameWarnings.rawValue & (1 << UInt64(bit)) != 0 && !names.contains("\(name)") {
      names.append("\(name)")
    }
    return names.isEmpty ? .none : .table(LuaTable(list: names.map { .text($0) }))
  }

  /// For the handle.
  /// - Parameter clock: the run's, nanoseconds.
  static func handle(_ sighting: Sighting, transmitter: UInt32, clock: Int64, place: Int = 0)
    -> guard_sighting
  {
    guard_sighting(
      time: sighting.time.nanoseconds, frame: Int64(sighting.frame), clock: clock,
      transmitter: transmitter, place: Int32(truncatingIfNeeded: place), report: sighting.index,
      rssi: sighting.rssi,
      channel: sighting.channel)
  }
}
