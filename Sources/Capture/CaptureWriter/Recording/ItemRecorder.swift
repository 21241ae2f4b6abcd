/// Takes every item of a capture that is being made, before it is analysed.
package protocol ItemRecorder: AnyObject {
  /// - Parameters:
  ///   - item: what came.
  ///   - frame: number that the analysis will give the packet, from 1; of an item that is no packet,
  ///     that of the packet before it.
  func take(_ item: CaptureItem, frame: Int)
  /// What is held back goes out. Called before what was taken is handed to the analysis, so that
  /// nothing is shown that a kill could take away, and again while nothing comes; costs nothing
  /// where nothing is held back.
  func pause()
  /// Nothing follows: everything is written and closed. Call once.
  func end()
}
