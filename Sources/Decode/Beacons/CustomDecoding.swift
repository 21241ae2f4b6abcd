public import CaptureReader
public import FrameDecoder

/// Who decodes beacons that no format here knows: somebody's own decoders, by number.
public protocol CustomDecoding: AnyObject, Sendable {
  /// What they want to be asked about; read once, before the first record.
  var interests: [CustomInterest] { get }
  /// Names of the decoders, by number: as identities begin with them.
  var names: [String] { get }

  /// Asked about each AD structure that an interest names, in every report that has one, in the order
  /// of the reports; of several decoders for one structure in the order of the interests. Not asked
  /// about what a built-in format claims, be it whole or damaged.
  /// - Returns: nil where it is no beacon of the decoder's.
  /// - Throws: where nobody knows: the decoder failed, or has been switched off.
  func decode(_ structure: CustomStructure) throws(CustomDecodingFailure) -> CustomBeacon?
}

extension CustomDecoding {
  public var names: [String] { [] }
}

/// A decoder gave no answer.
public struct CustomDecodingFailure: Error {
  /// Whether it is not going to be asked any more.
  public let isSwitchedOff: Bool

  public init(isSwitchedOff: Bool) { self.isSwitchedOff = isSwitchedOff }
}

/// AD structures that a decoder wants to be asked about.
public struct CustomInterest: Sendable, Equatable {
  public enum Structure: Sendable, Hashable {
    /// Manufacturer data of a company.
    case company(UInt16)
    /// Service data of a service with a 16-bit UUID.
    case service(UInt16)
    /// Any structure of an AD type.
    case adType(UInt8)
  }

  public let structure: Structure
  /// The decoder's number, which `CustomStructure.decoder` repeats.
  public let decoder: Int

  public init(_ structure: Structure, decoder: Int) {
    self.structure = structure
    self.decoder = decoder
  }
}

/// An AD structure that a decoder is asked about, and the report it came in.
public struct CustomStructure: Sendable {
  public let decoder: Int
  /// AD type.
  public let type: UInt8
  /// Of manufacturer data.
  public let company: UInt16?
  /// 16-bit UUID of service data.
  public let service: UInt16?
  /// What lies behind company or UUID, or behind the AD type where there is neither.
  public let data: [UInt8]
  /// All advertising data of the report.
  public let advertisement: [UInt8]
  /// Unknown where the record has none.
  public let time: Timestamp
  public let frame: Int
  public let address: DeviceAddress
  /// dBm; 127 where it is not available.
  public let rssi: Int8
}

/// A value of somebody's own: a field of a custom beacon, or of an alert.
public enum CustomValue: Sendable, Equatable {
  case text(String)
  case int(Int)
  case number(Double)
  case flag(Bool)
}

/// Such values by name, in the order in which they were given.
public typealias CustomFields = [(name: String, value: CustomValue)]

/// What a decoder made of a structure.
public struct CustomBeacon: Sendable {
  /// The decoder's name: no colon in it, as that ends it in an identity.
  public var name: String
  /// Which of the decoder's beacons it is; anything, of any length.
  public var id: String
  public var fields: CustomFields

  public init(name: String, id: String, fields: CustomFields = []) {
    self.name = name
    self.id = id
    self.fields = fields
  }
}

/// Decoders and what they want to be asked about, ready to be looked up.
struct CustomDecoders: Sendable {
  let decoding: any CustomDecoding
  private var byStructure: [CustomInterest.Structure: [Int]] = [:]

  init(_ decoding: any CustomDecoding) {
    self.decoding = decoding
    for interest in decoding.interests {
      byStructure[interest.structure, default: []].append(interest.decoder)
    }
  }

  /// Numbers of the decoders to be asked about a structure: first those of its company or service.
  func decoders(_ type: UInt8, company: UInt16?, service: UInt16?) -> [Int] {
    let own =
      company.map { CustomInterest.Structure.company($0) }
      ?? service.map { CustomInterest.Structure.service($0) }
    let byOwn = own.flatMap { byStructure[$0] } ?? []
    guard let byType = byStructure[.adType(type)] else { return byOwn }
    return byOwn + byType
  }
}

extension BeaconDecoder {
  /// `walk` where there are decoders or keys to be asked.
  @inline(never)
  mutating func walkAsking(
    _ data: RawSpan, _ report: borrowing AdvertisingReport
  ) -> FrameWarnings {
    isUndecided = false
    if !failed.isEmpty { failed.removeAll() }
    keepDevice(report)
    var walker = ADWalker()
    while walker.next(data) {
      let before = sightings.count
      let labelsBefore = labels
      isRefused = false
      take(walker, data, report)
      if sightings.count == before && !isRefused {
        ask(walker, data, report)
        // What is a sighting now is no other advertiser's report.
        if sightings.count > before { labels = labelsBefore }
      }
    }
    return walker.warnings
  }

  /// Asks whoever wants to be asked. Failures are noted.
  private mutating func ask(
    _ walker: ADWalker, _ data: RawSpan, _ report: borrowing AdvertisingReport
  ) {
    guard let custom else { return }
    let structure = data.extracting(walker.start..<(walker.start + walker.count))
    let number = structure.byteCount < 2 ? nil : structure.le16(0)
    let company = walker.type == ADType.manufacturerData.rawValue ? number : nil
    let service = walker.type == ADType.serviceData16.rawValue ? number : nil
    let decoders = custom.decoders(walker.type, company: company, service: service)
    guard !decoders.isEmpty else { return }
    isUndecided = true
    let skip = company == nil && service == nil ? 0 : 2
    let (bytes, advertisement) = (structure.array(), data.array())
    for decoder in decoders {
      let asked = CustomStructure(
        decoder: decoder, type: walker.type, company: company, service: service,
        data: Array(bytes[skip...]), advertisement: advertisement, time: report.time,
        frame: report.frame, address: report.address, rssi: report.rssi)
      do throws(CustomDecodingFailure) {
        if let beacon = try custom.decoding.decode(asked) { keep(beacon, report) }
      } catch {
        guard !failed.contains(decoder) else { continue }
        undecoded.append(
          UndecodedReport(
            time: report.time, frame: report.frame, observer: report.observer,
            failure(decoder, report, isOff: error.isSwitchedOff)))
      }
    }
  }

  /// - Parameter isOff: whether the decoder has been switched off.
  private mutating func failure(
    _ decoder: Int, _ report: borrowing AdvertisingReport, isOff: Bool
  ) -> Undecoded {
    let isFirst = failed.isEmpty
    failed.append(decoder)
    return Undecoded(
      decoder: UInt16(clamping: decoder), sender: report.address, isFirst: isFirst,
      isSwitchedOff: isOff && decodersOff.insert(decoder).inserted)
  }

  private mutating func keep(_ beacon: CustomBeacon, _ report: borrowing AdvertisingReport) {
    var draft = BeaconDraft(
      identity: identities.identity(
        kind: .custom, bytes: CustomFormat.identity(beacon.name, beacon.id)))
    if !beacon.fields.isEmpty {
      customFields.append(beacon.fields)
      draft.extra.0 = UInt64(customFields.count)
    }
    keep(draft, report)
  }
}
