import { type Executor, type Launch, RuntimeError } from '../probing/ports.ts'
import { requireSameLaunch } from '../probing/settings/grants.ts'

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
