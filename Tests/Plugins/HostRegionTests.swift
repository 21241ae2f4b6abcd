import Analysis
import Plugins
import Regions
import TestSupport
import Testing

/// What rules are told of the site's regions.
@Suite("Regions in rules", .timeLimit(.minutes(60)))
struct HostRegionTests {
  @Test("regions_of has the declared regions of identity and address")
  func regionsOf() throws {
    let plugin =
      HostTests.hall + """
        region 'one' { ibeacon = { uuid = '00010203-0405-0607-0809-0a0b0c0d0e0f', major = 1, minor = 1 },
          min_rssi = -10 }
        on('sighting', function(s) alert { title = table.concat(regions_of(s), ' ') } end)
        """
    let run = try HostedRun([plugin], [HostTests.heard(0, 5) + HostTests.heard(9, minor: 2)])
    #expect(run.timeline.alerts.map(\.title) == ["hall one", "hall one", "hall"])
  }

  @Test("name_of says the narrowest region of identity and address, else the whole identity")
  func nameOf() throws {
    let plugin =
      HostTests.hall + """
        region 'one' { ibeacon = { uuid = '00010203-0405-0607-0809-0a0b0c0d0e0f', major = 1, minor = 1 } }
        region 'two' { ibeacon = { uuid = '00010203-0405-0607-0809-0a0b0c0d0e0f', major = 1, minor = 2 },
          address = '00:00:00:00:00:01' }
        on('sighting', function(s) alert { title = name_of(s) } end)
        """
    let run = try HostedRun([plugin], [HostTests.heard(0) + HostTests.heard(9, minor: 2)])
    #expect(
      run.timeline.alerts.map(\.title) == ["one (0001…0e0f:1:1)", "hall (0001…0e0f:1:2)"])
    let alone = try HostedRun(
      ["on('sighting', function(s) alert { title = name_of(s) } end)"], [HostTests.heard(0)])
    #expect(
      alone.timeline.alerts.map(\.title) == ["00010203-0405-0607-0809-0a0b0c0d0e0f:1:1"])
  }

  @Test(
    "start tells the regions that beacons can lie in: no circles, and none that is a rule alone")
  func beaconRegions() throws {
    let plugin =
      HostTests.hall + "\n" + """
        region 'any' { contains = function(s) return false end }
        region 'yard' { circle = { latitude = 52.5, longitude = 13.4, radius = 50 } }
        on('start', function(e)
          print(table.concat(e.regions, ' ') .. ' | ' .. table.concat(e.beacon_regions, ' '))
        end)
        """
    let run = try HostedRun([plugin], [HostTests.heard(0)])
    #expect(run.lines.contains("a: any hall yard | hall"), "\(run.lines)")
  }

  @Test("A region that is nothing but a rule is none of regions_of: it is asked later")
  func ruleAlone() throws {
    let plugin =
      HostTests.hall + "\n" + """
        region 'any' { contains = function(s) return false end }
        on('sighting', function(s) alert { title = table.concat(regions_of(s), ' ') } end)
        """
    let run = try HostedRun([plugin], [HostTests.heard(0)])
    #expect(run.timeline.alerts.map(\.title) == ["hall"])
  }
}
