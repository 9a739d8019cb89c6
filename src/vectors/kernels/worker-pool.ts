import { Worker } from 'node:worker_threads'
import {
  type WasmInstance,
  type WasmMemory,
  type WasmModule,
  type WebAssemblyApi,
  webAssembly,
} from './web-assembly.ts'

/** One call of an exported function of the module; pointers are byte offsets. */
export type KernelCall = readonly [name: string, ...values: number[]]

/** Threads that run functions of one WebAssembly module over one shared memory, side by side. */
export type WorkerPool = {
  readonly size: number
  /**
   * Runs one list of calls per thread and returns when all are done. The lists must not write what another reads.
   *
   * @returns what each thread's calls returned, added up; 0 for calls that return nothing
   */
  run(callsOf: (thread: number) => readonly KernelCall[]): readonly number[]
  close(): Promise<void>
}

type ThreadStart = {
  readonly module: WasmModule
  readonly memory: WasmMemory
  readonly control: SharedArrayBuffer
  readonly names: readonly string[]
}

const maxCalls = 16
const valuesPerCall = 24
/** Places of the control words: rounds begun, rounds done, 1 to end, the round that somebody took on, 1 when a call threw. */
const begun = 0
const done = 1
const ending = 2
const taken = 3
const failed = 4
const headerBytes = 64
/** How long a helper may leave a round lying, in milliseconds, before the caller takes it on: one that cannot start says nothing. */
const patienceMs = 1000

/**
 * @param size - threads, the caller's own among them; >= 1
 * @param memory - shared, as the module imports it
 */
export function startWorkers(bytes: Uint8Array<ArrayBuffer>, memory: WasmMemory, size: number): WorkerPool {
  const module = new webAssembly.Module(bytes)
  const own = new webAssembly.Instance(module, { env: { memory } }).exports
  const names = Object.keys(own)
  const numberOf = new Map(names.map((name, index) => [name, index]))
  const helpers = Array.from({ length: size - 1 }, () => {
    const control = new SharedArrayBuffer(headerBytes + 8 * (1 + maxCalls * valuesPerCall))
    const start: ThreadStart = { module, memory, control, names }
    const worker = new Worker(`(${serve.toString()})(require('node:worker_threads').workerData)`, {
      eval: true,
      workerData: start,
      execArgv: [],
    })
    worker.unref() // whoever runs something waits for it; an idle thread holds no process up
    worker.on('error', () => {}) // one that cannot start has its rounds taken on by the caller
    return { worker, words: new Int32Array(control, 0, 5), calls: new Float64Array(control, headerBytes) }
  })
  let rounds = 0
  return {
    size,
    run(callsOf) {
      rounds += 1
      helpers.forEach(({ words, calls }, index) => {
        writeCalls(calls, callsOf(index + 1), numberOf)
        Atomics.store(words, begun, rounds)
        Atomics.notify(words, begun)
      })
      const sum = runHere(own, callsOf(0))
      const sums = helpers.map(({ words, calls }, index) => {
        for (let seen = Atomics.load(words, done); seen !== rounds; seen = Atomics.load(words, done)) {
          const isAbsent = seen === 0 && rounds > 1
          if (Atomics.wait(words, done, seen, isAbsent ? 0 : patienceMs) !== 'timed-out') continue
          if (Atomics.compareExchange(words, taken, rounds - 1, rounds) === rounds - 1)
            return runHere(own, callsOf(index + 1))
        }
        if (Atomics.load(words, failed) === 1) throw new RangeError('A kernel failed in a thread.')
        return calls[0]!
      })
      return [sum, ...sums]
    },
    async close() {
      for (const { words } of helpers) {
        Atomics.store(words, ending, 1)
        Atomics.store(words, begun, -1)
        Atomics.notify(words, begun)
      }
      await Promise.all(helpers.map(({ worker }) => worker.terminate()))
    },
  }
}

function runHere(own: WasmInstance['exports'], calls: readonly KernelCall[]): number {
  let sum = 0
  for (const [name, ...values] of calls)
    sum += Number((own[name] as (...values: number[]) => number | undefined)(...values) ?? 0)
  return sum
}

function writeCalls(
  into: Float64Array,
  calls: readonly KernelCall[],
  numberOf: ReadonlyMap<string, number>,
): void {
  if (calls.length > maxCalls) throw new RangeError(`At most ${maxCalls} calls a round.`)
  into[0] = calls.length
  calls.forEach(([name, ...values], index) => {
    const at = 1 + index * valuesPerCall
    const number = numberOf.get(name)
    if (number === undefined || values.length > valuesPerCall - 2)
      throw new RangeError(`No such call: ${name}.`)
    into[at] = number
    into[at + 1] = values.length
    into.set(values, at + 2)
  })
}

/** The body of a thread. It is sent as text, so that it may use nothing from outside itself. */
function serve({ module, memory, control, names }: ThreadStart): void {
  const api = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly
  const exports = new api.Instance(module, { env: { memory } }).exports
  const words = new Int32Array(control, 0, 5)
  const calls = new Float64Array(control, 64)
  let round = 0
  for (;;) {
    Atomics.wait(words, 0, round)
    round = Atomics.load(words, 0)
    if (Atomics.load(words, 2) === 1) return
    if (Atomics.compareExchange(words, 3, round - 1, round) !== round - 1) continue
    let sum = 0
    const count = calls[0] ?? 0
    try {
      for (let index = 0; index < count; index++) {
        const at = 1 + index * 24
        const values = Array.from(calls.subarray(at + 2, at + 2 + (calls[at + 1] ?? 0)))
        const kernel = exports[names[calls[at] ?? 0] ?? ''] as (...values: number[]) => number | undefined
        sum += Number(kernel(...values) ?? 0)
      }
    } catch {
      Atomics.store(words, 4, 1)
    }
    calls[0] = sum
    Atomics.store(words, 1, round)
    Atomics.notify(words, 1)
  }
}
