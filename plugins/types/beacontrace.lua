---@meta
-- What a plugin can name. Generated from Sources/Judge/Plugins/Reference.

---A sighting; good until the handler returns.
---@class beacontrace.sighting
---@field capture string The input as it was named on the command line.
---@field frame integer Frame number, from 1, as Wireshark counts.
---@field report integer Place of the report inside the frame, from 0.
---@field time number? s: Since 1970, UTC; nil where the capture gives none.
---@field observer string The radio that heard it.
---@field address string? The advertiser, lower case; nil without one.
---@field address_type "public"|"random_static"|"random_resolvable"|"random_nonresolvable"|"random_reserved"|"public_identity"|"random_identity"|"random_unresolved"|"anonymous"|"unknown"|"none" What sort of address.
---@field device string? The device that has the address, by its name (`--device`, or of its key, `irk:` in `--keys`); nil: nobody's.
---@field rssi integer? dBm: How strong; nil where it is not available.
---@field channel integer? Channel index 0 to 39; nil where it is not known.
---@field phy ("1M"|"2M"|"coded")? Nil where it is not known.
---@field kind "ibeacon"|"altbeacon"|"eddystone-uid"|"eddystone-url"|"eddystone-tlm"|"eddystone-etlm"|"eddystone-eid"|"eddystone-eid-resolved"|"eddystone-etlm-opened"|"device"|"custom" What the beacon sends.
---@field id string The identity as text.
---@field company integer? Of manufacturer data: AltBeacon's own, 76 for iBeacon; nil for other formats.
---@field warnings string[]? Codes of what was odd; nil where nothing was.
---@field uuid string? Lower case, with hyphens.
---@field major integer? 0 to 65535.
---@field minor integer? 0 to 65535.
---@field measured_power integer? dBm: What the beacon says it has at 1 m.
---@field beacon_code string? `beac`.
---@field id1 string? 32 hexadecimal digits with hyphens.
---@field id2 integer? 0 to 65535.
---@field id3 integer? 0 to 65535.
---@field reserved integer? 0 to 255, of the manufacturer's own meaning.
---@field namespace string? 20 hexadecimal digits.
---@field instance string? 12 hexadecimal digits.
---@field tx_power integer? dBm: What the beacon says it has at 0 m.
---@field url string? Bytes without a meaning as `%XX`.
---@field version integer? Of the format: 0; of encrypted telemetry 1.
---@field battery_mv integer? mV: The battery's voltage.
---@field temperature_c number? °C: The beacon's temperature.
---@field adv_count integer? Advertisements since it was switched on.
---@field uptime_s number? s: Since it was switched on.
---@field ciphertext string? 24 hexadecimal digits.
---@field salt string? 4 hexadecimal digits.
---@field mic string? 4 hexadecimal digits.
---@field eid string? 16 hexadecimal digits.
---@field key string? The key's name, whatever the beacon sends.
---@field eid_sent string? The EID that was sent, 16 hexadecimal digits.
---@field clock_s integer? s: Of the beacon's clock, when that EID begins.
---@field lasts_s integer? s: How long an EID of that key lasts.
---@field clock_due_s integer? s: What the beacon's clock says at the time by the key's line; nil where that has no clock.
---@field decoder string? The decoder's name.
---@field fields (table<string, string|number|boolean>)? What the decoder returned as `fields`.
---@field copy fun(self: beacontrace.sighting): beacontrace.sighting

---An event of any name.
---@class beacontrace.event

---A region that was empty has somebody in it.
---@class beacontrace.event.enter : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "enter" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field region string The region's name.
---@field profile string Which profile decided it.
---@field state "inside"|"outside"|"unknown" The region's state from this event on.
---@field crossed_at number? s: Of a circle: when the boundary was crossed; of an entry told at a marker: when it happened.
---@field entry_doubt ("may_never_have_left"|"may_have_been_inside"|"may_have_come_before")? What may be true instead, as the radio could hardly hear before it, or as the exit before is `thin`; nil: nothing of that. That somebody is seldom heard, and may have been inside from the beginning on, is known later only: events do not say it.
---@field unheard_since number? s: The last sighting before, the radio's first record, or when it stopped hearing.
---@field listened_before_s number? s: For how long it could hear between that and the entry.
---@field stamped number? s: What the record that decided it is stamped, where it was followed more than a second later than that: the clock had been set back.
---@field transmitter beacontrace.transmitter? Who; nil where it is nobody's doing.
---@field evidence beacontrace.evidence[] The records that decided it.

