import Testing

@testable import TrackReader

/// Whose tracks are whose.
@Suite struct ObserverTracksTests {
  private func track(_ latitude: Double, of observer: String?) throws -> Track {
    var track = try TrackText.read(TrackText.gpx([(latitude, 13), (latitude, 13.1)]))
    track.observer = observer
    return track
  }

  private func latitudes(_ tracks: ObserverTracks, _ observer: String) -> Set<Double> {
    Set(tracks.fixes(of: observer).map(\.latitude))
  }

  @Test func anObserverWithATrackOfItsOwnGoesByThatAlone() throws {
    let tracks = ObserverTracks([
      try track(50, of: nil), try track(51, of: "walker"), try track(52, of: "car"),
    ])
    #expect(latitudes(tracks, "walker") == [51])
    #expect(latitudes(tracks, "car/hci0") == [52])
    #expect(latitudes(tracks, "cart") == [50])
    #expect(tracks.files(of: "car/hci1") == [2])
    #expect(tracks.files(of: "door") == [0])
    #expect(tracks.fixes(of: "car").allSatisfy { $0.place.file == 2 })
  }

  @Test func withoutATrackForAllAnotherOneHasNone() throws {
    let tracks = ObserverTracks([try track(51, of: "walker")])
    #expect(tracks.has("walker") && tracks.has("walker/hci0"))
    #expect(!tracks.has("door") && tracks.fixes(of: "door").isEmpty)
    #expect(tracks.files(of: "door").isEmpty)
  }
}
