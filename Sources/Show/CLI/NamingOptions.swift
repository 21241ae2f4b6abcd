import ArgumentParser
import Exports
import Regions
import TrackReader

/// Regions that are not followed: beacons are called by their names.
struct NamingOptions: ParsableArguments {
  @Option(
    name: .customLong("region"), parsing: .singleValue,
    help: ArgumentHelp(
      "What a beacon is called: a region, as NAME=KIND:SPEC; may be repeated.", valueName: "region")
  )
  var regions: [String] = []

  @Option(
    name: .customLong("regions"), parsing: .singleValue,
    help: ArgumentHelp(
      "A file with a region on each line, as for 'analyze': beacons are called by them. May be repeated.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  func validate() throws {
    do throws(SettingProblem) {
      for region in regions { _ = try Region.parse(region) }
    } catch {
      throw ValidationError("\(error).")
    }
  }

  func names() throws -> SiteNames {
    do throws(TextProblem) {
      var all: [Region] = []
      for region in regions {
        if let region = try? Region.parse(region) { all.append(region) }
      }
      for file in files {
        all += try ListFile.read(file) { (line) throws(SettingProblem) in try Region.parse(line) }
      }
      return SiteNames(all)
    } catch {
      Terminal.tell("beacontrace: \(error.description)")
      throw ExitCode.validationFailure
    }
  }
}
