/// Tables that plugins read: their fields.
enum ReadRecords {
  static let all: [ReferenceRecord] = [
    transmitter, rangingEntry, evidence, scanLimits, regionAt, ad, adv,
  ]

  static let transmitter = ReferenceRecord(
    "transmitter", "Who sent something.", SightingFields.transmitter)

  static let rangingEntry = ReferenceRecord(
    "ranging_entry", "A transmitter in a list of `ranging`.", EventFieldRows.rangingEntry)

  static let evidence = ReferenceRecord(
    "evidence", "A record that decided an event: a frame of a capture, or a line of a track.",
    [
      ReferenceField("capture", .string, optional: true, "The input's name."),
      ReferenceField("frame", .integer, optional: true, "Frame number, from 1."),
      ReferenceField("track", .string, optional: true, "The track file's name."),
      ReferenceField("line", .integer, optional: true, "Line, from 1."),
    ])

  static let scanLimits = ReferenceRecord(
    "scan_limits", "Whom and what the scan of an observer leaves out.",
    [
      ReferenceField(
        "filters_duplicates", .boolean,
        "The controller's duplicate filter is on: who was heard once is told no more, or seldom. Pauses and "
          + "silences there say nothing, nor do intervals."),
      ReferenceField(
        "hears_listed_only", .boolean,
        "The controller passes on only whom it was told to (its list, or Android's content filter when the scan "
          + "began): that others are not heard says nothing."),
      ReferenceField(
        "radio_share", .number, optional: true,
        "Which part of the time its radio listens, 0 to 1, by the window and the interval of the scan; nil: all of "
          + "it, or not known. What is sent meanwhile is not heard: gaps are those of the windows, too."
      ),
    ])

  static let regionAt = ReferenceRecord(
    "region_at", "A region that says who sends.",
    [
      ReferenceField("region", .string, "Its name."),
      ReferenceField("address", .string, "Who is to send: the address, or the name of the device."),
      ReferenceField(
        "kind", .words(SightingFields.kinds.map(\.name)), optional: true,
        "What is to be sent; nil: anything."),
      ReferenceField(
        "id", .string, optional: true,
        "The identity that is to be sent, as that of sightings; nil where the region lays down none, or a "
          + "part of one."),
    ])

  static let ad = ReferenceRecord(
    "ad", "One structure of advertising data, as a decoder is given it.",
    [
      ReferenceField("type", .integer, "AD type, 0 to 255."),
      ReferenceField("data", .string, "The bytes behind the company or the UUID."),
      ReferenceField("company", .integer, optional: true, "Of manufacturer data."),
      ReferenceField("service", .integer, optional: true, "16-bit UUID of service data."),
    ])

  static let adv = ReferenceRecord(
    "adv", "The advertisement it was in.",
    [
      ReferenceField("time", .number, "s", optional: true, "Since 1970, UTC."),
      ReferenceField("address", .string, optional: true, "The advertiser, lower case."),
      ReferenceField("address_type", .words(SightingFields.addressTypes), "What sort of address."),
      ReferenceField("rssi", .integer, "dBm", optional: true, "Nil where it is not available."),
      ReferenceField("data", .string, "All of its advertising data."),
    ])
}
