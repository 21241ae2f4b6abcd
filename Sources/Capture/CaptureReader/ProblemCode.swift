/// What was odd, as a short stable word: `file_truncated`. Open: whoever finds a new oddity in a
/// higher target adds a static constant there.
public struct ProblemCode: RawRepresentable, Hashable, Sendable, Comparable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static func < (a: ProblemCode, b: ProblemCode) -> Bool { a.rawValue < b.rawValue }
}

extension ProblemCode {
  // Reasons why an input cannot be read at all.
  public static let cannotOpen = ProblemCode(rawValue: "cannot_open")
  public static let readError = ProblemCode(rawValue: "read_error")
  /// It comes once, and there is no room to keep it for a second reading.
  public static let cannotKeep = ProblemCode(rawValue: "cannot_keep")
  public static let emptyFile = ProblemCode(rawValue: "empty_file")
  public static let unknownFormat = ProblemCode(rawValue: "unknown_format")
  public static let unsupportedVersion = ProblemCode(rawValue: "unsupported_version")
  public static let unsupportedDatalink = ProblemCode(rawValue: "unsupported_datalink")
  public static let headerTruncated = ProblemCode(rawValue: "header_truncated")
  public static let linkTypeReservedBits = ProblemCode(rawValue: "linktype_reserved_bits")
  public static let badByteOrderMagic = ProblemCode(rawValue: "bad_byte_order_magic")
  public static let decompressionFailed = ProblemCode(rawValue: "decompression_failed")
  public static let unsupportedCompression = ProblemCode(rawValue: "unsupported_compression")
  public static let badBase64 = ProblemCode(rawValue: "bad_base64")
  /// A receiver's folder without a capture that can be read.
  public static let receiverMissing = ProblemCode(rawValue: "receiver_missing")
  /// Another input of the run, byte for byte.
  public static let sameCapture = ProblemCode(rawValue: "same_capture")

  // Warnings about an input that is read as far as it goes.
  public static let fileTruncated = ProblemCode(rawValue: "file_truncated")
  public static let damageSkipped = ProblemCode(rawValue: "damage_skipped")
  public static let recordLengthImplausible = ProblemCode(rawValue: "record_length_implausible")
  public static let recordImplausible = ProblemCode(rawValue: "record_implausible")
  public static let includedExceedsOriginal = ProblemCode(rawValue: "included_exceeds_original")
  public static let emptyRecord = ProblemCode(rawValue: "empty_record")
  public static let fractionOutOfRange = ProblemCode(rawValue: "fraction_out_of_range")
  public static let unknownInterface = ProblemCode(rawValue: "unknown_interface")
  public static let blockLengthMismatch = ProblemCode(rawValue: "block_length_mismatch")
  public static let blockLengthInvalid = ProblemCode(rawValue: "block_length_invalid")
  public static let packetOverrunsBlock = ProblemCode(rawValue: "packet_overruns_block")
  public static let optionOverrun = ProblemCode(rawValue: "option_overrun")
  public static let gpsValueOutOfRange = ProblemCode(rawValue: "gps_value_out_of_range")
  public static let positionZero = ProblemCode(rawValue: "position_zero")
  public static let unknownRecordType = ProblemCode(rawValue: "unknown_record_type")
  public static let compressedStreamTruncated = ProblemCode(
    rawValue: "compressed_stream_truncated")
  public static let compressedStreamDamaged = ProblemCode(rawValue: "compressed_stream_damaged")
  public static let sectionEndMissing = ProblemCode(rawValue: "section_end_missing")
  public static let sectionSkipped = ProblemCode(rawValue: "section_skipped")
  /// Of a bug report: what stands in one before it, too.
  public static let sectionRepeated = ProblemCode(rawValue: "section_repeated")
  /// Another capture begins behind the first one: files were joined.
  public static let capturesJoined = ProblemCode(rawValue: "captures_joined")
  /// What a recorder counts up for as long as it runs is less than before.
  public static let lossCounterFalls = ProblemCode(rawValue: "loss_counter_falls")
  /// One of another link type: the rest of the file is left out.
  public static let linkTypeChanges = ProblemCode(rawValue: "link_type_changes")

  // The clock.
  public static let timestampImplausible = ProblemCode(rawValue: "timestamp_implausible")
  public static let clockNotSet = ProblemCode(rawValue: "clock_not_set")
  public static let timestampOutOfRange = ProblemCode(rawValue: "timestamp_out_of_range")
  /// Far from the times of the records before and after it.
  public static let timestampOutlier = ProblemCode(rawValue: "timestamp_outlier")
  public static let timeGoesBackwards = ProblemCode(rawValue: "time_goes_backwards")
  public static let timeJumpsForward = ProblemCode(rawValue: "time_jumps_forward")
  public static let noTimestamp = ProblemCode(rawValue: "no_timestamp")

  /// Codes that mean bytes of the input were lost or could not be trusted: exit status 65.
  public static let damaging: Set<ProblemCode> = [
    fileTruncated, damageSkipped, recordLengthImplausible, recordImplausible, blockLengthMismatch,
    blockLengthInvalid, packetOverrunsBlock, compressedStreamTruncated, compressedStreamDamaged,
    sectionEndMissing, sectionSkipped, linkTypeChanges, readError,
  ]
}

/// Why an input cannot be read: what, where, and what to do next.
public struct CaptureProblem: Error, Sendable {
  public let code: ProblemCode
  /// The input as the user named it.
  public let capture: String
  /// Byte of the (unpacked) input, where one can be named.
  public let offset: Int64?
  /// One clause without a full stop: what was found.
  public let detail: String
  /// One sentence: what to do next, where something can be done.
  public let remedy: String?
  /// Whether a folder was named, and this is what was found in it: the rest stands without it.
  public var isInFolder = false

  public init(
    _ code: ProblemCode, capture: String, offset: Int64? = nil, detail: String,
    remedy: String? = nil
  ) {
    self.code = code
    self.capture = capture
    self.offset = offset
    self.detail = detail
    self.remedy = remedy
  }

  public var description: String {
    let place = offset.map { " (byte \($0))" } ?? ""
    return "\(capture): \(detail)\(place).\(remedy.map { " " + $0 } ?? "")"
  }
}
