/**
 * Keeps a process from ending while a thread of it is in ONNX Runtime: Node ends its threads at exit, and a native
 * call that is cut short aborts the whole process with exit code 134. The thread marks its native work in shared
 * memory, and at exit the process lets the work under way end, and no more begin.
 */
export type NativeGate = Int32Array<SharedArrayBuffer>

const busy = 0
const stopping = 1
/** A download cannot be waited for; it may be cut short safely. */
const longestWaitMs = 3000

const atExit = new Set<NativeGate>()

export const nativeGate = (): NativeGate => new Int32Array(new SharedArrayBuffer(8))

/** In the thread: does native work, or waits for ever when the process is about to end. */
export async function passGate<T>(gate: NativeGate, work: () => Promise<T>): Promise<T> {
  Atomics.store(gate, busy, 1)
  if (Atomics.load(gate, stopping) === 1) {
    leave(gate)
    return await new Promise<never>(() => {})
  }
  try {
    return await work()
  } finally {
    leave(gate)
  }
}

function leave(gate: NativeGate): void {
  Atomics.store(gate, busy, 0)
  Atomics.notify(gate, busy)
}

/** In the main thread: from now on the end of the process waits for this gate. */
export function waitForGateAtExit(gate: NativeGate): void {
  if (atExit.size === 0) process.on('exit', closeAll)
  atExit.add(gate)
}

/** In the main thread: the thread has ended. */
export function forgetGate(gate: NativeGate): void {
  atExit.delete(gate)
  if (atExit.size === 0) process.off('exit', closeAll)
}

function closeAll(): void {
  for (const gate of atExit) Atomics.store(gate, stopping, 1)
  for (const gate of atExit) Atomics.wait(gate, busy, 1, longestWaitMs)
}
