/// Takes every item of a capture that is being made, before it is analysed.
package protocol ItemRecorder: AnyObject {
  /// - Parameter frame: number that the analysis will give the packet, from 1 (packets only; of other
  ///   items it is that of the last packet).
  func take(_ item: CaptureItem, frame: Int)
  /// Nothing has come for a while: what is held back goes out.
  func pause()
  /// Nothing will come any more.
  func end()
}