---Nobody of the region has been heard for its `exit_after`.
---@class beacontrace.event.exit : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "exit" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field region string The region's name.
---@field profile string Which profile decided it.
---@field state "inside"|"outside"|"unknown" The region's state from this event on.
---@field last_seen number? s: Time of the latest sighting.
---@field crossed_at number? s: Of a circle: when the boundary was crossed; of an entry told at a marker: when it happened.
---@field grade ("gone"|"deaf"|"thin")? `gone`; `deaf`: the observer may not have been able to hear; `thin`: such a silence is likely by itself, or packets that were lost or filtered may have been the beacon's.
---@field others_heard_at number? s: Latest time after `last_seen` at which anybody was heard; nil: nobody was.
---@field scan_off_s number? s: For how long of the silence scanning is known to have been off.
---@field capture_off_s number? s: For how long of it nothing was captured; nil: for none of it.
---@field packets_lost integer? How many packets the recorder had said by then that it lost in it; nil: none.
---@field rule_failures integer? Of how many sightings in it nobody knows whether they were of the region, or what they were: its `contains`, or a decoder, failed on them or had been switched off; nil: of none.
---@field gate_refused integer? How many sightings in it of who had been in the region did not pass its gate (`min_rssi`, `within`); nil: none.
---@field gate_rssi number? dBm: What the signal of the last of them that had one was smoothed to; nil, too, where the radio told none of the later ones: nobody knows whether it was near enough, and the exit is `thin` at best.
---@field gate_refused_at number? s: When that was: near the exit it is still heard, long before it fell silent.
---@field duplicates_filtered_s number? s: For how long of it the controller filtered duplicates; nil: for none of it.
---@field listed_only_s number? s: For how long of it the controller passed on only whom it was told to (its list, or Android's content filter); nil: for none of it.
---@field radio_share number? Which part of it the radio listened, 0 to 1, by the windows of its scans; nil: all of it, or not known.
---@field radio_share_before number? And of the time before; where it was more, `silence_probability` reckons with that.
---@field quiet_s number? s: For how long of its end nobody at all was heard, where that is half of the exit period and more: `silence_probability` is of the rest, and 1 where that is shorter than three of its intervals; nil: somebody was, or it is `deaf`.
---@field record_gap_s number? s: The longest pause without any record that is at least the exit period; where the grade is not `deaf`, how much of the silence lies in pauses of half of it and more; 0: none.
---@field interval_ms number? ms: Usual interval of the transmitter whose silence is least likely.
---@field loss number? Its lost share, 0 to 1.
---@field silence_probability number? Of the silence by loss alone, 0 to 1.
---@field silent_transmitters integer? How many transmitters that probability is of.
---@field stamped number? s: What the record that decided it is stamped, where it was followed more than a second later than that: the clock had been set back.
---@field transmitter beacontrace.transmitter? Who; nil where it is nobody's doing.
---@field evidence beacontrace.evidence[] The records that decided it.

---The first thing known of a region, within its first `exit_after`: somebody is in it, or nobody. Who is heard by then is no `enter`, as he may have been there before: this tells him, or `enter_on_first_sight`.
---@class beacontrace.event.state : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "state" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field region string The region's name.
---@field profile string Which profile decided it.
---@field state "inside"|"outside"|"unknown" The region's state from this event on.
---@field crossed_at number? s: Of a circle: when the boundary was crossed; of an entry told at a marker: when it happened.
---@field stamped number? s: What the record that decided it is stamped, where it was followed more than a second later than that: the clock had been set back.
---@field transmitter beacontrace.transmitter? Who; nil where it is nobody's doing.
---@field evidence beacontrace.evidence[] The records that decided it.

---A transmitter of a region came nearer, went farther, or it became unknown.
---@class beacontrace.event.proximity : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "proximity" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field region string The region's name.
---@field profile string Which profile decided it.
---@field from "unknown"|"immediate"|"near"|"far" The proximity before.
---@field to "unknown"|"immediate"|"near"|"far" The proximity now.
---@field accuracy_m number? m: The distance; nil where unknown.
---@field accuracy_min_m number? m: Its lower bound, at one standard deviation of the RSSI.
---@field accuracy_max_m number? m: Its upper bound.
---@field rssi number? dBm: Smoothed.
---@field transmitter beacontrace.transmitter? Who; nil where it is nobody's doing.
---@field evidence beacontrace.evidence[] The records that decided it.

---A region's transmitters at a moment.
---@class beacontrace.event.ranging : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "ranging" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field region string The region's name.
---@field profile string Which profile decided it.
---@field entries beacontrace.ranging_entry[] The region's transmitters, nearest first, unknown last.
---@field evidence beacontrace.evidence[] The records that decided it.

---A message that somebody subscribed to came within reach.
---@class beacontrace.event.message_found : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "message_found" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field profile string Which profile decided it.
---@field transmitter beacontrace.transmitter? Who; nil where it is nobody's doing.
---@field message beacontrace.message The message.
---@field evidence beacontrace.evidence[] The records that decided it.

---A message is no longer within reach.
---@class beacontrace.event.message_lost : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "message_lost" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field profile string Which profile decided it.
---@field last_seen number? s: Time of the latest sighting.
---@field transmitter beacontrace.transmitter? Who; nil where it is nobody's doing.
---@field message beacontrace.message The message.
---@field evidence beacontrace.evidence[] The records that decided it.

---The observer moved past a filter; only with positions (`--track`, or in the capture) and a filter (`--positions`).
---@class beacontrace.event.position : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "position" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field profile string Which profile decided it.
---@field latitude number °: WGS-84, north positive.
---@field longitude number °: WGS-84, east positive.
---@field course_deg number? °: From true north.
---@field cause "update"|"significant"|"course" Which filter it passed.
---@field evidence beacontrace.evidence[] The records that decided it.

---A region is past the profile's limit and is not followed.
---@class beacontrace.event.monitoring_failed : beacontrace.event
---@field id string 16 hexadecimal digits; `explain` takes it.
---@field type "monitoring_failed" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field region string The region's name.
---@field profile string Which profile decided it.
---@field code "region_monitoring_failure" Past the profile's limit.
---@field state "unknown" As nobody follows it.
---@field evidence beacontrace.evidence[] The records that decided it.

---A record could not be read.
---@class beacontrace.event.malformed : beacontrace.event
---@field type "malformed" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field capture string The input as it was named on the command line.
---@field frame integer Frame number, from 1.
---@field reason string A code, as `info` lists them.

---The capture's clock stepped.
---@class beacontrace.event.clock : beacontrace.event
---@field type "clock" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field capture string The input as it was named on the command line.
---@field frame integer Frame number, from 1.
---@field step_s number s: By how much; negative: back.

---The radio began or ceased to scan, or was reset; capturing stopped or went on; packets were lost. `recording_on` tells of an observer's first record, also behind a time of which there is no capture of it, in which nothing is known; `recording_off` of the last one before such a time, or of all.
---@class beacontrace.event.observer : beacontrace.event
---@field type "observer" The event's name.
---@field time number s: When it was decided: since 1970, UTC.
---@field observer string Whose radio.
---@field capture string The input as it was named on the command line.
---@field frame integer Frame number, from 1.
---@field what "scan_on"|"scan_off"|"reset"|"capture_off"|"capture_on"|"recording_on"|"recording_off"|"lost" What happened.
---@field count integer? Of `lost`: how many packets; nil of all others.
---@field filters_duplicates boolean? Of `scan_on`: whether whoever was heard once is told no more, or seldom; nil of all others.
---@field hears_listed_only boolean? Of `scan_on`: whether the controller passes on only whom it was told to (its list, or Android's content filter when it began); nil of all others.
---@field radio_share number? Of `scan_on`: which part of the time the radio listens, 0 to 1; nil: all of it, or not known, and of all others.

---The run begins: before anything else. Told again to a file that has changed during live monitoring.
---@class beacontrace.event.start : beacontrace.event
---@field type "start" The event's name.
---@field time number s: The time now, the first one known: since 1970, UTC.
---@field captures string[] The inputs as they were named.
---@field regions string[] Names of the declared regions, in their order by letters.
---@field beacon_regions string[] Those of them that say by identity or address who lies in them: no circles, none that is nothing but a rule (`contains`).

---The run is over: nothing follows in it. With `--state` the next may go on with what `state` is then.
---@class beacontrace.event.finish : beacontrace.event
---@field type "finish" The event's name.
---@field time number s: The last time known: since 1970, UTC.

---What `plugin` takes.
---@class beacontrace.plugin
---@field version string? Stands in every alert.
---@field about string? One sentence, for `plugin list`.

---What `option` takes.
---@class beacontrace.option
---@field default (number|string|boolean)? The value where nobody sets another; left out: nil, and it needs its `type`.
---@field type ("number"|"integer"|"string"|"boolean"|"region")? Left out: the default's. `region`: the name of one, or empty; a run that has none of that name does not begin.
---@field min number? Of numbers: not below.
---@field max number? Of numbers: not above.
---@field choices ((string|number)[])? The only values it takes.
---@field help string? What it is, and its unit.

---What `message` takes, and what its events have.
---@class beacontrace.message
---@field beacon string Who carries it: `ibeacon:UUID:MAJOR:MINOR`, as in `--messages`.
---@field namespace string Whose messages they are.
---@field type string What sort of message.
---@field content string The message.

---What `subscribe` takes.
---@class beacontrace.subscription
---@field namespace string? Left out: any.
---@field type string? Left out: any.
---@field ibeacon boolean? false: nothing that iBeacons carry.
---@field eddystone boolean? false: nothing that Eddystone beacons carry.
---@field background boolean? true: as an app in the background is told.
---@field low_power boolean? true: as low-power scanning tells.

---What `decoder` takes: one of `company`, `service` and `ad_type`, and `decode`.
---@class beacontrace.decoder
---@field company integer? Manufacturer data of this company, 0 to 65535.
---@field service integer? Service data of this 16-bit UUID, 0 to 65535.
---@field ad_type integer? Structures of this type, 0 to 255.
---@field decode fun(ad: beacontrace.ad, adv: beacontrace.adv): beacontrace.decoded|nil Returns what it found, or nil for nothing.

---What a decoder returns.
---@class beacontrace.decoded
---@field id string|integer Who it is: the sighting's id is `DECODER:ID`.
---@field fields (table<string, string|number|boolean>)? What it says: strings, numbers, booleans by name.

---What `alert` takes.
---@class beacontrace.alert
---@field severity ("info"|"notice"|"warning"|"critical")? Left out: warning.
---@field title string What is the matter, in a few words.
---@field text string? More about it.
---@field dedupe_key string? What `once_per` takes for the same alert; left out: the title, region and observer.
---@field evidence (beacontrace.sighting|beacontrace.event|(beacontrace.sighting|beacontrace.event)[])? Sightings and events that show it; left out: what is being handled, and in a timer what a handler was called with last, or the first frame of the run. A table with the `capture` and `frame` of a sighting, for one that could not be kept, does, too.
---@field fields (table<string, string|number|boolean>)? Values for programs that read alerts.
---@field once_per number? s: Not again under the same `dedupe_key` for that long, unless it is severer.
---@field at_most beacontrace.at_most? `{5, per = 60}`: no more than five of the plugin's alerts in a minute; milder ones do not count.
---@field region string? The region it is about; left out: that of what is being handled, where it is cited, else of the first kept event.
---@field observer string? The observer it is about.
---@field about beacontrace.sighting? Whom it is about, as the alert's `transmitter`: a sighting, its copy, or a table with its `observer`, `address`, `kind` and `id`; left out: who was heard in what is being handled, nobody in a timer.

---How many alerts in how much time.
---@class beacontrace.at_most
---@field [1] integer How many.
---@field per number s: In how much time.

---What `on` may be told to wait for. All keys must hold; of a list any value is enough.
---@class beacontrace.filter
---@field kind ("ibeacon"|"altbeacon"|"eddystone-uid"|"eddystone-url"|"eddystone-tlm"|"eddystone-etlm"|"eddystone-eid"|"eddystone-eid-resolved"|"eddystone-etlm-opened"|"device"|"custom"|("ibeacon"|"altbeacon"|"eddystone-uid"|"eddystone-url"|"eddystone-tlm"|"eddystone-etlm"|"eddystone-eid"|"eddystone-eid-resolved"|"eddystone-etlm-opened"|"device"|"custom")[])? What the beacon sends.
---@field region (string|string[])? A region by its name: all that its beacons send, before its `contains` and its gate are asked; of sightings, none that is nothing but `contains`.
---@field id (string|string[])? The identity as text.
---@field address (string|string[])? The advertiser, lower case.
---@field address_type ("public"|"random_static"|"random_resolvable"|"random_nonresolvable"|"random_reserved"|"public_identity"|"random_identity"|"random_unresolved"|"anonymous"|"unknown"|"none"|("public"|"random_static"|"random_resolvable"|"random_nonresolvable"|"random_reserved"|"public_identity"|"random_identity"|"random_unresolved"|"anonymous"|"unknown"|"none")[])? What sort of address.
---@field device (string|string[])? The name of a device (`--device`, `--keys`), whatever the address.
---@field company (integer|integer[])? The manufacturer data's company.
---@field observer (string|string[])? Whose radio.
---@field decoder (string|string[])? A custom decoder's name.
---@field uuid (string|string[])? Of an iBeacon.
---@field major (integer|integer[])? Of an iBeacon.
---@field minor (integer|integer[])? Of an iBeacon.
---@field namespace (string|string[])? Of Eddystone, or a message.
---@field instance (string|string[])? Of Eddystone.
---@field url (string|string[])? Of Eddystone.
---@field eid (string|string[])? Of Eddystone.
---@field key (string|string[])? The name of a resolved Eddystone-EID's key.
---@field id1 (string|string[])? Of an AltBeacon; with hyphens or without.
---@field id2 (integer|integer[])? Of an AltBeacon.
---@field id3 (integer|integer[])? Of an AltBeacon.
---@field type (string|string[])? Of a message.
---@field grade ("gone"|"deaf"|"thin"|("gone"|"deaf"|"thin")[])? Of an exit.
---@field entry_doubt ("may_never_have_left"|"may_have_been_inside"|"may_have_come_before"|("may_never_have_left"|"may_have_been_inside"|"may_have_come_before")[])? Of an enter.
---@field state ("inside"|"outside"|"unknown"|("inside"|"outside"|"unknown")[])? Of a region.
---@field from ("unknown"|"immediate"|"near"|"far"|("unknown"|"immediate"|"near"|"far")[])? The proximity before.
---@field to ("unknown"|"immediate"|"near"|"far"|("unknown"|"immediate"|"near"|"far")[])? The proximity now.
---@field cause ("update"|"significant"|"course"|("update"|"significant"|"course")[])? Of a position.
---@field reason ("num_reports_zero"|"report_truncated"|"event_empty"|"event_too_short"|"packet_empty"|"unknown_h4_type"|"crc_bad"|"ll_truncated"|"ll_bad_length"|"ext_header_overrun"|"phdr_truncated"|"nordic_bad_length"|"nordic_unknown_version"|"ppi_bad_length"|"ppi_unknown_version"|"unsupported_linktype"|"unknown_monitor_opcode"|"empty_record"|"unknown_interface"|"packet_overruns_block"|"unknown_record_type"|"legacy_data_longer_than_31"|"batch_truncated"|("num_reports_zero"|"report_truncated"|"event_empty"|"event_too_short"|"packet_empty"|"unknown_h4_type"|"crc_bad"|"ll_truncated"|"ll_bad_length"|"ext_header_overrun"|"phdr_truncated"|"nordic_bad_length"|"nordic_unknown_version"|"ppi_bad_length"|"ppi_unknown_version"|"unsupported_linktype"|"unknown_monitor_opcode"|"empty_record"|"unknown_interface"|"packet_overruns_block"|"unknown_record_type"|"legacy_data_longer_than_31"|"batch_truncated")[])? Of a malformed record.
---@field what ("scan_on"|"scan_off"|"reset"|"capture_off"|"capture_on"|"recording_on"|"recording_off"|"lost"|("scan_on"|"scan_off"|"reset"|"capture_off"|"capture_on"|"recording_on"|"recording_off"|"lost")[])? What an observer did.
---@field capture (string|string[])? In which input; of `malformed`, `clock` and `observer` alone.

---What `region` takes: one kind, or `contains`, or both; and what `--region` takes beside. A kind is a table, or a string as in `--region`: `ibeacon = "UUID:1:2"`.
---@class beacontrace.region
---@field ibeacon (beacontrace.region.ibeacon|string)? iBeacons.
---@field eddystone (beacontrace.region.eddystone|string)? Eddystone-UID beacons.
---@field url string? Eddystone URLs: this one, or, with `*` at the end, all that begin so.
---@field eid string? An Eddystone-EID: the 16 hexadecimal digits that it sends, or the name of its key in `--keys`.
---@field altbeacon (beacontrace.region.altbeacon|string)? AltBeacons.
---@field circle (beacontrace.region.circle|string)? A place, for positions of tracks.
---@field decoder (beacontrace.region.decoder|string)? What a custom decoder found.
---@field address string? Only what this advertiser sends, or a device (`--device`, `--keys`) by its name; alone: any beacon from the address, or whatever the device sends.
---@field contains (fun(s: beacontrace.sighting): any)? Asked for each sighting, of several profiles by each: what is neither nil nor false is a match. An error is none, and an exit behind one is no more than `thin`. It only answers: no alerts in it.
---@field min_rssi number? dBm: The smoothed RSSI has to reach this to enter.
---@field leave_rssi number? dBm: And to stay; left out: 5 dB less.
---@field within (number|"immediate"|"near"|"far")? m: The distance must not exceed this to enter.
---@field leave_within number? m: And to stay; left out: a quarter more.
---@field notify_on_entry boolean? false: an entry makes no event.
---@field notify_on_exit boolean? false: an exit makes no event.
---@field notify_entry_state_on_display boolean? true: an entry is told at the next `display_on` marker.
---@field exit_after (number|string)? s: How long a silence is an exit.
---@field cycle (number|string)? s: How often states are decided; 0: at once.
---@field scan_window (number|string)? s: For how long the observer listens.
---@field scan_interval (number|string)? s: How often it begins to.
---@field enter_on_first_sight boolean? true: who is heard within the first `exit_after` enters, too.
---@field smoothing ("last"|"mean"|"trimmed"|"abl-average"|"arma-abl"|"kalman")? How the RSSI is smoothed.
---@field ignore_unknown_rssi boolean? true: sightings without RSSI do not count.
---@field ranging_period (number|string)? s: How often lists of ranging come.
---@field distance_model ("path-loss"|"abl")? How distances follow from the RSSI.
---@field path_loss_exponent number? How fast the signal fades: 1 to 6.
---@field immediate_below number? m: Where immediate ends.
---@field near_up_to number? m: Where near ends.

---iBeacons: of a UUID, or narrower.
---@class beacontrace.region.ibeacon
---@field uuid string 32 hexadecimal digits, with or without hyphens.
---@field major integer? 0 to 65535; left out: any.
---@field minor integer? 0 to 65535, beside `major` only.

---Eddystone-UID beacons: of a namespace, or one.
---@class beacontrace.region.eddystone
---@field namespace string 20 hexadecimal digits.
---@field instance string? 12 hexadecimal digits; left out: any.

---AltBeacons: of a first id, or narrower.
---@class beacontrace.region.altbeacon
---@field id1 string 32 hexadecimal digits.
---@field id2 integer? 0 to 65535; left out: any.
---@field id3 integer? 0 to 65535, beside `id2` only.

---Around a place on the earth.
---@class beacontrace.region.circle
---@field latitude number °: WGS-84, north positive.
---@field longitude number °: WGS-84, east positive.
---@field radius number m: At least 1.

---What a custom decoder found.
---@class beacontrace.region.decoder
---@field name string The decoder's name.
---@field id string? What it returned as `id`; left out: any.

---Who sent something.
---@class beacontrace.transmitter
---@field address string? The advertiser, lower case; nil without one.
---@field address_type "public"|"random_static"|"random_resolvable"|"random_nonresolvable"|"random_reserved"|"public_identity"|"random_identity"|"random_unresolved"|"anonymous"|"unknown"|"none" What sort of address.
---@field device string? The device that has the address, by its name (`--device`, or of its key, `irk:` in `--keys`); nil: nobody's.
---@field kind "ibeacon"|"altbeacon"|"eddystone-uid"|"eddystone-url"|"eddystone-tlm"|"eddystone-etlm"|"eddystone-eid"|"eddystone-eid-resolved"|"eddystone-etlm-opened"|"device"|"custom" What the beacon sends.
---@field id string The identity as text.
---@field uuid string? Lower case, with hyphens.
---@field major integer? 0 to 65535.
---@field minor integer? 0 to 65535.
---@field id1 string? 32 hexadecimal digits with hyphens.
---@field id2 integer? 0 to 65535.
---@field id3 integer? 0 to 65535.
---@field namespace string? 20 hexadecimal digits.
---@field instance string? 12 hexadecimal digits.
---@field url string? Bytes without a meaning as `%XX`.
---@field eid string? 16 hexadecimal digits.
---@field key string? The key's name, whatever the beacon sends.
---@field decoder string? The decoder's name.

---A transmitter in a list of `ranging`.
---@class beacontrace.ranging_entry
---@field address string? The advertiser, lower case; nil without one.
---@field address_type "public"|"random_static"|"random_resolvable"|"random_nonresolvable"|"random_reserved"|"public_identity"|"random_identity"|"random_unresolved"|"anonymous"|"unknown"|"none" What sort of address.
---@field device string? The device that has the address, by its name (`--device`, or of its key, `irk:` in `--keys`); nil: nobody's.
---@field kind "ibeacon"|"altbeacon"|"eddystone-uid"|"eddystone-url"|"eddystone-tlm"|"eddystone-etlm"|"eddystone-eid"|"eddystone-eid-resolved"|"eddystone-etlm-opened"|"device"|"custom" What the beacon sends.
---@field id string The identity as text.
---@field uuid string? Lower case, with hyphens.
---@field major integer? 0 to 65535.
---@field minor integer? 0 to 65535.
---@field id1 string? 32 hexadecimal digits with hyphens.
---@field id2 integer? 0 to 65535.
---@field id3 integer? 0 to 65535.
---@field namespace string? 20 hexadecimal digits.
---@field instance string? 12 hexadecimal digits.
---@field url string? Bytes without a meaning as `%XX`.
---@field eid string? 16 hexadecimal digits.
---@field key string? The key's name, whatever the beacon sends.
---@field decoder string? The decoder's name.
---@field proximity "unknown"|"immediate"|"near"|"far" How near it is.
---@field accuracy_m number? m: The distance; nil where unknown.
---@field accuracy_min_m number? m: Its lower bound, at one standard deviation of the RSSI.
---@field accuracy_max_m number? m: Its upper bound.
---@field rssi number? dBm: Mean since the last list; nil without a sample.
---@field samples integer How many sightings since the last list.
---@field capture string The capture of the latest of its sightings that were ranged.
---@field frame integer Its frame: an alert with the entry as `evidence` cites it.

---A record that decided an event: a frame of a capture, or a line of a track.
---@class beacontrace.evidence
---@field capture string? The input's name.
---@field frame integer? Frame number, from 1.
---@field track string? The track file's name.
---@field line integer? Line, from 1.

---Whom and what the scan of an observer leaves out.
---@class beacontrace.scan_limits
---@field filters_duplicates boolean The controller's duplicate filter is on: who was heard once is told no more, or seldom. Pauses and silences there say nothing, nor do intervals.
---@field hears_listed_only boolean The controller passes on only whom it was told to (its list, or Android's content filter when the scan began): that others are not heard says nothing.
---@field radio_share number? Which part of the time its radio listens, 0 to 1, by the window and the interval of the scan; nil: all of it, or not known. What is sent meanwhile is not heard: gaps are those of the windows, too.

---A region that says who sends.
---@class beacontrace.region_at
---@field region string Its name.
---@field address string Who is to send: the address, or the name of the device.
---@field kind ("ibeacon"|"altbeacon"|"eddystone-uid"|"eddystone-url"|"eddystone-tlm"|"eddystone-etlm"|"eddystone-eid"|"eddystone-eid-resolved"|"eddystone-etlm-opened"|"device"|"custom")? What is to be sent; nil: anything.
---@field id string? The identity that is to be sent, as that of sightings; nil where the region lays down none, or a part of one.

---One structure of advertising data, as a decoder is given it.
---@class beacontrace.ad
---@field type integer AD type, 0 to 255.
---@field data string The bytes behind the company or the UUID.
---@field company integer? Of manufacturer data.
---@field service integer? 16-bit UUID of service data.

---The advertisement it was in.
---@class beacontrace.adv
---@field time number? s: Since 1970, UTC.
---@field address string? The advertiser, lower case.
---@field address_type "public"|"random_static"|"random_resolvable"|"random_nonresolvable"|"random_reserved"|"public_identity"|"random_identity"|"random_unresolved"|"anonymous"|"unknown"|"none" What sort of address.
---@field rssi integer? dBm: Nil where it is not available.
---@field data string All of its advertising data.

---What `test` takes. Input is `sightings`, or `capture`, or `captures`.
---@class beacontrace.test
---@field options (table<string, string|number|boolean>)? Values of the plugin's options, as `--set` sets them.
---@field site string? A site file, beside the test.
---@field regions string[]? Further regions, each as `--region` has it.
---@field keys string[]? With `capture` or `captures`: keys, each as a line of `--keys` has it.
---@field profile string? Whose rules; left out: `site`.
---@field set (table<string, string|number|boolean>)? Numbers of the profile, such as `exit_after`.
---@field sightings beacontrace.test.sighting[]? What is heard, in any order.
---@field capture string? A recording, beside the test.
---@field captures string[]? Several of them.
---@field alerts beacontrace.test.alert[] All alerts in their order; only the keys that are written are compared.
---@field print string[]? All lines that are printed; `\t` between the values of one.
---@field errors integer? How many calls fail; left out: none may.
---@field finish (fun(state: any))? Called at the end with the plugin's `state`, whatever alerts came: for `assert`. One that returns false does not hold, either.

---Something on the air; with `scan` something that the radio did, with `restart` the program.
---@class beacontrace.test.sighting
---@field at number s: From the beginning of the test, where the recording begins, and `every` and `after` count.
---@field until number? s: Repeated so long; with `every`.
---@field every number? s: How often it is repeated.
---@field observer string? The radio that hears it, or that does it; each has a recording of its own. Left out: `test`, which is how the radio of a test is called.
---@field address string? The advertiser; left out: one of its own for each entry of the list.
---@field address_type ("random"|"public")? Left out: `random`.
---@field device string? In place of an address: one that the device's key of this name makes, another one each quarter of an hour of `at`; the key itself is made up.
---@field rssi integer? dBm: How strong; left out: -60; 127: heard, and no strength is known.
---@field ibeacon string? `UUID:MAJOR:MINOR`.
---@field eddystone string? `NAMESPACE:INSTANCE`.
---@field url string? An Eddystone URL.
---@field eid string? 16 hexadecimal digits.
---@field altbeacon string? 40 hexadecimal digits, or `ID1:ID2:ID3`.
---@field key string? The Eddystone-EID that the beacon whose key has this name sends then: its clock says 1048576 s when the test begins, and runs, and an EID lasts 1024 s. The key itself is made up.
---@field clock_s integer? s: With `key`: what the clock says at `at`, 0 to 2097152.
---@field clock_stands boolean? With `key`: the clock stands still, as where one EID was recorded and is sent again; `false` without it.
---@field measured_power integer? dBm: What an iBeacon or AltBeacon states of 1 m; left out: -59.
---@field tx_power integer? dBm: What an Eddystone states of 0 m; left out: -18.
---@field eddystone_tlm beacontrace.test.telemetry? Eddystone telemetry.
---@field eddystone_etlm string? Encrypted telemetry: ciphertext, salt and check in 32 hexadecimal digits.
---@field manufacturer integer? Manufacturer data of this company; with `data`.
---@field service integer? Service data of this 16-bit UUID; with `data`.
---@field data string? Bytes in hexadecimal digits.
---@field adv_data string? All advertising data, in hexadecimal digits: whatever else can be on the air.
---@field scan ("on"|"off")? The radio begins or ceases.
---@field filters_duplicates boolean? With `scan = "on"`: its duplicate filter is on. What that leaves out is not written.
---@field hears_listed_only boolean? With `scan = "on"`: it hears only advertisers on its list.
---@field radio_share number? With `scan = "on"`: which part of the time the radio listens, above 0 to 1; 1 without it. What it does not hear is written all the same.
---@field recording ("on"|"off")? The capture ends, or another one of the same radio begins; what is sent between is in none.
---@field restart number? s: The program is stopped, and started so much later with what `--state` kept; nobody hears what is sent meanwhile. 0: at once.

---What Eddystone telemetry says.
---@class beacontrace.test.telemetry
---@field battery_mv integer? mV: Left out: not measured.
---@field temperature_c number? °C: Left out: not measured.
---@field adv_count integer? Left out: 0.
---@field uptime_s number? s: Left out: 0.
---@field key string? Encrypted by the beacon whose key has this name: opened where its EID came from the same address.

---An alert that must come. Keys that are left out may be anything.
---@class beacontrace.test.alert
---@field at number? s: From the beginning of the test, or of the recording; ± 0.001.
---@field severity ("info"|"notice"|"warning"|"critical")? How bad.
---@field title string? The title.
---@field text string? The text.
---@field dedupe_key string? The key.
---@field fields (table<string, string|number|boolean>)? Its values; those that are written. Integers exactly; other numbers to a millionth of them, but never more than 0.001 off.
---@field held_back integer? How many were held back since the one before.
---@field region string? The region it is about.
---@field observer string? The observer it is about.
---@field evidence number[]? s: When the frames were received that it cites, from the beginning of the test, in its order; ± 0.001. `{}`: it cites none.

---Says what the plugin is; alerts carry its version. May be left out, and stands once at most.
---@param plugin beacontrace.plugin
function plugin(plugin) end

---Declares a setting of the plugin and returns its value: what `--set PLUGIN.NAME=VALUE` says, or the default. `memory_mb` and `instructions` are options of every plugin.
---@param name string
---@return fun(option: beacontrace.option): any
function option(name) end

---Defines a region, as `--region` does, and returns its name: exactly one kind (`ibeacon`, `eddystone`, …), or `contains`, or both, which then must both hold. A second definition of a name replaces the first, with a warning.
---@param name string
---@return fun(region: beacontrace.region): string
function region(name) end

---Attaches a message to a beacon, as a line of `--messages` does.
---@param message beacontrace.message
function message(message) end

---Asks for messages, as `--subscribe` does: those of a namespace and type, or all of them.
---@param subscription beacontrace.subscription
function subscribe(subscription) end

---Makes sightings of kind `custom` from structures of advertising data that no built-in format takes, also of advertisements that hold a beacon in another structure (flags, a name): `decode` is asked for each report with such a structure. Decoders run in a Lua state of their own, for which the file is loaded once more: they share no variables with handlers.
---@param name string
---@return fun(decoder: beacontrace.decoder)
function decoder(name) end

---Calls a function whenever something happens. Filters of sightings are decided once for each transmitter, before Lua is entered: what no rule wants costs nothing. A filter that nothing can agree with (an unknown kind, half an address, a region that nobody declared) is refused.
---@overload fun(event: "sighting", handler: fun(e: beacontrace.sighting))
---@overload fun(event: "sighting", filter: string|beacontrace.filter, handler: fun(e: beacontrace.sighting))
---@overload fun(event: "telemetry", handler: fun(e: beacontrace.sighting))
---@overload fun(event: "telemetry", filter: string|beacontrace.filter, handler: fun(e: beacontrace.sighting))
---@overload fun(event: "enter", handler: fun(e: beacontrace.event.enter))
---@overload fun(event: "enter", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.enter))
---@overload fun(event: "exit", handler: fun(e: beacontrace.event.exit))
---@overload fun(event: "exit", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.exit))
---@overload fun(event: "state", handler: fun(e: beacontrace.event.state))
---@overload fun(event: "state", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.state))
---@overload fun(event: "proximity", handler: fun(e: beacontrace.event.proximity))
---@overload fun(event: "proximity", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.proximity))
---@overload fun(event: "ranging", handler: fun(e: beacontrace.event.ranging))
---@overload fun(event: "ranging", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.ranging))
---@overload fun(event: "message_found", handler: fun(e: beacontrace.event.message_found))
---@overload fun(event: "message_found", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.message_found))
---@overload fun(event: "message_lost", handler: fun(e: beacontrace.event.message_lost))
---@overload fun(event: "message_lost", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.message_lost))
---@overload fun(event: "position", handler: fun(e: beacontrace.event.position))
---@overload fun(event: "position", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.position))
---@overload fun(event: "monitoring_failed", handler: fun(e: beacontrace.event.monitoring_failed))
---@overload fun(event: "monitoring_failed", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.monitoring_failed))
---@overload fun(event: "malformed", handler: fun(e: beacontrace.event.malformed))
---@overload fun(event: "malformed", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.malformed))
---@overload fun(event: "clock", handler: fun(e: beacontrace.event.clock))
---@overload fun(event: "clock", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.clock))
---@overload fun(event: "observer", handler: fun(e: beacontrace.event.observer))
---@overload fun(event: "observer", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.observer))
---@overload fun(event: "start", handler: fun(e: beacontrace.event.start))
---@overload fun(event: "start", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.start))
---@overload fun(event: "finish", handler: fun(e: beacontrace.event.finish))
---@overload fun(event: "finish", filter: string|beacontrace.filter, handler: fun(e: beacontrace.event.finish))
function on(event, filter, handler) end

