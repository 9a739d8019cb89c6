import { z } from 'zod'
import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import { permitWords } from '../../compose/runtimes.ts'
import { packageVersion } from '../../package-version.ts'
import { discover } from '../../hosts/discover.ts'
import { hosts } from '../../hosts/hosts.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { storedStanding } from '../../trust/standing.ts'
import { shownLocation } from '../text.ts'
import type { Surrounded } from '../asking/asker.ts'
import { nameText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { endpoint, list, nothing } from './endpoint.ts'

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
  does: 'Lists what was indexed: when, how many cards, what failed, whose words they are.',
  effect: 'reads',
  input: nothing,
  async handle(_, { app, role }) {
    const all = await app.sources().catch((error) => orEmpty(error) ?? [])
    return {
      sources: all.map((state) => ({
        id: state.id,
        reader: state.reader,
        indexedAt: state.indexedAt,
        failure: state.failure,
        tools: state.tools,
        agents: state.agents,
        held: state.held,
        flagged: state.flagged,
        location: role === 'owner' ? state.location : shownLocation(state.location),
        standing: storedStanding(state),
        isBundled: isBundledLocation(state.location),
        problems: state.problems.slice(0, 20),
      })),
    }
  },
})

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
