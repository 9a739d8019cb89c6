import type { Card } from '../domain/card.ts'
import { cutText } from '../probing/run/cut-text.ts'
import { AgentFailure, boundedExecution } from '../probing/run/bounded-execution.ts'
import { type Executor, RuntimeError } from '../probing/ports.ts'
import type { SimulatedServer } from './ports.ts'

/** Characters of a result that the transcript and a failure repeat. */
const mostQuoted = 2_000

/** What permits of simulations begin with: they start nothing, and need nobody's leave. */
export const simulatedPermit = 'simulated:'

/** Calls tools that are simulated, each in a session of its own. */
export const simulatedToolExecutor = (serverOf: (source: string) => Promise<SimulatedServer>): Executor => ({
  name: 'simulated-mcp-tool',
  accepts: ({ kind }) => kind === 'tool',
  plan: async ({ source }) => ({
    permit: `${simulatedPermit}${source}`,
    ...{ needs: [], display: `${source}, simulated`, host: null },
  }),
  execute: (card: Card, task, { limits, signal, onEvent }) =>
    boundedExecution({ limits, signal, onEvent }, async (run) => {
      const session = (await serverOf(card.source)).session()
      const args = task.arguments ?? {}
      run.tell({ kind: 'tool-call', tool: card.name, arguments: args })
      const from = performance.now()
      const { content, structured, failed, from: by } = await session.call(card.name, args, run)
      const said = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
      const text = cutText(said.trim(), mostQuoted)
      if (by === 'nobody')
        throw new RuntimeError(
          text,
          'Give other arguments, or what answers them: see `audition simulate --help`.',
        )
      const seconds = (performance.now() - from) / 1_000
      run.tell({ kind: 'tool-result', tool: card.name, text, failed, seconds })
      if (failed) throw new AgentFailure(text || 'it failed without saying why')
      return { text: said.trim(), ...(structured === undefined ? {} : { structured }) }
    }),
})
