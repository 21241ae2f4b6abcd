/// Everything a container said beside its records: warnings by code, damage, interfaces, drops.
package struct ContainerLog: Sendable {
  /// A warning: how often, and where it was seen first.
  package struct Note: Sendable {
    package var count: Int
    /// Frame number (1-based) nearest to the first one, 0 where there was none yet.
    package let firstFrame: Int
    /// Byte of the (unpacked) input.
    package let firstOffset: Int64
    package let detail: String
  }

  /// Bytes that could not be read as records.
  package struct Gap: Sendable {
    package let offset: Int64
    package let bytes: Int64
    package let reason: ProblemCode
    package let detail: String
    /// The first frame after the gap; nil where nothing readable followed.
    package let resumedAtFrame: Int?
  }

  package private(set) var notes: [ProblemCode: Note] = [:]
  package private(set) var gaps: [Gap] = []
  /// Gaps found beyond `maximumGaps`: counted in `notes`, not listed.
  package static let maximumGaps = 1000
  package var interfaces: [CaptureInterface] = []
  package var fixes: [PositionFix] = []
  /// Records the recorder says it could not keep.
  package var dropped: UInt64 = 0
  /// Records so far: the number of the last frame.
  package var frames = 0

  package init() {}

  package mutating func note(
    _ code: ProblemCode, frame: Int, offset: Int64, _ detail: @autoclosure () -> String = ""
  ) {
    if notes[code] != nil {
      notes[code]?.count += 1
    } else {
      notes[code] = Note(count: 1, firstFrame: frame, firstOffset: offset, detail: detail())
    }
  }

  package mutating func gap(_ gap: Gap) {
    note(
      .damageSkipped, frame: frames + 1, offset: gap.offset, "\(gap.bytes) bytes: \(gap.detail)")
    if gaps.count < Self.maximumGaps { gaps.append(gap) }
  }
}

/// An interface of a capture: one radio, or one host controller.
package struct CaptureInterface: Sendable {
  package let link: LinkType
  /// The recorder's name for it (pcapng `if_name`), if it gave one.
  package let name: String?
  /// Bits of frame check sequence the file says it keeps (pcap, pcapng); nil where it does not say.
  package let frameCheckBits: Int?

  package init(link: LinkType, name: String? = nil, frameCheckBits: Int? = nil) {
    self.link = link
    self.name = name
    self.frameCheckBits = frameCheckBits
  }
}

/// A position written into the capture (PPI-GPS, Kismet's pcapng option), degrees WGS 84 and metres.
package struct PositionFix: Sendable, Equatable {
  package let time: Timestamp
  package let latitude: Double
  package let longitude: Double
  package let altitude: Double?

  package init(time: Timestamp, latitude: Double, longitude: Double, altitude: Double?) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}
