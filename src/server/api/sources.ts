import { z } from 'zod'
import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import type { Audition } from '../../compose/audition.ts'
import { permitWords } from '../../compose/runtimes.ts'
import { packageVersion } from '../../package-version.ts'
import { discover } from '../../hosts/discover.ts'
import { hosts } from '../../hosts/hosts.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import type { SourceState } from '../../store/source-state.ts'
import { bundledStanding } from '../../trust/bundled/bundled-choice.ts'
import { storedStanding } from '../../trust/standing.ts'
import { clipWords, shownLocation, withoutPaths } from '../text.ts'
import type { Surrounded } from '../asking/asker.ts'
import { nameText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint, list, nothing } from './endpoint.ts'

/** What the page has to know first. */
export const session = endpoint({
  does: 'Says who asks, what is indexed, and which hosts there are.',
  effect: 'reads',
  input: nothing,
  async handle(_, { app, role, surrounded }) {
    const here = surrounded === undefined ? [] : discover(atHome(surrounded)).map(({ host }) => host.name)
    const counts = await app.counts().catch(orEmpty)
    const isHolding = async () =>
      (await app.reviews()).reduce((sum, { held }) => sum + held.filter((one) => !one.refused).length, 0)
    return {
      role,
      version: packageVersion(),
      counts,
      held: role === 'owner' && counts !== null ? await isHolding() : 0,
      languageModel: await app.languageModel().catch(() => null),
      hosts: hosts.map(({ name, title }) => ({ name, title, isHere: here.includes(name) })),
      permitWords,
    }
  },
})

export const atHome = ({ user, cwd }: Surrounded) => ({ ...user, cwd: cwd ?? user.home })

export function orEmpty(error: unknown): null {
  if (error instanceof NoIndexError) return null
  throw error
}

/** What is indexed, as `audition sources` lists it. */
export const sources = endpoint({
  does: 'Lists what was indexed: when, how many cards, what failed, whose words they are; and what was left out of folders.',
  effect: 'reads',
  input: nothing,
  async handle(_, { app, role }) {
    const all = await app.sources().catch((error) => orEmpty(error) ?? [])
    const reviews = all.length === 0 ? [] : await app.reviews()
    // Which files lie in folders is for the owner.
    const places = role === 'owner' && all.length > 0 ? await app.places() : []
    return {
      sources: all.map((state) => ({ ...sourceView(state, role), problems: problemsFor(state, role, 20) })),
      bundled: all.length === 0 ? ('on' as const) : bundledStanding(all, reviews),
      leftOut: places.flatMap(({ problems }) => problems).slice(0, mostProblems),
    }
  },
})

/** Problems that are told of one source, or of all folders. */
const mostProblems = 200

/** A source as callers and the owner are told of it. */
const sourceView = (state: SourceState, role: ApiContext['role']) => ({
  id: state.id,
  reader: state.reader,
  indexedAt: state.indexedAt,
  failure: role === 'owner' ? state.failure : state.failure && withoutPaths(state.failure),
  tools: state.tools,
  agents: state.agents,
  models: state.models,
  held: state.held,
  flagged: state.flagged,
  location: role === 'owner' ? state.location : shownLocation(state.location),
  standing: storedStanding(state),
  isBundled: isBundledLocation(state.location),
  problemCount: state.problems.length,
})

/** Its first problems; callers are told of no folder. */
const problemsFor = ({ problems }: SourceState, role: ApiContext['role'], most: number) =>
  problems.slice(0, most).map((one) =>
    role === 'owner'
      ? one
      : {
          ...one,
          file: shownLocation(one.file),
          message: withoutPaths(one.message),
          remedy: withoutPaths(one.remedy),
        },
  )

/** One of them: `audition sources show`, with its cards. */
export const source = endpoint({
  does: 'Gives one source: what is wrong with it, and its cards in short.',
  effect: 'reads',
  input: z.strictObject({ id: nameText(), most: z.coerce.number().int().min(0).max(1_000).default(200) }),
  async handle({ id, most }, { app, role }) {
    const state = (await app.sources().catch((error) => orEmpty(error) ?? [])).find((one) => one.id === id)
    if (state === undefined)
      throw new ApiError(404, `No source "${id}" is in the index.`, 'The catalog lists those that are.')
    const ids = await idsOf(app, state)
    const cards = await app.cards(ids.slice(0, most))
    return {
      ...sourceView(state, role),
      problems: problemsFor(state, role, mostProblems),
      cards: cards.map((card) => ({
        id: card.id,
        name: card.title ?? card.name,
        kind: card.kind,
        description: clipWords(card.description, 160),
      })),
      cardCount: ids.length,
    }
  },
})

/** Ids of the cards of a source, agents first. */
async function idsOf(app: Audition, { id, tools, agents }: SourceState): Promise<readonly string[]> {
  const start = `${id}/`
  const ids = await Promise.all(
    (['agent', 'tool'] as const).map((kind) => app.completeIds(start, tools + agents + 1, kind)),
  )
  // Completion looks past upper and lower case.
  return ids.flat().filter((one) => one.startsWith(start))
}

/** Forgets sources: `audition sources remove`. */
export const forget = endpoint({
  does: 'Forgets sources and their cards. Their files are not touched.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({ sources: list(nameText()) }),
  async handle({ sources: ids }, { app }) {
    const known = new Set((await app.sources()).map(({ id }) => id))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined)
      throw new ApiError(404, `No source "${unknown}" is in the index.`, 'It may be forgotten already.')
    await app.removeSources(ids)
    return { forgotten: ids }
  },
})
