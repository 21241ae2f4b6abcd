import BeaconKeys
import Foundation
import Testing

/// Identifiers and telemetry as others published or computed them.
@Suite struct KeyVectorTests {
  private struct Vectors: Decodable {
    struct Identifiers: Decodable {
      let published: [Identifier]
      let computed: [Identifier]
    }
    struct Identifier: Decodable {
      let name: String
      let identity_key: String
      let k: UInt8
      let time_s: UInt32
      let eid: String
    }
    struct Telemetry: Decodable {
      let vectors: [Opened]
      let must_fail: [Refused]
    }
    struct Opened: Decodable {
      let name: String
      let identity_key: String
      let time_cleared: UInt32
      let salt: String
      let plaintext12: String
      let ciphertext12: String
      let tag2: String
    }
    struct Refused: Decodable {
      let name: String
      let identity_key: String
      let nonce: String
      let ciphertext12: String
      let tag2: String
    }
    let eid: Identifiers
    let etlm: Telemetry
  }

  private static func read() throws -> Vectors {
    let file = Surroundings.shared.appending(path: Need.vectors.rawValue)
    return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
  }

  private static func bytes(_ hex: String) throws -> [UInt8] {
    let digits = Array(hex)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
  }

  @Test(.needs(.vectors)) func identifiers() throws {
    let vectors = try Self.read().eid
    #expect(vectors.published.count + vectors.computed.count == 18)
    for vector in vectors.published + vectors.computed {
      let beacon = EphemeralIdentifier(key: try Self.bytes(vector.identity_key), exponent: vector.k)
      #expect(
        beacon.identifier(at: vector.time_s) == (try Self.bytes(vector.eid)), "\(vector.name)")
    }
  }

  /// With the exponent 0 no bit of a time is cleared: the nonce's is taken as it is.
  @Test(.needs(.vectors)) func telemetry() throws {
    let vectors = try Self.read().etlm
    #expect((vectors.vectors.count, vectors.must_fail.count) == (7, 7))
    for vector in vectors.vectors {
      let beacon = EphemeralIdentifier(key: try Self.bytes(vector.identity_key), exponent: 0)
      let (plain, salt) = try (Self.bytes(vector.plaintext12), Self.bytes(vector.salt))
      let (secret, tag) = try (Self.bytes(vector.ciphertext12), Self.bytes(vector.tag2))
      let made = beacon.telemetry(plain, at: vector.time_cleared, salt: salt)
      #expect(made.cipher == secret && made.check == tag, "\(vector.name)")
      #expect(
        beacon.opened(cipher: secret, salt: salt, check: tag, at: vector.time_cleared) == plain,
        "\(vector.name)")
    }
    for vector in vectors.must_fail {
      let beacon = EphemeralIdentifier(key: try Self.bytes(vector.identity_key), exponent: 0)
      let nonce = try Self.bytes(vector.nonce)
      let time = nonce.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
      let (secret, tag) = try (Self.bytes(vector.ciphertext12), Self.bytes(vector.tag2))
      #expect(
        beacon.opened(cipher: secret, salt: Array(nonce[4...]), check: tag, at: time) == nil,
        "\(vector.name)")
    }
  }
}
