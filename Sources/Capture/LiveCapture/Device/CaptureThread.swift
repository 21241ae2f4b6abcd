import Glibc

/// A thread of its own for work that waits most of the time: a queue would lend one of few threads
/// that others need.
///
/// Signals are not its business: they go to the threads that were there before.
@safe final class CaptureThread: @unchecked Sendable {
  // Unchecked: `thread` is written once, before anybody else has this object.
  private var thread = pthread_t()

  init(_ work: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(Work(work)).toOpaque()
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    let code = unsafe pthread_create(&thread, nil, { body in unsafe runWork(body) }, body)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    precondition(code == 0, "the system gives no more threads")
  }

  /// Waits until the work is done; call once.
  func join() { _ = pthread_join(thread, nil) }
}

private final class Work {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let body = unsafe body else { return nil }
  let work = unsafe Unmanaged<Work>.fromOpaque(body).takeRetainedValue()
  work.body()
  return nil
}
