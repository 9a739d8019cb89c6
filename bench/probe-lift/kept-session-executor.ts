import { executorOf } from '../../src/probing/runtime-kind.ts'
import { HarvestError } from '../../src/catalog/ports.ts'
import type { Card } from '../../src/domain/card.ts'
import { printable } from '../../src/domain/text/printable.ts'
import type { McpRuntime } from '../../src/domain/runtime.ts'
import type { Execution, Executor } from '../../src/probing/ports.ts'
import { type McpToolSurroundings, configuredEntry } from '../../src/adapters/mcp-client/mcp-tool-executor.ts'
import { mcpRuntime } from '../../src/adapters/mcp-client/mcp-runtime.ts'
import { FloodError } from '../../src/adapters/mcp-client/list-tools.ts'
import { BoundReached, type Bounds, boundsOf } from '../../src/domain/bounds.ts'
import {
  stoppedEnding,
  type OpenTranscript,
  openTranscript,
} from '../../src/probing/run/bounded-execution.ts'
import { openServerSession, type ServerSession } from '../../src/adapters/mcp-client/server-session.ts'

/** How long a session may take to open, and what it may send over all its calls. */
const forSession = { seconds: 30, bytes: 64 * 1024 * 1024 }

/**
 * Calls tools of MCP servers that stay up between calls, as they do in a host: a server is started at the first call of one
 * of its tools. An execution's time is that of its call. Until it is closed, its servers run: it is for many probes of few
 * servers that are trusted; {@link mcpRuntime} leaves nothing behind.
 */
export function keptSessionExecutor(options: McpToolSurroundings): {
  readonly executor: Executor
  /** Ends all servers; resolves when their processes are gone. */
  close(): Promise<void>
} {
  const kept = new Map<string, Kept>()

  /** The session that a card's server has, or a new one. */
  function sessionOf(card: Card): Kept {
    const runtime = card.runtime as McpRuntime
    const key = `${runtime.config}#${runtime.server}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const bounds = boundsOf(forSession)
    const session = openServerSession(configuredEntry(runtime, options.user), { ...options, bounds })
    session.finally(bounds.release).catch(() => {}) // whoever waits for it is told
    const made = { session, bounds }
    kept.set(key, made)
    return made
  }

  /** After a failure: the next call of its tools opens another one. */
  async function giveUp(failed: Kept): Promise<void> {
    for (const [key, known] of kept) if (known === failed) kept.delete(key)
    await end(failed)
  }

  return {
    executor: {
      ...executorOf(mcpRuntime, options),
      async execute(card, task, { limits, signal, onEvent }) {
        const used = sessionOf(card)
        const transcript = openTranscript(onEvent)
        const bounds = boundsOf({ callers: [signal], seconds: limits.seconds })
        let result: Result
        let from = transcript.elapsed()
        try {
          const session = await bounds.orStopped(used.session)
          from = transcript.elapsed()
          const args = task.arguments ?? {}
          transcript.add({ kind: 'tool-call', tool: card.name, arguments: args })
          const { text, structured, failed } = await session.call(card.name, args, bounds)
          const answer = printable(text).trim()
          const seconds = transcript.elapsed() - from
          transcript.add({ kind: 'tool-result', tool: card.name, text: answer, failed, seconds })
          result = failed
            ? { ending: 'failed', failure: answer || 'it failed without saying why' }
            : {
                ending: 'answered',
                failure: null,
                answer,
                ...(structured === undefined ? {} : { structured }),
              }
        } catch (error) {
          result = failedResult(error, bounds)
          if (result.ending !== 'cancelled') await giveUp(used)
        } finally {
          bounds.release()
          transcript.close()
        }
        return executionOf(result, transcript, transcript.elapsed() - from)
      },
    },
    async close() {
      await Promise.all([...kept.values()].map(end))
    },
  }
}

/** A session, or one that is being opened. */
type Kept = { readonly session: Promise<ServerSession>; readonly bounds: Bounds }

async function end({ session, bounds }: Kept): Promise<void> {
  bounds.stop(new Error('The session is over.'))
  await session.then(
    (open) => open.close('now'),
    () => {}, // one that was never opened has left nothing
  )
}

type Result = Pick<Execution, 'ending' | 'failure'> & Partial<Pick<Execution, 'answer' | 'structured'>>

function failedResult(error: unknown, bounds: Bounds): Result {
  if (bounds.signal.aborted) return stoppedEnding(bounds)
  if (error instanceof HarvestError || error instanceof FloodError || error instanceof BoundReached)
    return { ending: 'failed', failure: error.message }
  throw error
}

const executionOf = (result: Result, transcript: OpenTranscript, seconds: number): Execution => ({
  answer: '',
  ...result,
  transcript: transcript.events,
  seconds,
  outputBytes: (result.answer ?? result.failure ?? '').length,
  tokens: null,
  cost: null,
})
