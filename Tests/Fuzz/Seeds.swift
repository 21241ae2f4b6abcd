enum Seeds {
  static func write(to folder: String) {}
}
