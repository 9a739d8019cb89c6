import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A system in a process of its own, so that its memory and its start can be told. */
export type SearcherProcess = {
  /** Milliseconds from the start of the process to the first answer. */
  readonly firstAnswerMs: number
  /** Processor time until then. */
  readonly firstProcessorMs: number
  /** Searches one query after another. */
  search(queries: readonly string[], k: number): Promise<SearchPass>
  close(): Promise<void>
}

/** What a pass over queries gave. */
export type SearchPass = {
  /** Per query. */
  readonly milliseconds: readonly number[]
  /** Processor time, per query. */
  readonly processorMilliseconds: readonly number[]
  /** Per query the ids found, best first, with their scores. */
  readonly found: readonly (readonly { readonly id: string; readonly score: number }[])[]
  /** Most memory the process ever held, and what it holds now, in bytes. */
  readonly peakBytes: number
  readonly residentBytes: number
  /** What is left of it when garbage has been collected: what grows with cards, without the noise. */
  readonly heldBytes: number
}

/** What an index run in a process of its own took. */
export type IndexRun = {
  readonly seconds: number
  readonly processorSeconds: number
  readonly peakBytes: number
  /** To disk. */
  readonly writtenBytes: number
}

/** What {@link indexInProcess} and {@link startSearcher} send to their processes. */
export type IndexTask = { readonly system: string; readonly corpus: string; readonly store: string }
export type SearchTask = { readonly system: string; readonly store: string; readonly query: string }

/** What {@link timeModel} sends: a store that the model's vectors are in, and the corpus it was made of. */
export type ModelTask = {
  readonly model: string
  readonly store: string
  readonly corpus: string
  readonly queries: readonly string[]
  readonly passes: number
}

/** What a model took in one process: milliseconds, a list per pass where it is many times done. */
export type ModelTimes = {
  /** To open the folder, in a process that has done nothing else; its code is loaded. */
  readonly openMs: number
  readonly embedMs: readonly (readonly number[])[]
  readonly cardsPerSecond: readonly number[]
  /** Features of 100 candidates; null for a model without ranker. */
  readonly featuresMs: readonly (readonly number[])[] | null
  /** Scores of 100 candidates by the trees. */
  readonly treesMs: readonly (readonly number[])[] | null
}

/** Indexes in a fresh process. The time does not count the start of the process. */
export async function indexInProcess(task: IndexTask): Promise<IndexRun> {
  const child = start('indexer', task)
  const run = await answer<IndexRun>(child)
  await ended(child)
  return run
}

/** Measures a model in a fresh process. */
export async function timeModel(task: ModelTask): Promise<ModelTimes> {
  const child = start('model-timer', task)
  const times = await answer<ModelTimes>(child)
  await ended(child)
  return times
}

/** Starts a process that opens a store and searches for one query. */
export async function startSearcher(task: SearchTask): Promise<SearcherProcess> {
  const started = performance.now()
  const child = start('searcher', task)
  const { processorMs } = await answer<{ readonly processorMs: number }>(child)
  const firstAnswerMs = performance.now() - started
  return {
    firstAnswerMs,
    firstProcessorMs: processorMs,
    search(queries, k) {
      child.send({ queries, k })
      return answer<SearchPass>(child)
    },
    close() {
      child.disconnect()
      return ended(child)
    },
  }
}

/** Large indexes of JavaScript objects need more than Node allows by default. */
const execArgv = ['--max-old-space-size=8192']

const start = (file: 'indexer' | 'searcher' | 'model-timer', task: object): ChildProcess =>
  fork(fileURLToPath(new URL(`./children/${file}.js`, import.meta.url)), [JSON.stringify(task)], {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/** The next message of a process. @throws Error when it ends without one */
function answer<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: unknown): void => {
      settle()
      resolve(message as T)
    }
    const onExit = (code: number | null): void => {
      settle()
      reject(new Error(`${child.spawnargs.slice(-2).join(' ')} ended with ${code} before it answered`))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
