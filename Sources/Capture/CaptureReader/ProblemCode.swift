/// What was odd, as a short stable word: `file_truncated`. Open: whoever finds a new oddity in a
/// higher target adds a static constant there.
package struct ProblemCode: RawRepresentable, Hashable, Sendable, Comparable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static func < (a: ProblemCode, b: ProblemCode) -> Bool { a.rawValue < b.rawValue }
}

extension ProblemCode {
  // Reasons why an input cannot be read at all.
  package static let cannotOpen = ProblemCode(rawValue: "cannot_open")
  package static let readError = ProblemCode(rawValue: "read_error")
  package static let emptyFile = ProblemCode(rawValue: "empty_file")
  package static let unknownFormat = ProblemCode(rawValue: "unknown_format")
  package static let unsupportedVersion = ProblemCode(rawValue: "unsupported_version")
  package static let unsupportedDatalink = ProblemCode(rawValue: "unsupported_datalink")
  package static let headerTruncated = ProblemCode(rawValue: "header_truncated")
  package static let linkTypeReservedBits = ProblemCode(rawValue: "linktype_reserved_bits")
  package static let badByteOrderMagic = ProblemCode(rawValue: "bad_byte_order_magic")
  package static let decompressionFailed = ProblemCode(rawValue: "decompression_failed")
  package static let unsupportedCompression = ProblemCode(rawValue: "unsupported_compression")
  package static let badBase64 = ProblemCode(rawValue: "bad_base64")

  // Warnings about an input that is read as far as it goes.
  package static let fileTruncated = ProblemCode(rawValue: "file_truncated")
  package static let damageSkipped = ProblemCode(rawValue: "damage_skipped")
  package static let recordLengthImplausible = ProblemCode(rawValue: "record_length_implausible")
  package static let recordImplausible = ProblemCode(rawValue: "record_implausible")
  package static let includedExceedsOriginal = ProblemCode(rawValue: "included_exceeds_original")
  package static let emptyRecord = ProblemCode(rawValue: "empty_record")
  package static let fractionOutOfRange = ProblemCode(rawValue: "fraction_out_of_range")
  package static let unknownInterface = ProblemCode(rawValue: "unknown_interface")
  package static let blockLengthMismatch = ProblemCode(rawValue: "block_length_mismatch")
  package static let blockLengthInvalid = ProblemCode(rawValue: "block_length_invalid")
  package static let packetOverrunsBlock = ProblemCode(rawValue: "packet_overruns_block")
  package static let optionOverrun = ProblemCode(rawValue: "option_overrun")
  package static let gpsValueOutOfRange = ProblemCode(rawValue: "gps_value_out_of_range")
  package static let unknownRecordType = ProblemCode(rawValue: "unknown_record_type")
  package static let compressedStreamTruncated = ProblemCode(
    rawValue: "compressed_stream_truncated")
  package static let compressedStreamDamaged = ProblemCode(rawValue: "compressed_stream_damaged")
  package static let sectionEndMissing = ProblemCode(rawValue: "section_end_missing")
  package static let sectionSkipped = ProblemCode(rawValue: "section_skipped")

  // The clock.
  package static let timestampImplausible = ProblemCode(rawValue: "timestamp_implausible")
  package static let clockNotSet = ProblemCode(rawValue: "clock_not_set")
  package static let timestampOutOfRange = ProblemCode(rawValue: "timestamp_out_of_range")
  package static let timeGoesBackwards = ProblemCode(rawValue: "time_goes_backwards")
  package static let timeJumpsForward = ProblemCode(rawValue: "time_jumps_forward")
  package static let noTimestamp = ProblemCode(rawValue: "no_timestamp")

  /// Codes that mean bytes of the input were lost or could not be trusted: exit status 65.
  package static let damaging: Set<ProblemCode> = [
    fileTruncated, damageSkipped, recordLengthImplausible, recordImplausible, blockLengthMismatch,
    blockLengthInvalid, packetOverrunsBlock, compressedStreamTruncated, compressedStreamDamaged,
    sectionEndMissing, sectionSkipped, readError,
  ]
}

/// Why an input cannot be read: what, where, and what to do next.
package struct CaptureProblem: Error, Sendable {
  package let code: ProblemCode
  /// The input as the user named it.
  package let capture: String
  /// Byte of the (unpacked) input, where one can be named.
  package let offset: Int64?
  /// One clause without a full stop: what was found.
  package let detail: String
  /// One sentence: what to do next, where something can be done.
  package let remedy: String?

  package init(
    _ code: ProblemCode, capture: String, offset: Int64? = nil, detail: String,
    remedy: String? = nil
  ) {
    self.code = code
    self.capture = capture
    self.offset = offset
    self.detail = detail
    self.remedy = remedy
  }

  package var description: String {
    let place = offset.map { " (byte \($0))" } ?? ""
    return "\(capture): \(detail)\(place).\(remedy.map { " " + $0 } ?? "")"
  }
}
