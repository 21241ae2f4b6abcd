import Testing

@testable import Plugins

/// Filters that leave no beacon: their handlers would wait for ever, so they are refused.
@Suite("Filters that no beacon fits", .timeLimit(.minutes(60)))
struct FilterKindTests {
  private static let uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"

  @Test(
    "an option of type region without a value leaves a filter open",
    arguments: ["where", "{ region = where }", "{ region = where, uuid = '\(uuid)' }"])
  func openFilters(_ filter: String) {
    let option = "local where = option 'where' { type = 'region', default = '' }"
    #expect(Self.problem("\(option) on('enter', \(filter), print)") == nil)
  }

  @Test("a region gives its name, so that a local stands for it")
  func regionsAreNamed() throws {
    let plugin =
      "local near = region 'near' { ibeacon = '\(Self.uuid)' } on('enter', near, print) print(near)"
    #expect(try HostedRun.lines([plugin], [HostTests.heard(0)]) == ["a: near"])
  }

  private static func problem(_ handler: String) -> String? {
    do throws(PluginProblem) {
      _ = try HostedRun.lines([handler], [HostTests.heard(0)])
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "are refused, and it is said what leaves none",
    arguments: [
      (
        "on('sighting', { kind = 'ibeacon', namespace = '8b0ca750e54c6e4d1a2f' }, print)",
        "namespace is of eddystone-uid, and the rest of the filter leaves ibeacon"
      ),
      (
        "on('sighting', { kind = 'eddystone-uid', major = 1 }, print)",
        "major is of ibeacon, and the rest of the filter leaves eddystone-uid"
      ),
      (
        "on('enter', { minor = 1, url = 'https://a.example/' }, print)",
        "and the rest of the filter leaves"
      ),
      (
        "on('telemetry', { kind = 'ibeacon' }, print)",
        "kind is of ibeacon, and telemetry is of eddystone-tlm, eddystone-etlm, eddystone-etlm-opened, custom"
      ),
      ("on('telemetry', { major = 1 }, print)", "major is of ibeacon, and telemetry is of"),
      ("on('sighting', { kind = 'custom', company = 76 }, print)", "company is of ibeacon"),
      (
        "on('sighting', { id = '\(uuid):1' }, print)",
        "will match nothing; of ibeacon it is UUID:MAJOR:MINOR, the UUID with hyphens"
      ),
      (
        "on('sighting', { id = 'b9407f30f5f8466eaff925556b57fe6d:1:2' }, print)",
        "the UUID with hyphens"
      ),
      ("on('exit', { id = '\(uuid):1:70000' }, print)", "will match nothing"),
      (
        "on('sighting', { kind = 'altbeacon', id = '\(uuid):5:1' }, print)",
        "of altbeacon it is 40 hexadecimal digits"
      ),
      ("on('sighting', { eid = '0123' }, print)", "eid '0123' will match nothing"),
      ("on('malformed', { reason = 'no_such_code' }, print)", "unknown reason 'no_such_code'"),
      ("on('sighting', nil, print)", "on(\"sighting\"): the filter is nil"),
      ("local names = {} on('enter', names.loby, print)", "on(\"enter\"): the filter is nil"),
      ("local names = {} on('enter', { region = names.loby }, print)", "is an empty table"),
    ])
  func refused(_ handler: String, _ said: String) throws {
    let problem = try #require(Self.problem(handler), "it was taken")
    #expect(problem.contains(said), "\(problem)")
  }

  @Test(
    "others are taken",
    arguments: [
      "on('sighting', { kind = { 'ibeacon', 'eddystone-uid' }, major = 1 }, print)",
      "on('sighting', { company = 76, major = 1 }, print)",
      "on('telemetry', { address = 'c2:35:33:30:25:50' }, print)",
      "on('sighting', { id = { '\(uuid):1:2', 'https://a.example/', 'tag:x' } }, print)",
      "on('malformed', { reason = { 'crc_bad', 'report_truncated' } }, print)",
      "on('message_found', { namespace = 'shop', type = 'x' }, print)",
    ])
  func taken(_ handler: String) { #expect(Self.problem(handler) == nil) }
}
