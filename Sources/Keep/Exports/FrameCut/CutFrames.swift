package import Analysis
package import Beacons
package import CaptureReader
import FrameDecoder

/// Remembers in which frames sightings lie, of each capture of a run. A class: it is asked while the run still
/// has it.
package final class CutFrames: FindingSink {
  /// By the capture's place: frame numbers, ascending, each once.
  private(set) var frames: [Int: [Int]] = [:]
  package private(set) var sightings = 0

  package init() {}

  package func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    self.sightings += sightings.count
    // In the order of the capture: a frame may hold several.
    var own = frames.removeValue(forKey: capture.place) ?? []
    for place in sightings.indices where sightings[place].frame != own.last {
      own.append(sightings[place].frame)
    }
    frames[capture.place] = own
  }

  package func pause() {}

  /// Adds the other frames of reports that were put together from several: who was sighted stands in any of them.
  /// - Parameter sources: the run's, by place; each can be read again.
  package func addParts(_ sources: [CaptureSource], keepBadCRC: Bool) {
    for (place, own) in frames where !own.isEmpty {
      let parts = Self.parts(of: Set(own), sources[place], keepBadCRC: keepBadCRC)
      frames[place] = parts.union(own).sorted()
    }
  }

  private static func parts(
    of frames: Set<Int>, _ source: CaptureSource, keepBadCRC: Bool
  ) -> Set<Int> {
    var options = FrameDecoder.Options(keepBadCRC: keepBadCRC)
    options.keepsParts = true
    var decoder = FrameDecoder(options: options)
    var found: Set<Int> = []
    func keep(_ parts: [ReportPart]) {
      for part in parts where frames.contains(part.report) { found.insert(part.frame) }
    }
    var batch = RecordBatch()
    do throws(CaptureProblem) {
      let reader = try CaptureReader.open(source, isHashed: false)
      while try reader.next(into: &batch) {
        reader.withBytes { decoder.decode(batch.records.array.span, $0) }
        keep(decoder.parts)
      }
    } catch {
      // What cannot be read on has been told by the run.
    }
    decoder.finish()
    keep(decoder.parts)
    return found
  }

  package var count: Int { frames.values.reduce(0) { $0 + $1.count } }
  package var captures: Int { frames.values.count { !$0.isEmpty } }
}
