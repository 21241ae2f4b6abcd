import Analysis
import ArgumentParser
import CaptureReader
import Exports
import Plugins
import Regions

struct AdviseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Which exit period suits a site: what each costs and gains.",
    usage: "beacontrace advise [options] <capture> ...",
    discussion: """
      A short exit period tells soon that somebody left, and takes lost packets for leaving; a long one \
      does neither. Regions are followed by many periods in one reading, by the same rules as in \
      'analyze' and 'events': an exit counted here is one that 'events --set exit_after=...' tells.

      The columns, of each region at each observer:
        exits       how many there are with that period
        look false  entered again within a minute (--returned-within) of an exit
                    at which the radio could hear; of a profile that scans in
                    windows within that and its pause between two windows. The
                    same time for all periods, so that a short one does not look
                    better for being short. Whether somebody was away no
                    recording says
        a day       these in a day of being inside and listening
        deaf        the radio could not hear: the scan was off, nothing was
                    captured, or nobody was heard in a time in which three
                    reports of others were to be expected, or the region's own
                    by what is lost of them; or nobody any more for half of the
                    period, in which six were. No fault of the period
        stay away   not entered again so soon
        not known   the recording ended too early to say

      A true exit is told the exit period after the last sighting; where a profile tests at the ends of \
      cycles, up to a cycle later. The shortest period that 'would have done' is between two of the list; \
      it is not told where a gate, a rule of its own, a cycle or a duty cycle decides with it. None is \
      advised where nothing tested it: all exits are deaf, and never was the region inside, with a radio \
      that could hear, for five times as long without a break.

      Of each beacon: how often it sends, and how much of that was lost, by the counter in its telemetry \
      (counted: Eddystone-TLM, ADV_CNT) or by gaps twice, three times ... as long as the shortest (by \
      gaps; of an address that sends several frames in turn, those of all of them). Where so much is lost that the shortest gaps are not the interval, it is that which \
      another receiver knows, or the telemetry, or is not told; of a receiver that filters duplicates, \
      or whose radio listens a part of the time, neither is. Where it sends at another interval since a \
      moment, both are of the time since. A counter that the gaps contradict is not used. Then its longest silence between two sightings while the radio listened, and whether it \
      is not heard any more at the end; and how many silences longer than each \
      period a day would have, were every packet lost by itself. That is a model: how many it expects in \
      this recording stands beside how many were heard.

      No false exit in one recording does not mean that there is none. With none in so long a time there \
      are, nineteen times of twenty, fewer than three in as long again: record for days to rule out one \
      a day.

      Examples:
        beacontrace advise site.pcapng
            Every UUID and namespace that was heard, with periods from 3 to 120 s.
        beacontrace advise --exit-after 15,25,40 monday/
            Other periods, a folder.
        beacontrace advise --region tag=address:c4:a1:00:00:04:01 a.log
            A region of your own.
        beacontrace advise --format json site.pcapng > advice.json
            For a program.
      """)

  @OptionGroup var input: InputOptions

  @Option(
    name: .customLong("exit-after"),
    help: ArgumentHelp(
      "Exit periods, with commas between them: seconds, or 500ms, 2min. The one that holds now is added.",
      valueName: "periods"))
  var exitAfter = "3,5,10,20,30,60,120"

  @Option(
    name: .customLong("returned-within"),
    help: ArgumentHelp(
      "How soon an entry has to follow for an exit to look false.", valueName: "span"))
  var returnedWithin = "60"

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @Flag(help: "List every region and beacon, not the first ones only.")
  var all = false

  @OptionGroup var time: WindowOptions

  @OptionGroup var clock: ClockOptions

  private static let most = 20

  func validate() throws {
    _ = try time.limits(clock.zone(isText: format == .text))
    do throws(SettingProblem) {
      _ = try periods()
      _ = try SettingText.span(returnedWithin, "--returned-within")
    } catch {
      throw ValidationError("\(error).")
    }
    if follow.profile.contains(",") {
      throw ValidationError("--profile: advice is of one profile; name one.")
    }
  }

  /// Nanoseconds, above 0.
  private func periods() throws(SettingProblem) -> [Int64] {
    var periods: [Int64] = []
    for text in exitAfter.split(separator: ",", omittingEmptySubsequences: false) {
      let period = try SettingText.span(String(text), "--exit-after")
      guard period > 0 else {
        throw SettingProblem("--exit-after is 0", allowed: "it must be above 0, such as 30")
      }
      periods.append(period)
    }
    guard periods.count <= Self.most else {
      throw SettingProblem(
        "--exit-after has \(periods.count) periods", allowed: "give \(Self.most) at most")
    }
    return periods
  }

  func run() throws { try clock.zone().whileShown { try advise() } }

  private func advise() throws {
    var none = NoSink()
    let session = try Session(input, observer: follow.observer)
    var settings = try follow.settings(session.captures)
    let present = settings.advise(
      try periods(), returned: try SettingText.span(returnedWithin, "--returned-within"),
      limits: try time.limits(clock.zone()))
    let followed = settings
    try session.run(
      collectsStatistics: true, following: settings, tellsClocks: true, into: &none
    ) { result in
      for warning in result.timeline?.warnings ?? [] where !input.quiet {
        Terminal.tell("beacontrace: \(ProblemText.sentence(warning))")
      }
      // Programs get a document of what could not be read, too; people have been told.
      guard let timeline = result.timeline, format == .json || !result.captures.isEmpty
      else { return }
      let advice = ExitAdvice(result, timeline, followed, present: present)
      if advice.places.isEmpty, let limits = try time.limits(clock.zone()) {
        tellTimes(of: result, outside: limits)
      }
      switch format {
      case .json: try AdviseJSON.write(advice, result, to: StandardOutput())
      case .text:
        let text = AdviseText(style: Style(colour: Terminal.hasColour), showsAll: all)
        try write(text.lines(advice, result))
      }
    }
  }

  /// Where all that was recorded lies at other times: mostly a mistaken day or zone.
  private func tellTimes(of result: AnalysisResult, outside limits: TimeLimits) {
    let spans = result.captures.map(\.span).filter { $0.earliest.isKnown }
    guard !input.quiet, !spans.contains(where: { limits.touches($0.earliest, $0.latest) }),
      let first = spans.map(\.earliest.nanoseconds).min(),
      let last = spans.map(\.latest.nanoseconds).max()
    else { return }
    let span = TextColumns.spanAndZone(
      Timestamp(nanoseconds: first), Timestamp(nanoseconds: last))
    Terminal.tell("beacontrace: nothing was recorded in that time; there are records \(span).")
  }
}
