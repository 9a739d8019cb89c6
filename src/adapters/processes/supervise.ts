import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { BoundReached, boundsOf } from '../../domain/bounds.ts'

/** Work that is done in a process of its own, since it may take the process down or never end. */
type SupervisedWork = {
  /** A module that answers one request: see {@link answerSupervisor}. */
  readonly entry: URL
  /** Sent as JSON. */
  readonly request: unknown
  /** The work counts as hung when it tells of no progress for so long, in milliseconds. */
  readonly silenceMs: number
  /** Bytes of memory that it may take; looked at where the system tells (Linux). */
  readonly mostBytes: number
  readonly signal?: AbortSignal
}

/** How the work ended. */
type Supervised =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | {
      readonly kind: 'ended'
      /** Why, for people. */
      readonly why: string
      /** What it said last that it was at; null when it said nothing. */
      readonly at: string | null
    }

type FromChild =
  | { readonly kind: 'at'; readonly what: string }
  | { readonly kind: 'answer'; readonly answer: unknown }

const lookMs = 500

/**
 * Lets another process do the work, and survives whatever becomes of it: an exit, a hang, memory without end. What it writes to its
 * outputs is shown to nobody: messages of native code say nothing to a person.
 */
export function supervise(work: SupervisedWork): Promise<Supervised> {
  const { entry, request, silenceMs, mostBytes, signal } = work
  return new Promise((resolve, reject) => {
    const child = fork(entry, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
    let at: string | null = null
    const bounds = boundsOf({
      callers: [signal],
      seconds: silenceMs / 1_000,
      words: { time: `it did not go on for ${Math.round(silenceMs / 1_000)} seconds` },
    })
    const watch = setInterval(() => {
      if (memoryOf(child.pid) > mostBytes) bounds.stopAtLimit('it took too much memory')
    }, lookMs)
    bounds.onStop(() => child.kill('SIGKILL'))
    const over = (): void => {
      clearInterval(watch)
      bounds.release()
    }
    child.on('message', (message: FromChild) => {
      bounds.restart()
      if (message.kind === 'at') at = message.what
      else {
        over()
        resolve({ kind: 'answered', answer: message.answer })
        child.kill()
      }
    })
    child.on('error', (error) => {
      over()
      reject(error)
    })
    child.on('exit', (code, ended) => {
      over()
      const { reason } = bounds.signal
      if (bounds.stoppedBy() === 'caller') reject(reason as Error)
      else if (reason instanceof BoundReached) resolve({ kind: 'ended', why: reason.message, at })
      else resolve({ kind: 'ended', why: `the process ended (${ended ?? `code ${code}`})`, at })
    })
    child.send(request as object)
  })
}

/** Bytes that a process holds; 0 where the system does not tell. */
export function memoryOf(pid: number | undefined): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * 4096
  } catch {
    return 0
  }
}

/**
 * The other side of {@link supervise}: answers the one request, and ends with its supervisor.
 *
 * @param answer - given what was asked, and what to call to tell of progress
 */
export function answerSupervisor(
  answer: (request: unknown, at: (what: string) => void) => Promise<unknown>,
): void {
  if (process.send === undefined) throw new Error('This module is started by Audition alone.')
  const tell = (message: FromChild): void => void process.send?.(message)
  process.once('disconnect', () => process.exit(0))
  process.once('message', (request) => {
    void answer(request, (what) => tell({ kind: 'at', what })).then((given) =>
      tell({ kind: 'answer', answer: given }),
    )
  })
}