---Calls a function again and again, the given seconds apart on the capture's clock, counted from the capture's first time (of a live run its start; a restart counts anew), not from the full minute or hour: for a time of the clock see the example of `utc_offset`. Where the clock jumps over more than 10 000 calls, those behind them but for the last are skipped, and counted: `skipped_timers` in `analyze --format json`. A plugin may have 1 000 of these. Returns what `cancel` takes.
---@param seconds number of the capture's clock, above 0: a millisecond at least, a year at most
---@param handler fun(now: number)
---@return integer
function every(seconds, handler) end

---Calls a function once, that long from now on the capture's clock; at the top of the file, that long after the capture's first time. A plugin may have 100 000 that wait. A restart forgets them: what has to outlast one is a time in `state` that `every` looks at. Returns what `cancel` takes.
---@param seconds number of the capture's clock, above 0: a millisecond at least, a year at most
---@param handler fun(now: number)
---@return integer
function after(seconds, handler) end

---Ends a timer. Returns whether there was one to end: one that is over is no mistake.
---@param timer integer
---@return boolean
function cancel(timer) end

---Tells people. Returns true where it was told, false where `once_per` or `at_most` held it back; what was held back is counted. Without `evidence` it cites the frame that is being handled, and in a timer what a handler of the plugin was called with last, or, before any was, the first frame of the run.
---@param alert beacontrace.alert
---@return boolean
function alert(alert) end

