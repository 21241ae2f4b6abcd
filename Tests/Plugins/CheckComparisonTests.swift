import Plugins
import Testing

/// Comparisons that come out the same whatever is heard.
@Suite("Checking comparisons")
struct CheckComparisonTests {
  private static func sighting(_ condition: String) -> String {
    "on('sighting', function(s) if \(condition) then print(s.id) end end)"
  }

  private static func exit(_ condition: String) -> String {
    "on('exit', function(e) if \(condition) then print(e.id) end end)"
  }

  private static let wrong = [
    CheckCase(
      exit("e.grade >= 'thin'"),
      "x:1: remark: texts are compared by their letters, not by what they mean: grade is one of gone, deaf, thin; write those that are meant, with == and 'or' between"
    ),
    CheckCase(
      sighting("s.major == '1'"),
      "x:1: major is a whole number, and '1' is none: this is never true"),
    CheckCase(
      sighting("'1' ~= s.minor"),
      "x:1: minor is a whole number, and '1' is none: this is always true"),
    CheckCase(
      sighting("s.id == -5"), "x:1: id is a string, and a number is none: this is never true"),
    CheckCase(
      sighting("s.rssi == true"),
      "x:1: rssi is a whole number, and true or false is none: this is never true"),
    CheckCase(
      sighting("s.kind == 'ibecon'"), "x:1: kind is never 'ibecon'; did you mean 'ibeacon'?"),
    CheckCase(
      exit("e.grade == 'lost'"), "x:1: grade is never 'lost'; it is one of gone, deaf, thin"),
    CheckCase(exit("e.type == 'enter'"), "x:1: type is never 'enter'; it is one of exit"),
    CheckCase(
      exit("e.transmitter.major == 'x'"),
      "x:1: major is a whole number, and 'x' is none: this is never true"),
    CheckCase(
      exit("e.grade == 'gone' or 'deaf'"),
      "x:1: 'deaf' alone counts as true: this is always true; compare again behind 'or'"),
    CheckCase(
      exit("not e.grade == 'gone'"),
      "x:1: 'not' comes before the comparison: this is never true; write it in parentheses behind not"
    ),
    CheckCase(
      sighting("not s.rssi > -60"),
      "x:1: 'not' comes before the comparison, and true and false have no order; write it in parentheses behind "
        + "not"),
    CheckCase(
      sighting("s.rssi > 60"),
      "x:1: remark: rssi is in dBm, and below 0 but for what lies at the radio"),
    CheckCase(
      sighting("-140 > s.rssi"), "x:1: rssi is in dBm, from -128 to 126: this is never true"),
    CheckCase(
      sighting("s.battery_mv < 2.4"),
      "x:1: remark: battery_mv is in millivolts: 2.4 V are 2400"),
    CheckCase(sighting("s.major == 70000"), "x:1: major is from 0 to 65535: this is never true"),
    CheckCase(sighting("s.minor < 0"), "x:1: minor is from 0 to 65535: this is never true"),
    CheckCase(exit("e.loss > 10"), "x:1: loss is from 0 to 1: this is never true"),
    CheckCase(
      sighting("s.time > 1779178680000"),
      "x:1: time is in seconds since 1970: this is never true"),
    CheckCase(
      sighting("s.rssi > '-60'"), "x:1: rssi is a whole number, and cannot be compared with '-60'"),
    CheckCase(
      sighting("5 <= s.address"), "x:1: address is a string, and cannot be compared with a number"),
    CheckCase(
      sighting("s.uuid == 'F7826DA6-4FA2-4E98-8024-BC5B71E0893E'"),
      "x:1: uuid has small letters: this is never true; write 'f7826da6-4fa2-4e98-8024-bc5b71e0893e'"
    ),
    CheckCase(
      sighting("s.uuid ~= 'f7826da64fa24e988024bc5b71e0893e'"),
      "x:1: uuid is written with hyphens here: this is always true; write 'f7826da6-4fa2-4e98-8024-bc5b71e0893e'"
    ),
    CheckCase(
      sighting("s.address == 'C4:A1:00:00:04:01'"),
      "x:1: address has small letters: this is never true; write 'c4:a1:00:00:04:01'"),
    CheckCase(
      sighting("s.address == 'c4:a1'"),
      "x:1: address is six bytes such as c2:35:33:30:25:50, and 'c4:a1' is not: this is never true"),
    CheckCase(
      "region 'a' { ibeacon = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e' } "
        + "on('finish', function() if region_state('a') == 'in' then print(1) end end)",
      "x:1: what region_state returns is never 'in'; it is one of inside, outside, unknown"),
    CheckCase(
      sighting("os.date('%H', s.time) == 10"),
      "x:1: what os.date returns is a string, and a number is none: this is never true"),
    CheckCase(
      sighting("os.date('%H', s.time) < 10"),
      "x:1: what os.date returns is a string, and cannot be compared with a number"),
    CheckCase(sighting("s.rssi > nil"), "x:1: nil has no order: this raises an error"),
    CheckCase(sighting("{} <= s.rssi"), "x:1: a table has no order: this raises an error"),
    CheckCase(
      sighting("s.rssi and s.rssi > -60 and s.major == 1 and (s.rssi < -80)"),
      "x:1: rssi > -60 and rssi < -80: this is never true"),
    CheckCase(
      sighting("s.major == 1 and 2 == s.major"),
      "x:1: major == 1 and major == 2: this is never true"),
    CheckCase(
      sighting("s.rssi and s.rssi >= -60 and s.rssi < -60"),
      "x:1: rssi >= -60 and rssi < -60: this is never true"),
    CheckCase(
      exit("e.grade == 'gone' and e.grade == 'deaf'"),
      "x:1: grade == 'gone' and grade == 'deaf': this is never true"),
    CheckCase(
      "on('sighting', function(s) local r = s.rssi if r and r > -60 and r < -80.5 then print(r) end end)",
      "x:1: r > -60 and r < -80.5: this is never true"),
    CheckCase(
      "on('sighting', { kind = 'ibeacon' }, function(s) if s.kind == 'altbeacon' then print(1) end end)",
      "x:1: kind is never 'altbeacon'; it is one of ibeacon"),
    CheckCase(
      "region 'a' { contains = function(s) s.rssi = s.rssi end }",
      "x:1: contains returns nothing: nobody will be in the region; return true where it is",
      "x:1: a sighting cannot be changed; keep values of your own in a table, or in s:copy()"),
    CheckCase(
      "decoder 'a' { company = 1, decode = function(ad) print(ad.data) end }",
      "x:1: decode returns nothing: it will find no beacon; return { id = … } where it does"),
  ]

