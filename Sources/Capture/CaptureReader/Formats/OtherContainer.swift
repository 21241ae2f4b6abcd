/// A capture of another container behind the first one in the same file (`cat a.btsnoop b.pcap`). Nothing of it is
/// read, as of damage, but it is none, and can be read by itself.
enum OtherContainer {
  static let advice = ": files of several formats were joined; give each by itself"

  /// What is told of a place where records make no sense; nil where no other capture begins there. PacketLogger has
  /// no header to be known by.
  static func detail(in bytes: RawSpan, at: Int, besides own: String) -> String? {
    guard let name = name(in: bytes, at: at), name != own else { return nil }
    return "another capture begins, of \(name)\(advice)"
  }

  private static func name(in bytes: RawSpan, at: Int) -> String? {
    guard at + 12 <= bytes.byteCount else { return nil }
    let magic = bytes.be32(at)
    if Pcap.Layout(magic: magic) != nil { return "pcap" }
    if magic == 0x0A0D_0D0A, [0x1A2B_3C4D, 0x4D3C_2B1A].contains(bytes.be32(at + 8)) {
      return "pcapng"
    }
    return bytes.extracting(at..<(at + 8)).matches(Btsnoop.magic) ? "btsnoop" : nil
  }
}