---The state of a region now: of several observers inside where any is inside, else outside where any is outside. Where regions are declared it has to be one of them. Of an observer that is not known, which is told once, it is unknown.
---@param name string
---@param observer? string left out: all of them together
---@return "inside"|"outside"|"unknown"
function region_state(name, observer) end

---Names of the regions of the site that a sighting can lie in: those that its identity and its address are of. Regions that are nothing but a rule (`contains`) are not among them.
---@param sighting beacontrace.sighting
---@return string[]
function regions_of(sighting) end

---The regions of the site that name who sends (`address`), in the order of their definition, whatever he sends: which device that is by the site's list, and what it is to send.
---@param sender beacontrace.sighting|string a sighting, an address, or the name of a device
---@return beacontrace.region_at[]
function regions_at(sender) end

---The regions of the site that lay down the whole of what is sent, and somebody else to send it: it may be a copy, or a device that took another one's place and is not in the site's list yet.
---@param sighting beacontrace.sighting
---@return beacontrace.region_at[]
function regions_like(sighting) end

---What the site calls what was heard: the narrowest of its regions that the sighting can lie in, as `regions_of` has them, and the identity with its middle left out; the whole identity where it lies in none. For titles: what is remembered goes by `id`.
---@param sighting beacontrace.sighting
---@return string
function name_of(sighting) end

