import { bundledFolder } from '../../compose/folders.ts'
import { runners } from '../../compose/runtimes.ts'
import type { Card } from '../../domain/card.ts'
import type { Launch } from '../../probing/ports.ts'
import { allowList, needsLaunch } from '../../probing/settings/grants.ts'
import { type ApiContext, endpoint } from './endpoint.ts'
import { nothing } from './inputs.ts'
import { orEmpty } from './sources.ts'

/** Agents, and servers, that are looked at: what each would start is read from files. */
const mostLooked = 500

/** What permits stand for that bind no single launch: the start of names with a `*`, origins, and `bundled`. */
export const covered = endpoint({
  does: 'Says of permits that stand for more than one launch which servers and agents of the index they match today.',
  effect: 'reads',
  who: 'owner',
  input: nothing,
  async handle(_, { app }) {
    const { allow } = await (await app.probing()).settings()
    const wide = allow.filter((one) => typeof one === 'string').filter((one) => !needsLaunch(one))
    const cards = wide.length === 0 ? [] : await startable(wide, app)
    const launches = await launchesOf(cards, app)
    return {
      permits: wide.map((permit) => ({ permit, ...matchesOf(permit, launches) })),
      /** Whether there is more in the index than was looked at, or some of it does not tell what it would start. */
      isPart: cards.length >= mostLooked || launches.length < cards.length,
    }
  },
})

/** A tool of each server that permits of these kinds can be about; and the agents, which may need what is of another kind. */
async function startable(wide: readonly string[], app: ApiContext['app']): Promise<readonly Card[]> {
  const states = await app.sources().catch((error) => orEmpty(error) ?? [])
  const servers = states.filter(({ asked, tools }) => asked !== undefined && tools > 0).slice(0, mostLooked)
  const tools = await Promise.all(servers.map(({ id }) => app.completeIds(`${id}/`, 1, 'tool')))
  const agents = states.length === 0 ? [] : await app.completeIds('', mostLooked, 'agent')
  const kinds = runners.filter(
    ({ permit }) => wide.includes('bundled') || wide.some((one) => one.startsWith(`${permit}:`)),
  )
  const cards = await app.cards([...tools.flat(), ...agents])
  return cards.filter((card) => (card.kind === 'agent' ? runners : kinds).some((kind) => kind.accepts(card)))
}

type Launched = { readonly card: Card; readonly launch: Launch }

async function launchesOf(cards: readonly Card[], app: ApiContext['app']): Promise<readonly Launched[]> {
  if (cards.length === 0) return []
  const plans = await (await app.probing()).plan({ cards, tasks: { kind: 'given', tasks: [] } })
  return plans.flatMap(({ card, launch }) => (launch === null ? [] : [{ card, launch }]))
}

function matchesOf(permit: string, launches: readonly Launched[]) {
  const list = allowList([permit], bundledFolder)
  const matched = launches.filter(({ card, launch }) => {
    const missing = list.missing(card, launch)
    return [launch.permit, ...launch.needs].some((one) => !missing.includes(one))
  })
  const of = (kind: Card['kind']) => matched.filter(({ card }) => card.kind === kind)
  return {
    servers: of('tool').map(({ card }) => card.source),
    agents: of('agent').map(({ card }) => card.id),
  }
}
