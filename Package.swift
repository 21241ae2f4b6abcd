// swift-tools-version: 6.2
import PackageDescription

// The targets stand in the order in which the evidence travels: Capture, Decode, Follow, Judge, Keep,
// Show.
// A folder imports only from folders above it in this list; a test holds the rule.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The stages of the data path live in modules of their own; what crosses between them on the way of
// a frame has to be inlined all the same.
let hot: [SwiftSetting] =
  strict + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

// What is compared and mutated by the thousand, and hardly stepped through: optimized in debug builds, too.
let optimized: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Hot, and what tests that analyze go through before all else: they make frames, and take them apart. Optimized in
// debug builds, too.
let frames: [SwiftSetting] = hot + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let swiftProtobuf = Target.Dependency.product(
  name: "SwiftProtobuf", package: "swift-protobuf")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")

let package = Package(
  name: "beacontrace",
  products: [.executable(name: "beacontrace", targets: ["CLI"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.30.0"),
  ],
  targets: [
    // Capture: bytes → records
    .systemLibrary(
      name: "CZlib", path: "Sources/Capture/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CZstd", path: "Sources/Capture/CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(
      name: "CCrypto", path: "Sources/Capture/CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CExpat", path: "Sources/Capture/CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"])]),
    .target(
      name: "CaptureReader", dependencies: ["CZlib", "CZstd", "CCrypto"],
      path: "Sources/Capture/CaptureReader", swiftSettings: frames),
    .target(
      name: "CaptureWriter", dependencies: ["CZlib", "CZstd"],
      path: "Sources/Capture/CaptureWriter", swiftSettings: frames),
    .systemLibrary(
      name: "CPcap", path: "Sources/Capture/CPcap", pkgConfig: "libpcap",
      providers: [.apt(["libpcap-dev"])]),
    .target(
      name: "CHCI", path: "Sources/Capture/CHCI",
      cSettings: [.unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CPrivileges", path: "Sources/Capture/CPrivileges",
      cSettings: [
        .define("_GNU_SOURCE"), .unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror"]),
      ]),
    .target(
      name: "LiveCapture",
      dependencies: ["CaptureReader", "CaptureWriter", "CPcap", "CHCI", "CPrivileges"],
      path: "Sources/Capture/LiveCapture", swiftSettings: strict),
    .target(
      name: "TrackReader", dependencies: ["CExpat", "CaptureReader"],
      path: "Sources/Capture/TrackReader", swiftSettings: strict),

    // Decode: records → advertisements → sightings
    .target(
      name: "FrameDecoder", dependencies: ["CaptureReader"],
      path: "Sources/Decode/FrameDecoder", swiftSettings: frames),
    .target(
      name: "FrameEncoder", dependencies: ["CaptureWriter"],
      path: "Sources/Decode/FrameEncoder", swiftSettings: frames),
    .target(
      name: "BeaconKeys", dependencies: ["CCrypto", "CaptureReader"],
      path: "Sources/Decode/BeaconKeys", swiftSettings: optimized),
    .target(
      name: "Beacons", dependencies: ["CaptureReader", "FrameDecoder", "BeaconKeys"],
      path: "Sources/Decode/Beacons", swiftSettings: hot),

    // Follow: sightings → what they add up to
    .target(
      name: "Regions",
      dependencies: ["CaptureReader", "TrackReader", "FrameDecoder", "BeaconKeys", "Beacons"],
      path: "Sources/Follow/Regions", swiftSettings: hot),
    .target(
      name: "Analysis",
      dependencies: [
        "CaptureReader", "TrackReader", "FrameDecoder", "BeaconKeys", "Beacons", "Regions",
      ],
      path: "Sources/Follow/Analysis", swiftSettings: hot),

    // Judge: findings → alerts
    .systemLibrary(
      name: "CLua", path: "Sources/Judge/CLua", pkgConfig: "lua5.4",
      providers: [.apt(["liblua5.4-dev"])]),
    .target(
      name: "CLuaGuard", dependencies: ["CLua"], path: "Sources/Judge/CLuaGuard",
      cSettings: [
        .define("_GNU_SOURCE"), .unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror"]),
      ]),
    .target(
      name: "Plugins",
      dependencies: [
        "CaptureReader", "CaptureWriter", "TrackReader", "FrameDecoder", "FrameEncoder",
        "BeaconKeys", "Beacons", "Regions", "Analysis", "CLuaGuard",
      ],
      path: "Sources/Judge/Plugins", swiftSettings: hot),

    // Keep: findings → rows and lines
    .target(
      name: "CaseStore",
      dependencies: ["CaptureReader", "CaptureWriter", grdb, sqlite],
      path: "Sources/Keep/CaseStore", exclude: ["CASE.md"], swiftSettings: strict),
    .target(
      name: "Pseudonyms", dependencies: ["CaptureReader", "FrameDecoder", "BeaconKeys"],
      path: "Sources/Keep/Pseudonyms", swiftSettings: optimized),
    // Out of PerfettoTrace.proto, which says how.
    .target(
      name: "PerfettoTrace", dependencies: [swiftProtobuf], path: "Sources/Keep/PerfettoTrace",
      exclude: ["PerfettoTrace.proto"],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .target(
      name: "Exports",
      dependencies: [
        "Pseudonyms", "CaptureReader", "CaptureWriter", "LiveCapture", "TrackReader",
        "FrameDecoder", "BeaconKeys", "Beacons", "Regions", "Analysis",
      ],
      path: "Sources/Keep/Exports", exclude: ["FORMATS.md"], swiftSettings: hot),
    .target(
      name: "Cases",
      dependencies: [
        "CaseStore", "PerfettoTrace", "Exports", "CaptureReader", "CaptureWriter", "TrackReader",
        "FrameDecoder", "Beacons", "Regions", "Analysis", swiftProtobuf,
      ],
      path: "Sources/Keep/Cases", swiftSettings: strict),
    .target(
      name: "Deliveries", dependencies: ["CaptureReader", "CaptureWriter", "Analysis", "Exports"],
      path: "Sources/Keep/Deliveries", swiftSettings: strict),
    .target(
      name: "StateFile", dependencies: ["CaptureReader", "CaptureWriter", "Analysis", "Plugins"],
      path: "Sources/Keep/StateFile", swiftSettings: strict),

    // Show: → people
    .target(
      name: "Synth",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "BeaconKeys", "Beacons",
        "Analysis", "Exports",
      ],
      path: "Sources/Show/Synth", exclude: ["SYNTH.md"], swiftSettings: hot),
    .target(
      name: "Report",
      dependencies: [
        "CaptureReader", "Beacons", "Regions", "Analysis", "CaseStore", "Exports", grdb,
      ],
      path: "Sources/Show/Report",
      resources: ["page.css", "page.js", "marks.js", "evidence.js", "tables.js", "start.js"].map {
        .embedInCode("Page/\($0)")
      },
      swiftSettings: strict),
    .executableTarget(
      name: "CLI",
      dependencies: [
        "CaptureReader", "CaptureWriter", "LiveCapture", "TrackReader", "FrameDecoder",
        "BeaconKeys", "Beacons", "Regions", "Analysis", "Plugins", "CaseStore", "Pseudonyms",
        "Exports", "Cases", "Deliveries", "StateFile", "Report", "Synth", argumentParser, grdb,
      ],
      path: "Sources/Show/CLI", swiftSettings: hot),
    // The manual pages, out of what the tool says of itself; not installed.
    .executableTarget(
      name: "Manual", dependencies: [], path: "Sources/Show/Manual", swiftSettings: strict),

    // Measuring: no products, built by `make bench` alone
    .target(name: "AllocationCount", path: "Benchmarks/AllocationCount"),
    .executableTarget(name: "Measure", path: "Benchmarks/Measure"),
    .executableTarget(
      name: "Stages",
      dependencies: ["CaptureReader", "FrameDecoder", "Beacons", "Analysis", "AllocationCount"],
      path: "Benchmarks/Stages", swiftSettings: hot),

    // Tests: the golden cases, what a reading makes of a capture, and what must hold of any
    .target(
      name: "Checks", dependencies: ["CaptureReader", "FrameDecoder", "Beacons", "Twin"],
      path: "Tests/Checks", swiftSettings: optimized),
    .testTarget(
      name: "GoldenTests",
      dependencies: ["CaptureReader", "FrameDecoder", "Beacons", "Synth", "Checks"],
      path: "Tests/Golden", exclude: ["golden.json", "known-differences.md"], swiftSettings: strict),
    .testTarget(
      name: "CaptureReaderTests", dependencies: ["CaptureReader"],
      path: "Tests/CaptureReader", swiftSettings: strict),
    .testTarget(
      name: "TrackReaderTests", dependencies: ["CaptureReader", "TrackReader", "TestSupport"],
      path: "Tests/TrackReader", swiftSettings: strict),
    .testTarget(
      name: "FrameDecoderTests", dependencies: ["CaptureReader", "FrameDecoder"],
      path: "Tests/FrameDecoder", swiftSettings: strict),
    .testTarget(
      name: "BeaconsTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "BeaconKeys", "Beacons",
        "Checks", "TestSupport",
      ],
      path: "Tests/Beacons", swiftSettings: strict),
    // Tests: a recording in a process of its own, which can be killed
    .executableTarget(
      name: "RecordingTrial", dependencies: ["CaptureWriter"], path: "Tests/RecordingTrial",
      swiftSettings: strict),
    .testTarget(
      name: "CaptureWriterTests",
      dependencies: ["CaptureReader", "CaptureWriter", "RecordingTrial", "TestSupport"],
      path: "Tests/CaptureWriter", swiftSettings: strict),
    .testTarget(
      name: "DeliveriesTests",
      dependencies: ["CaptureReader", "Analysis", "Exports", "Deliveries"],
      path: "Tests/Deliveries", swiftSettings: strict),
    .testTarget(
      name: "LiveCaptureTests",
      dependencies: ["CaptureReader", "CaptureWriter", "LiveCapture", "TestSupport"],
      path: "Tests/LiveCapture", swiftSettings: strict),
    .testTarget(
      name: "FrameEncoderTests", dependencies: ["CaptureWriter", "FrameEncoder"],
      path: "Tests/FrameEncoder", swiftSettings: strict),
    .testTarget(
      name: "BeaconKeysTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "BeaconKeys", "Beacons",
        "Regions", "TestSupport",
      ],
      path: "Tests/BeaconKeys", swiftSettings: strict),
    .testTarget(
      name: "PseudonymsTests",
      dependencies: ["CaptureReader", "FrameDecoder", "Beacons", "Pseudonyms"],
      path: "Tests/Pseudonyms", swiftSettings: strict),
    .testTarget(
      name: "SynthTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "Beacons", "Regions",
        "Analysis", "Exports", "Synth",
      ],
      path: "Tests/Synth", swiftSettings: strict),
    // Tests: what several of them need, and the committed captures
    .target(
      name: "TestSupport", dependencies: ["CaptureWriter"], path: "Tests/Support",
      swiftSettings: strict),
    .testTarget(
      name: "CapturesTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "Beacons", "Synth",
        "TestSupport",
      ],
      path: "Tests/Captures", swiftSettings: strict),
    // Tests: a second decoder, which shares nothing with the first
    .target(name: "Twin", path: "Tests/Twin", swiftSettings: optimized),
    // Tests: what is fuzzed, and what fuzzing found
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CaptureReader", "CaptureWriter", "TrackReader", "FrameDecoder", "FrameEncoder",
        "BeaconKeys", "Beacons", "Regions", "Analysis", "Plugins", "Pseudonyms", "Exports",
        "Checks", "Twin",
        "TestSupport",
      ],
      path: "Tests/Fuzz", swiftSettings: optimized),
    .testTarget(
      name: "TwinTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameEncoder", "Synth", "Checks", "FuzzTargets",
        "TestSupport",
      ],
      path: "Tests/TwinTests", swiftSettings: optimized),
    // Tests: against other programs, where there are any
    .testTarget(
      name: "OracleTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "BeaconKeys", "Beacons", "Regions",
        "Analysis", "Synth",
      ],
      path: "Tests/Oracle", swiftSettings: strict),
    .testTarget(
      name: "RegionsTests",
      dependencies: [
        "CaptureReader", "TrackReader", "FrameDecoder", "Beacons", "Regions", "TestSupport",
      ],
      path: "Tests/Regions", swiftSettings: strict),
    .testTarget(
      name: "AnalysisTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "Beacons", "Regions",
        "Analysis", "Synth", "TestSupport",
      ],
      path: "Tests/Analysis", swiftSettings: strict),
    // Tests: the guard around Lua, from C, so that AddressSanitizer can have it alone
    .target(
      name: "LuaTrial", dependencies: ["CLuaGuard", "CLua"], path: "Tests/LuaTrial",
      cSettings: [
        .define("_GNU_SOURCE"), .unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror"]),
      ]),
    .testTarget(
      name: "CLuaGuardTests", dependencies: ["CLuaGuard", "LuaTrial"], path: "Tests/CLuaGuard",
      exclude: ["Attacks", "Same", "AllocationFailures.lua"],
      // C pointers all over: strict memory safety would only mark each line.
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .testTarget(
      name: "PluginsTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "Beacons", "Regions",
        "Analysis", "Plugins", "TestSupport",
      ],
      path: "Tests/Plugins", swiftSettings: strict),
    .testTarget(
      name: "CaseStoreTests", dependencies: ["CaseStore", grdb], path: "Tests/CaseStore",
      swiftSettings: strict),
    .testTarget(
      name: "ReportTests",
      dependencies: ["CaptureReader", "Analysis", "CaseStore", "Exports", "Report", grdb],
      path: "Tests/Report", swiftSettings: strict),
    .testTarget(
      name: "ExportsTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "TrackReader", "LiveCapture", "FrameDecoder", "Beacons",
        "Regions", "Analysis", "Exports", "Synth", "TestSupport",
      ],
      path: "Tests/Exports", exclude: ["Doctor/Expected"], swiftSettings: strict),
    .testTarget(
      name: "CasesTests",
      dependencies: [
        "CaptureReader", "FrameDecoder", "Beacons", "Regions", "Analysis", "CaseStore",
        "PerfettoTrace", "Exports", "Cases", grdb, swiftProtobuf,
      ],
      path: "Tests/Cases", swiftSettings: strict),
    // Writes states until it is killed, for the tests.
    .executableTarget(
      name: "StateLoop", dependencies: ["Analysis", "CaptureReader", "StateFile"],
      path: "Tests/StateLoop", swiftSettings: strict),
    .testTarget(
      name: "StateFileTests",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameEncoder", "Regions", "Analysis", "Plugins",
        "StateFile", "StateLoop", "TestSupport",
      ],
      path: "Tests/StateFile", swiftSettings: strict),
    // The built tool, from outside.
    .testTarget(
      name: "CLITests",
      dependencies: [
        "CLI", "Manual", "CaptureReader", "CaptureWriter", "FrameEncoder", "TestSupport", grdb,
      ],
      path: "Tests/CLI",
      exclude: ["Expected"],
      swiftSettings: strict),
  ]
)

// `make fuzz` alone builds this: it needs libFuzzer, which comes with the toolchain. What others keep well
// is fuzzed by them.
if let fuzz = Context.environment["BEACONTRACE_FUZZ"] {
  let sanitized = ["-sanitize=fuzzer,address"]
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/FuzzDriver/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["FuzzTargets", "CFuzzer"], path: "Tests/FuzzDriver/Driver",
      swiftSettings: strict, linkerSettings: [.unsafeFlags(sanitized)]),
  ]
  // To optimize what stands above the trackers, and what hardly a frame goes through, is two thirds of the compiler's
  // work: who fuzzes for long gains by it, CI would wait longer than it fuzzes.
  let plain: Set<String> =
    fuzz == "soon" ? ["Analysis", "Plugins", "Exports", "LiveCapture", "TrackReader"] : []
  for target in package.targets {
    guard let settings = target.swiftSettings else { continue }
    target.swiftSettings =
      settings + [.unsafeFlags(sanitized + (plain.contains(target.name) ? ["-Onone"] : []))]
  }
}