---Whom and what an observer's scan leaves out now, by the commands that began it. Where no beginning is known, or the scan is off, or nobody knows the observer, both flags are false, and `radio_share` is nil. It holds in the observer's next recording, too, and, but for `radio_share`, behind a restart with `--state`, until another scan begins or that one ends. Whoever asks at each sighting had better remember it, and ask anew at `observer`: no other moment changes it.
---@param observer string
---@return beacontrace.scan_limits
function scan_limits(observer) end

---When an observer heard anybody last, also who is no beacon and so no `sighting`, in seconds since 1970; nil where it heard nobody in this run, and where nobody knows it. It is known once in each second of its records, and not of what came since then, so that it may be older by a second or so: what the plugin was given as sightings may be later. Whether a radio listened it says where beacons are few.
---@param observer string
---@return number|nil
function heard_anybody_at(observer) end

---Sets a marker, as a line of `--markers` does: at `display_on` regions with `notify_entry_state_on_display` tell that they are inside. At the top of the file it needs its time.
---@param kind "display_on"|string what happened beside the radio
---@param time? number|string seconds since 1970, or RFC 3339; left out: now
function mark(kind, time) end

---A time as the exports write it: RFC 3339 in UTC, with nine decimals.
---@param time number seconds since 1970
---@return string
function utc(time) end

