import Analysis
import Beacons
import FrameDecoder

/// The part of a line that depends on identity, power and payload only, kept per identity: most
/// sightings repeat it word for word.
struct SightingFragments {
  private struct Fragment {
    var power: Int8 = 0
    var extra: (UInt64, UInt64) = (0, 0)
    var text: [UInt8] = []
  }
  /// By place of the capture, then by the capture's identity number; those of the capture at hand
  /// are beside.
  private var byCapture: [[Fragment]] = []
  private var fragments: [Fragment] = []
  private var capture = -1
  /// Fragments of other captures than the one at hand; no fewer than there are.
  private var keptAside = 0
  /// Beyond so many identities of a capture nothing is kept: they hardly repeat.
  private static let most = 1 << 16
  /// With so many of several captures all are forgotten, the capture's at hand aside.
  private static let mostTogether = 1 << 18

  private let render: @Sendable (Sighting, BeaconIdentity, IdentityTable) -> [UInt8]

  init(render: @escaping @Sendable (Sighting, BeaconIdentity, IdentityTable) -> [UInt8]) {
    self.render = render
  }

  /// Call before the sightings of a run.
  mutating func begin(_ context: CaptureContext) {
    guard capture != context.place else { return }
    if capture >= 0 { swap(&byCapture[capture], &fragments) }
    if keptAside > Self.mostTogether {
      byCapture.removeAll()
      keptAside = 0
    }
    capture = context.place
    while byCapture.count <= capture { byCapture.append([]) }
    swap(&byCapture[capture], &fragments)
  }

  @inline(__always)
  mutating func append(_ sighting: Sighting, _ context: CaptureContext, to text: inout ByteText) {
    let number = Int(sighting.identity)
    if number < fragments.count {
      let known = fragments[number]
      if known.power == sighting.power && known.extra == sighting.extra && !known.text.isEmpty {
        return text.append(known.text)
      }
    }
    let fresh = render(sighting, context.identities[sighting.identity], context.identities)
    text.append(fresh)
    guard number < Self.most else { return }
    while fragments.count <= number {
      fragments.append(Fragment())
      keptAside += 1
    }
    fragments[number] = Fragment(power: sighting.power, extra: sighting.extra, text: fresh)
  }
}

/// The words of a line that depend on the capture and the observer only, ready to be copied.
struct CaptureWords {
  struct Words {
    /// What a line begins with.
    var head: [UInt8]
    /// By the capture's observer number.
    var observers: [[UInt8]] = []
  }
  /// By place of the capture.
  private var byCapture: [Words?] = []
  private let head: @Sendable (_ capture: String) -> [UInt8]
  private let observer: @Sendable (_ name: String) -> [UInt8]

  init(
    head: @escaping @Sendable (_ capture: String) -> [UInt8],
    observer: @escaping @Sendable (_ name: String) -> [UInt8]
  ) {
    self.head = head
    self.observer = observer
  }

  /// Captures take turns after a few sightings: this has to be cheap.
  mutating func words(of context: CaptureContext) -> Words {
    if context.place < byCapture.count, let words = byCapture[context.place],
      words.observers.count == context.observers.count
    {
      return words
    }
    while byCapture.count <= context.place { byCapture.append(nil) }
    let words = Words(
      head: head(context.name), observers: context.observers.map { observer($0) })
    byCapture[context.place] = words
    return words
  }
}

/// Codes of a sighting's warnings, in the order of their bits.
func warningNames(_ sighting: Sighting) -> [String] {
  var names: [String] = []
  for (bit, name) in BeaconWarnings.names.enumerated()
  where sighting.warnings.rawValue & (1 << UInt32(bit)) != 0 { names.append("\(name)") }
  for (bit, name) in FrameWarningNames.all.enumerated()
  where sighting.frameWarnings.rawValue & (1 << UInt64(bit)) != 0 && !names.contains(name) {
    names.append(name)
  }
  return names
}