  @Test("tells those whose outcome is known, and functions that never answer", arguments: wrong)
  func tells(_ item: CheckCase) { #expect(said(of: item.source, item.file) == item.expected) }

  @Test(
    "says nothing of others",
    arguments: [
      sighting("s.major == 1 and s.rssi > -60.5 and s.kind ~= 'ibeacon'"),
      sighting(
        "not (s.kind == 'ibeacon') or s.uuid == 'f7826da6-4fa2-4e98-8024-bc5b71e0893e'"),
      sighting("s.major == nil"),
      sighting("s.battery_mv and s.battery_mv > 0 and s.battery_mv < 100"),
      sighting("s.rssi ~= 127 and s.rssi > -128 and s.channel and s.channel < 40 and s.minor >= 0"),
      sighting("s.rssi and s.rssi > -80 and s.rssi < -60 and s.major == 1 and s.minor == 2"),
      sighting("s.rssi and s.rssi >= -60 and s.rssi <= -60 and (s.major == 1 or s.major == 2)"),
      sighting("s.rssi and s.rssi > -60 and not (s.rssi < -80)"),
      "on('sighting', function(s) local n = 0 n = n + 1 if n == 1 and n == 2 then print(s.id) end end)",
      sighting("s.rssi and s.rssi > 20"), exit("e.loss > 0 and e.silence_probability <= 0"),
      "on('sighting', function(s) local t = s:copy() t.battery_mv = 2 print(t.battery_mv < 2.4) end)",
      sighting("(s.battery_mv or 0) == '5'"), sighting("not s.major == false"),
      exit("e.grade == 'gone' or e.grade == 'deaf'"), exit("e.silence_probability == 1"),
      "local function f(e) if e.type == 'enter' then print(e.id) end end "
        + "on('enter', f) on('exit', f)",
      "on('sighting', function(s) local t = s.major == 1 and 'one' or 'other' print(t) end)",
      "local limit = option 'n' { default = '5' } on('sighting', function(s) print(s.id == limit) end)",
      "decoder 'a' { company = 1, decode = function(ad) if ad.data then return nil end end }",
    ])
  func isSilent(_ source: String) { #expect(said(of: source, .plugin) == []) }
}
