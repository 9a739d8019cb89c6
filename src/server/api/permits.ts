import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Audition } from '../../compose/audition.ts'
import { permitKinds, runners } from '../../compose/runtimes.ts'
import { inSandbox, sandboxFor } from '../../compose/shells/sandbox-of-permits.ts'
import type { Card } from '../../domain/card.ts'
import type { NotRun } from '../../probing/run/probe-report.ts'
import {
  type Allowance,
  allowList,
  grantsFor,
  needsLaunch,
  patternMistake,
  permitOf,
} from '../../probing/settings/grants.ts'
import { nameText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint, list, nothing } from './endpoint.ts'
import { knownCard, knownCards } from './finding.ts'
import { bundledFolder } from '../../compose/folders.ts'
import type { Launch } from '../../probing/ports.ts'
import { orEmpty } from './sources.ts'

/** What may start, as `audition allow` lists it. */
export const permits = endpoint({
  does: 'Lists what probes and runs may start, and the file that says so.',
  effect: 'reads',
  who: 'owner',
  input: nothing,
  async handle(_, { app }) {
    const { allow, file } = await (await app.probing()).settings()
    const { within, fault } = await app.containment()
    return { file, within, fault, permits: allow.map(permitView) }
  },
})

const permitView = (one: Allowance) => ({
  permit: permitOf(one),
  ...(typeof one === 'string'
    ? { launch: [], isByNameAlone: needsLaunch(one) }
    : { launch: one.launch, sandbox: one.sandbox, network: one.network === true, isByNameAlone: false }),
})

/** What starting cards would be: asked before anything is allowed. */
export const plan = endpoint({
  does: 'Says what running cards would start, and what of it is not allowed yet. Starts nothing.',
  effect: 'reads',
  who: 'owner',
  input: z.strictObject({ cards: list(nameText(), 10) }),
  async handle({ cards }, context) {
    const known = await knownCards(context, cards)
    return { plans: await Promise.all(known.map((one) => planOf(context.app, one))) }
  },
})

type WantedPermits = {
  readonly card: string
  /** The exact line or address. */
  readonly display: string
  /** Why it cannot start; null when it may. */
  readonly notRun: NotRun | null
  readonly within?: string | undefined
  /** What would be allowed. */
  readonly wanted: readonly ReturnType<typeof permitView>[]
  /** Stands for exactly that: `allow` takes no other. */
  readonly digest: string
}

async function planOf(app: Audition, one: Card): Promise<WantedPermits> {
  const { launch, notRun, grants } = await grantsOf(app, one)
  return {
    card: one.id,
    display: launch?.display ?? (notRun?.kind === 'permission' ? notRun.display : ''),
    notRun,
    within: launch?.within,
    wanted: grants.map(permitView),
    digest: digestOf(grants),
  }
}

async function grantsOf(app: Audition, one: Card) {
  const probing = await app.probing()
  const [first] = await probing.plan({ cards: [one], tasks: { kind: 'given', tasks: [] } })
  const { launch, notRun } = first!
  const chosen = await sandboxFor(launch, {}, app)
  const missing = notRun?.kind === 'permission' ? notRun.missing : []
  return { launch, notRun, grants: inSandbox(grantsFor(missing, launch ?? {}), chosen) }
}

const digestOf = (grants: readonly Allowance[]): string =>
  createHash('sha256').update(JSON.stringify(grants)).digest('base64url')

/** Allows what was shown, and nothing else. */
export const allow = endpoint({
  does: 'Allows what a card would start, exactly as `plan` showed it; or a permit that stands for a name or an origin.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({
    card: nameText().optional(),
    digest: nameText().optional().describe('With card: of its plan.'),
    permit: nameText()
      .optional()
      .describe('Instead of a card: such as a2a:https://agents.example, or bundled.'),
  }),
  async handle({ card, digest, permit }, context) {
    const probing = await context.app.probing()
    if (card !== undefined) {
      const { grants } = await grantsOf(context.app, await knownCard(context, card))
      if (digestOf(grants) !== digest)
        throw new ApiError(409, 'What it would start is not what was shown.', 'Read it again, then decide.')
      return { permits: (await probing.changeAllow({ add: grants })).map(permitView) }
    }
    if (permit === undefined)
      throw new ApiError(400, 'Nothing is named.', 'Give a card with its digest, or a permit.')
    const mistake = patternMistake(permit, permitKinds)
    if (mistake !== null)
      throw new ApiError(400, `"${permit}": ${mistake}.`, 'Write it as the list shows them.')
    if (needsLaunch(permit))
      throw new ApiError(
        400,
        `"${permit}" says by its name alone what may start.`,
        'Allow the agent or tool itself.',
      )
    return { permits: (await probing.changeAllow({ add: [permit] })).map(permitView) }
  },
})

/** Takes a permit off the list: `audition allow remove`. */
export const withdraw = endpoint({
  does: 'Takes a permit off the list. What is running goes on; nothing more of it is started.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({ permit: nameText() }),
  async handle({ permit }, { app }) {
    const probing = await app.probing()
    const { allow: now } = await probing.settings()
    if (!now.map(permitOf).includes(permit))
      throw new ApiError(404, `"${permit}" is not on the list.`, 'It may be withdrawn already.')
    return { permits: (await probing.changeAllow({ remove: [permit] })).map(permitView) }
  },
})

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