---By how many seconds clocks of a place are before UTC: `os.date` with that much added tells their time. By tables that come with the program: the same wherever it runs. The example says something each day at six in the evening.
---@param time number seconds since 1970
---@param zone string a time zone's name, such as `Europe/Berlin`
---@return integer
function utc_offset(time, zone) end

---Says something about the run as a whole that a reader of the report must know, such as that a rule could judge nothing, and why. Each sentence is told once, among what is worth knowing: in the text, in JSON, on the page and in a case; and printed at once. 20 sentences of a plugin are kept.
---@param text string
function remark(text) end

---A test of the plugin beside the file: what is heard, and the alerts that must come of it. `plugin test NAME.lua` runs it.
---@param name string
---@return fun(test: beacontrace.test)
function test(name) end

---A table of the plugin's own. `state.save("key", …)` names the keys that survive restarts of live monitoring; all of it goes on when the file changes while that runs. What is kept is plain data (strings, numbers, booleans, tables of these), and is there before the file is loaded: write `state.seen = state.seen or {}`.
---@class beacontrace.state
---@field save fun(key: string, ...: string)
---@field [string] any
state = {}

---`date` and `time` on the capture's clock, in UTC.
---@class oslib
os = {}

---@param format? string
---@param time? integer seconds since 1970; left out: now, on the capture's clock
---@return string|osdate
function os.date(format, time) end

---@param table? osdateparam
---@return integer
function os.time(table) end
