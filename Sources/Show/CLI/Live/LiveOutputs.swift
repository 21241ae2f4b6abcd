import Analysis
import ArgumentParser
import CaptureWriter
import Deliveries
import Exports
import Plugins
import StateFile

/// Opens what a live run writes. What cannot be opened ends the run before it begins.
enum LiveOutputs {
  /// What an earlier run left: read first, as plugins want it. Nil where none was asked for.
  static func state(_ options: StateOptions) throws -> StateFile? {
    guard let file = options.file else { return nil }
    do throws(StateProblem) {
      let state = try StateFile.open(
        file, goodFor: options.maxAge?.nanoseconds ?? RunState.usualAge)
      for warning in state.warnings { Terminal.tell("beacontrace: \(warning).") }
      return state
    } catch {
      // A service that is restarted would find the same file.
      throw refuse("\(error)", error.isForeign ? ExitCode.validationFailure : ExitStatus.output)
    }
  }

  /// The rest: last, so that nothing is left of a run that is refused for its plugins.
  static func open(
    _ output: LiveOutputOptions, _ recording: RecordingOptions, _ state: StateFile?,
    interfaces: [PcapngWriter.Interface], isReplay: Bool = false
  ) throws -> LiveSession.Outputs {
    var outputs = LiveSession.Outputs()
    outputs.state = state
    do {
      var settings = DeliverySettings()
      settings.isQuiet = output.quiet
      if output.isScreen {
        settings.show = { bytes in
          Terminal.tell(String(decoding: bytes, as: UTF8.self))
        }
      }
      // Before the others are made: it is refused where something else is there.
      outputs.status = try output.statusFile.map { file in try StatusFile(file) }
      if let path = output.undeliveredFile {
        let kept = try UndeliveredFile(path)
        settings.undelivered = kept
        outputs.undelivered = kept
        outputs.note(kept.damage)
      }
      if let file = output.alertFile {
        settings.least = output.alertsFrom ?? .info
        let alerts = try AlertFile(file, settings)
        outputs.deliveries.append(alerts)
        outputs.note(alerts.damage)
      }
      settings.least = output.execFrom ?? .info
      settings.mostAtOnce = output.execAtOnce ?? 1
      for command in output.commands {
        let delivery = try exec(command, settings)
        outputs.deliveries.append(delivery)
        if let sign = delivery.shellSign {
          Terminal.tell(
            "beacontrace: --exec: '\(sign)' goes to the command as it is, as no shell reads it; for one write "
              + "--exec \"sh -c '…'\"")
        }
      }
      // Last, when nothing else can be refused: a file that is there would be in the way next time.
      outputs.alerts = try recording.alertRecorder(interfaces, waitsForDisk: isReplay)
      outputs.leastRecorded = recording.alertsFrom ?? .info
      outputs.recorder = try recording.recorder(interfaces)
    } catch let problem as RecordingProblem {
      throw refuse("\(problem.path): \(problem.what). \(problem.remedy)")
    } catch let problem as StateProblem {
      throw refuse("\(problem)", problem.isForeign ? ExitCode.validationFailure : ExitStatus.output)
    } catch let problem as DeliveryProblem {
      throw refuse(
        "\(problem.what). \(problem.remedy)",
        problem.isForeign ? ExitCode.validationFailure : ExitStatus.output)
    }
    return outputs
  }

  /// What cannot be started is a wrong setting: a service that is restarted would fail again.
  private static func exec(
    _ command: String, _ settings: DeliverySettings
  ) throws -> ExecDelivery {
    do throws(DeliveryProblem) { return try ExecDelivery(command, settings) } catch {
      throw refuse("\(error.what). \(error.remedy)", ExitCode.validationFailure)
    }
  }

  private static func refuse(
    _ sentence: String, _ status: ExitCode = ExitStatus.output
  ) -> ExitCode {
    Terminal.tell("beacontrace: \(TextColumns.printable(sentence))")
    return status
  }
}

extension LiveSession.Outputs {
  /// Tells what is wrong with a file that is written on.
  fileprivate mutating func note(_ damage: String?) {
    guard let damage else { return }
    damages.append(damage)
    Terminal.tell("beacontrace: \(damage).")
  }
}

extension RecordingOptions {
  fileprivate func recorder(_ interfaces: [PcapngWriter.Interface]) throws -> CaptureRecorder? {
    guard let file else { return nil }
    var settings = CaptureRecorder.Settings(file)
    settings.overwrites = overwrite
    if rotates {
      settings.rotation = Rotation(
        bytes: rotateSize?.bytes, nanoseconds: rotateTime?.nanoseconds, keep: keep)
    }
    settings.sync = fsync.policy
    let clock = ContinuousClock()
    let start = clock.now
    return try CaptureRecorder(settings, interfaces: interfaces) {
      let passed = (clock.now - start).components
      return passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
    }
  }

  fileprivate func alertRecorder(
    _ interfaces: [PcapngWriter.Interface], waitsForDisk: Bool
  ) throws -> AlertRecorder? {
    guard let alertFile else { return nil }
    var settings = AlertRecorder.Settings(alertFile)
    if let before { settings.before = before.nanoseconds }
    if let after { settings.after = after.nanoseconds }
    settings.sync = fsync.policy
    settings.waitsForDisk = waitsForDisk
    let recorder = try AlertRecorder(settings, interfaces: interfaces)
    // A listener tells it how far the run has come; before that nothing is too old.
    recorder.reach(.min)
    return recorder
  }
}

/// When what was recorded is forced to the disk, as the option writes it.
struct SyncOption: ExpressibleByArgument {
  let policy: SyncPolicy
  private let text: String

  init?(argument: String) {
    switch argument {
    case "never": policy = .never
    case "always": policy = .always
    default:
      guard let span = TimeSpanOption(argument: argument), span.nanoseconds >= 1_000_000_000 else {
        return nil
      }
      policy = .every(seconds: Int(span.nanoseconds / 1_000_000_000))
    }
    text = argument
  }

  var defaultValueDescription: String { text }
}
