import CaptureReader
import Regions
import TrackReader

/// The first byte says what the rest is given for: a track, messages, or markers.
enum TextsTarget {
  static let target = FuzzTarget(name: "texts", seeds: { seeds }) { bytes in
    let rest = Array(bytes.dropFirst())
    switch (bytes.first ?? 0) % 3 {
    case 0: return track(rest)
    case 1: return messages(rest)
    default: return markers(rest)
    }
  }

  private static func track(_ bytes: [UInt8]) -> [String] {
    guard let track = try? TrackReader.read(bytes, name: "t") else { return [] }
    var faults: [String] = track.fixes.isEmpty ? ["a track without fixes"] : []
    for fix in track.fixes where !isSound(fix) { faults.append("fix \(fix)") }
    for (earlier, later) in zip(track.fixes, track.fixes.dropFirst())
    where earlier.time.nanoseconds >= later.time.nanoseconds {
      faults.append("fixes out of order: \(earlier), \(later)")
    }
    return faults + circles(track.fixes)
  }

  private static func isSound(_ fix: Fix) -> Bool {
    fix.time.isKnown && abs(fix.latitude) <= 90 && fix.longitude >= -180 && fix.longitude < 180
      && (fix.latitude != 0 || fix.longitude != 0) && fix.course.map { $0 >= 0 && $0 < 360 } ?? true
  }

  /// A circle around the first fix: states change in turn, and time does not go back.
  private static func circles(_ fixes: [Fix]) -> [String] {
    guard let first = fixes.first, let last = fixes.last,
      let circle = try? CircularRegion(
        identifier: "c", latitude: first.latitude, longitude: first.longitude, radius: 25)
    else { return [] }
    var monitor = CircleMonitor([circle], CircleSettings(), fixes: fixes)
    monitor.finish(at: last.time)
    var positions = PositionMonitor(
      PositionSettings(distanceFilter: 0, courseFilter: 0), fixes: fixes)
    positions.advance(to: last.time)
    var faults = monitor.events.first?.kind == .state ? [] : ["no first state"]
    for (earlier, later) in zip(monitor.events, monitor.events.dropFirst())
    where earlier.isInside == later.isInside || earlier.time.nanoseconds > later.time.nanoseconds {
      faults.append("events \(earlier), \(later)")
    }
    let updates = positions.events.filter { $0.kind == .update }.count
    return updates == fixes.count ? faults : faults + ["\(updates) updates of \(fixes.count) fixes"]
  }

  private static func messages(_ bytes: [UInt8]) -> [String] {
    guard let messages = try? MessageFile.read(bytes, name: "m") else { return [] }
    return messages.filter { $0.namespace.isEmpty || $0.type.isEmpty }
      .map { "message \($0)" }
  }

  private static func markers(_ bytes: [UInt8]) -> [String] {
    guard let markers = try? MarkerFile.read(bytes, name: "m") else { return [] }
    return markers.filter { !$0.time.isKnown || $0.kind.isEmpty }.map { "marker \($0)" }
  }

  /// The files below, and what is left of them when they are cut.
  private static var seeds: [[UInt8]] {
    files.flatMap { file in
      stride(from: file.count, to: 0, by: -max(1, file.count / 16)).map { Array(file.prefix($0)) }
    }
  }

  private static let files: [[UInt8]] = [
    """
    0<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
    <trkpt lat="52.5" lon="13.25"><ele>34.5</ele><time>2023-11-14T22:13:20Z</time></trkpt>
    <trkpt lat="52.6" lon="-180"><time>2023-11-14T22:13:30.250+01:00</time><speed>1</speed></trkpt>
    </trkseg></trk></gpx>
    """,
    """
    0$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A
    $GPGGA,123520,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*4D
    $GPGGA,123521,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*4C
    $GPZDA,123521,24,03,1994,00,00*4E
    """,
    """
    1{"beacon":"eid:0001020304050607","namespace":"n","type":"t","content":"c"}
    {"beacon":"url:https://a.*","namespace":"n","type":"t","content":{"base64":"Chs="}}
    """,
    "2time,kind\n2026-05-19T10:00:00Z,display_on\n2026-05-19T12:00:00+02:00,\"door \"\"A\"\"\"\n",
  ].map { Array($0.utf8) }
}
