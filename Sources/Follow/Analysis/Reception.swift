package import CaptureReader

/// How one observer heard a beacon, whatever addresses send it.
package struct Reception: Sendable {
  /// Its place in the run.
  package let observer: Int
  package let sightings: Int
  package let first: Timestamp
  package let last: Timestamp
  /// Between sightings of one device, nanoseconds.
  package let medianInterval: Double?
  /// dBm.
  package let rssi: (min: Int, median: Int, max: Int)?
}
