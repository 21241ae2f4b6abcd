import Regions
import Testing

@Suite struct RegionTests {
  @Test func keepsItsIdentifier() {
    #expect(Region(identifier: "lobby").identifier == "lobby")
  }
}
