import { cutCounting } from '../domain/text/cut.ts'
import type { Card } from '../domain/card.ts'
import { AgentFailure, boundedExecution } from '../probing/run/bounded-execution.ts'
import { type Executor, RuntimeError, type Launch } from '../probing/ports.ts'
import type { SimulatedServer } from './ports.ts'
import { requireSameLaunch } from '../probing/settings/grants.ts'

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
    needs: [],
    display: `${source}, simulated`,
    host: null,
  }),
  execute: (card: Card, task, { limits, signal, onEvent }) =>
    boundedExecution({ limits, signal, onEvent }, async (run) => {
      const session = (await serverOf(card.source)).session()
      const args = task.arguments ?? {}
      run.tell({ kind: 'tool-call', tool: card.name, arguments: args })
      const from = performance.now()
      const { content, structured, failed, from: by } = await session.call(card.name, args, run)
      const said = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
      const text = cutCounting(said.trim(), mostQuoted)
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

/**
 * Runs agents as they always run, but for their servers, which are simulated: no permit for these is asked.
 *
 * @param inner - opens simulated sessions in the place of servers
 */
export const onSimulatedServers = (inner: Executor): Executor => ({
  ...inner,
  name: `simulated-${inner.name}`,
  plan: async (card) => withoutServers(await inner.plan(card)),
  async execute(card, task, options) {
    const launch = await inner.plan(card)
    requireSameLaunch(options.launch, withoutServers(launch))
    return inner.execute(card, task, { ...options, launch })
  },
})

const withoutServers = ({ within: _none, needs, display, ...launch }: Launch): Launch => ({
  ...launch,
  needs: needs.filter((permit) => !permit.startsWith('mcp:')),
  display: `${display}, servers simulated`,
})

const notSimulated = async (): Promise<never> => {
  throw new RuntimeError(
    'it is run by others, who call its tools themselves: these cannot be simulated',
    'Choose tools, or profiles with MCP servers.',
  )
}

/** Says of all other cards why they are not run. */
export const runByOthers: Executor = {
  name: 'simulated-nothing',
  accepts: ({ runtime }) => runtime !== undefined,
  plan: notSimulated,
  execute: notSimulated,
}
