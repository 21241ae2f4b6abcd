/// How regions are written, and what the numbers mean that decide about them.
enum RegionHelp {
  /// Nothing but letters, since every start asks for the help of every command; a test holds it against
  /// the kinds, keys and profiles that there are.
  static let text = """
    A region is NAME=KIND:SPEC[,key=value...]; the kinds:
      ibeacon:UUID[:MAJOR[:MINOR]]
      eddystone:NAMESPACE[:INSTANCE]
      url:URL or BEGINNING*
      eid:16_HEXADECIMAL_DIGITS or KEY
      altbeacon:ID1[:ID2[:ID3]] or 40_HEXADECIMAL_DIGITS
      address:ADDRESS or DEVICE
      circle:LATITUDE,LONGITUDE,RADIUS
      decoder:NAME[:ID]

    Keys of a region, to let in only what is near, and to choose what is told:
      address       only what this address, or this device, sends
      min_rssi      dBm that the smoothed RSSI has to reach to enter
      leave_rssi    and to stay (5 dB less)
      within        metres, or immediate, near, far: the distance to enter
      leave_within  metres, to stay (a quarter more)
      notify_on_entry, notify_on_exit
                    no: such an event is not told (yes)
      notify_entry_state_on_display
                    yes: entries are told when the display goes on (no)

    Numbers of the profile, as keys of a region or, for all of them, with --set (of several profiles \
    --set PROFILE.NAME=VALUE changes that of one); in brackets what the profile site has, and others \
    where they differ:
      exit_after            seconds of silence that are an exit
                            (30; abl-legacy 10)
      cycle                 seconds from one decision about exits to the next,
                            0: at once
                            (0; android-beacon-library 1.1, abl-legacy 1.1)
      scan_window           seconds that a phone listens at a time, 0: always
                            (0)
      scan_interval         seconds from one such time to the next
                            (0)
      enter_on_first_sight  yes: what is there from the beginning enters
                            (no; android-beacon-library yes, abl-legacy yes,
                            nearby-messages yes)
      smoothing             of the RSSI: last, mean, trimmed, abl-average,
                            arma-abl, kalman
                            (trimmed; core-location mean, android-beacon-library
                            abl-average, abl-legacy abl-average,
                            nearby-messages last)
      ignore_unknown_rssi   yes: sightings without RSSI do not count
                            (no; android-beacon-library yes, abl-legacy yes)
      ranging_period        seconds from one list of distances to the next,
                            0: on change
                            (1; android-beacon-library 1.1, abl-legacy 1.1,
                            nearby-messages 0)
      distance_model        path-loss, abl (path-loss)
      path_loss_exponent    how fast the signal fades, 1 to 6 (2.0)
      immediate_below       metres at which immediate ends (0.5)
      near_up_to            metres at which near ends (4.0)

    With --set alone:
      limit                 most regions that are monitored
                            (none; core-location 20)
      cushion               metres to be passed beyond the edge of a circle
                            (10.0; core-location 200.0)
      dwell                 seconds to stay there
                            (20)
      max_radius            metres, the largest circle: others are made smaller
                            (none)
    """
}
