import { z } from 'zod'
import { lineToAdd } from '../../catalog/hiring.ts'
import { cardsNamed } from '../../compose/known-names.ts'
import { exportedNote } from '../../compose/runtimes.ts'
import type { Card, ToolCard } from '../../domain/card.ts'
import { flagNames } from '../../domain/finding.ts'
import { hostNamed, hostNames } from '../../hosts/hosts.ts'
import type { Asker } from '../../hosts/reach.ts'
import { recordByCard } from '../../probing/record/record-by-card.ts'
import { deliveredCard, howToRunLine, shareableCard } from '../answers/card-fields.ts'
import { clipWords, shownLocation } from '../text.ts'
import { type Reach, type Reached, reachedAnswer, reachFor } from '../asking/reached.ts'
import { nameText, needText } from '../schemas.ts'
import { signatureOf } from '../forms/signature.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint, list } from './endpoint.ts'

const hostField = z
  .enum(hostNames as [string, ...string[]])
  .optional()
  .describe('The host whose exact call is told, such as claude-code.')

/** The host that is asked about, with the project of whoever started the page. */
function askerOf(host: string | undefined, { surrounded }: ApiContext): Asker | null {
  const known = hostNamed(host ?? surrounded?.hostName ?? '')
  if (known === undefined || surrounded === undefined) return null
  const { user, cwd } = surrounded
  return { host: known, user, project: cwd === user.home ? null : cwd }
}

/** Searches, as `audition search` and the tools of the MCP server do. */
export const search = endpoint({
  does: 'Finds tools or agents for a need, best first, with why each is there.',
  effect: 'reads',
  input: z.strictObject({
    kind: z.enum(['tool', 'agent']).default('tool'),
    query: needText().describe('The need in plain words.'),
    k: z.coerce.number().int().min(1).max(50).default(10).describe('Candidates.'),
    sources: list(nameText()).optional().describe('Only of these sources.'),
    host: hostField,
  }),
  async handle({ kind, query, k, sources, host }, context) {
    const began = performance.now()
    const filter = sources === undefined ? {} : { filter: { sources } }
    const found = await context.app.search({ kind, query, k, ...filter }, context.signal)
    const asker = askerOf(host, context)
    const reached = await reachedAnswer(context.app, found, { asker, calls: false })
    const { match, note, readAs, facets, searched } = found
    return {
      kind,
      match,
      note,
      facets,
      searched,
      ms: Math.round(performance.now() - began),
      ...(readAs === undefined ? {} : { readAs }),
      candidates: reached.candidates.map(foundCard),
    }
  },
})

function foundCard({ card: whole, score, signals, reach }: Reached) {
  const card = deliveredCard(whole)
  const { id, name, title, source, description } = card
  return {
    id,
    name,
    title,
    source,
    score,
    signals,
    reach,
    description: clipWords(description, 320),
    kind: card.kind === 'tool' ? ('tool' as const) : card.agentKind,
    effects: card.kind === 'tool' ? effectsOf(card) : undefined,
    inputs: card.kind === 'tool' ? signatureOf(card, 'all') : undefined,
    flags: flagNames(whole) ?? [],
    from: { reader: card.provenance.reader, location: shownLocation(card.provenance.location) },
  }
}

/** What the publisher claims of a tool's effects. */
function effectsOf({ annotations = {} }: ToolCard): 'reads' | 'writes' | 'destroys' | undefined {
  if (annotations.readOnly === true) return 'reads'
  if (annotations.destructive === true) return 'destroys'
  return annotations.readOnly === false ? 'writes' : undefined
}

/** One card in full, as `audition show` gives it, with its record. */
export const card = endpoint({
  does: 'Gives one card whole, how it is reached from a host, and its record in short.',
  effect: 'reads',
  input: z.strictObject({ id: nameText(), host: hostField }),
  async handle({ id, host }, context) {
    const { app, role } = context
    const whole = await knownCard(context, id)
    const shown = role === 'owner' ? whole : shareableCard(whole)
    const record = await (await app.record()).brief({ cards: [id] })
    return {
      card: shown,
      ...(await agentParts(shown)),
      ...(await acceptedPart(whole, context)),
      ...reachParts(whole, askerOf(host, context), await app.serverHeld(whole)),
      record: recordByCard(record)[0] ?? null,
      runnable: whole.runtime !== undefined,
    }
  },
})

/** For the owner the pin by which they accepted its text, where they did. */
async function acceptedPart(
  { id, source }: Card,
  { app, role }: ApiContext,
): Promise<{ readonly accepted?: { readonly id: string; readonly pin: string } }> {
  if (role !== 'owner') return {}
  const own = (await app.accepted()).find((one) => one.source === source)
  const pin = own?.cards.find(({ card }) => card.id === id)?.pin
  return pin === undefined ? {} : { accepted: { id, pin } }
}

async function agentParts(shown: Card): Promise<{ readonly use?: string; readonly yaml?: string }> {
  if (shown.kind === 'tool') return {}
  const { renderProfileYaml } = await import('../../catalog/formats/capability-profile.ts')
  return { use: howToRunLine(shown), yaml: renderProfileYaml(shown, exportedNote(shown)) }
}

type Held = NonNullable<Awaited<ReturnType<ApiContext['app']['serverHeld']>>>

/** How the host calls it, or the line that adds it there: none where something of its server is held. */
function reachParts(
  whole: Card,
  asker: Asker | null,
  held: Held | null,
): { readonly reach?: Reach | 'never'; readonly add?: string; readonly notAdded?: Held } {
  if (asker === null) return {}
  const reach = reachFor({ asker, calls: false })(whole)
  const isHere = typeof reach === 'object' && 'call' in reach
  if (!isHere && held !== null) return { ...(reach === undefined ? {} : { reach }), notAdded: held }
  const add = isHere ? undefined : lineToAdd(whole, asker.host, asker.user)
  return { ...(reach === undefined ? {} : { reach }), ...(add === undefined ? {} : { add }) }
}

/** @throws ApiError 404 with the ids that are like it, or why the card is held */
export async function knownCard(context: Pick<ApiContext, 'app'>, id: string): Promise<Card> {
  return (await knownCards(context, [id]))[0]!
}

/** Cards by id, each once. @throws ApiError as above, of the first that is not in search */
export async function knownCards(
  { app }: Pick<ApiContext, 'app'>,
  ids: readonly string[],
): Promise<readonly Card[]> {
  const { cards, unknown } = await cardsNamed(app, ids)
  const [first] = unknown
  if (first === undefined) return cards
  if (first.held !== undefined)
    throw new ApiError(404, `"${first.id}" is held, and not in search.`, 'Read why among the held cards.')
  throw new ApiError(
    404,
    `No tool or agent "${first.id}" is in the index.`,
    first.bringBack ??
      (first.closest.length === 0 ? 'Search for it.' : `Closest: ${first.closest.join(', ')}.`),
  )
}
