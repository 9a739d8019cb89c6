import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { bundledCatalog, isBundledLocation } from '../../catalog/bundled-parts.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import { packageVersion } from '../../package-version.ts'
import { discover } from '../../hosts/discover.ts'
import { hosts } from '../../hosts/hosts.ts'
import { knownLocations } from '../../indexing/known-locations.ts'
import { plannedServers } from '../../indexing/planned-servers.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { storedStanding } from '../../trust/standing.ts'
import { shownLocation } from '../answers/text.ts'
import type { Surrounded } from '../asking/asker.ts'
import { nameText } from '../forms/schemas.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint } from './endpoint.ts'
import { list, nothing } from './inputs.ts'

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
      ...{ role, version: packageVersion(), counts },
      held: role === 'owner' && counts !== null ? await isHolding() : 0,
      languageModel: await app.languageModel().catch(() => null),
      hosts: hosts.map(({ name, title }) => ({ name, title, isHere: here.includes(name) })),
    }
  },
})

const atHome = ({ user, cwd }: Surrounded) => ({ ...user, cwd: cwd ?? user.home })

function orEmpty(error: unknown): null {
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
        ...{ id: state.id, reader: state.reader, indexedAt: state.indexedAt, failure: state.failure },
        ...{ tools: state.tools, agents: state.agents, held: state.held, flagged: state.flagged },
        location: role === 'owner' ? state.location : shownLocation(state.location),
        standing: storedStanding(state),
        isBundled: isBundledLocation(state.location),
        problems: state.problems.slice(0, 20),
      })),
    }
  },
})

/** What an index run would read and start, as `audition index` asks it. */
export const indexPlan = endpoint({
  does: 'Says what hosts have configured here, and which MCP servers would be started to list their tools.',
  effect: 'reads',
  who: 'owner',
  input: z.strictObject({
    location: z.string().max(4_000).optional().describe('A file, folder or URL instead of what hosts have.'),
  }),
  async handle({ location }, context) {
    const { app, signal } = context
    const { found, locations, at } = await placesOf(location, context)
    const servers = await plannedServers({
      ...{ locations, how: location === undefined ? 'found' : 'named', cwd: at.cwd, user: at },
      launchOf: await app.launchOf(),
      states: await app.sources().catch((error) => orEmpty(error) ?? []),
      reviews: await app.reviews().catch((error) => orEmpty(error) ?? []),
      ...{ refresh: true, timeoutMs: 30_000, signal },
    })
    return {
      found,
      within: (await app.containment()).within,
      servers: servers.map(({ entry, digest, said, change }) => ({
        ...{ name: entry.name, config: entry.config, digest, said },
        starts: displayOf(entry.launch),
        ...(change === undefined ? {} : { change }),
      })),
    }
  },
})

/** Reads them. */
export const index = endpoint({
  does: 'Reads what hosts have, or a file, folder or URL, into the index. Starts the servers whose digests are given, and no others.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({
    location: z.string().max(4_000).optional(),
    agreed: z.array(nameText()).max(1_000).default([]).describe('Digests of `indexPlan`: started now.'),
    declined: z
      .array(nameText())
      .max(1_000)
      .default([])
      .describe('Digests: not wanted, which is remembered.'),
    send: z.boolean().default(false).describe('Whether cards may be sent to a model that others run.'),
  }),
  async handle({ location, agreed, declined, send }, context) {
    const { locations, isNamed } = await placesOf(location, context)
    const all = isNamed ? locations : [...locations, ...bundledCatalog]
    return context.jobs.start('index', location ?? 'what your hosts have', ({ signal, tell }) =>
      context.app.index({
        ...{ locations: all, found: isNamed ? [] : all, harvest: 'agreed', agreed, declined, signal },
        ...{ refresh: true, agreeToSend: () => send, onProgress: tell },
      }),
    )
  },
})

/** Where an index run looks. @throws ApiError when there is nothing, or nobody says whose hosts count */
async function placesOf(location: string | undefined, { app, surrounded }: ApiContext) {
  if (surrounded === undefined)
    throw new ApiError(422, 'It is not known whose hosts to look at.', 'Start the page with `audition ui`.')
  const at = atHome(surrounded)
  if (location !== undefined) {
    const path =
      /^https?:/i.test(location) || isBundledLocation(location)
        ? location
        : resolve(at.cwd, location.replace(/^~(?=[\\/])/, at.home))
    if (path !== location && !existsSync(path))
      throw new ApiError(404, `${path} is not there.`, 'Give a file, a folder or a URL.')
    return { found: [], locations: [path], at, isNamed: true }
  }
  const discovered = discover(at)
  const known = knownLocations(await app.sources().catch((error) => orEmpty(error) ?? []))
  return {
    found: discovered.map(({ path, what, scope, host }) => ({ path, what, scope, host: host.title })),
    locations: [...new Set([...discovered.map(({ path }) => path), ...known])],
    ...{ at, isNamed: false },
  }
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
