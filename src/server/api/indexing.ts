import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { bundledCatalog, bundledWord, isBundledLocation, pathAndServer } from '../../catalog/bundled-parts.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import { discover } from '../../hosts/discover.ts'
import { knownLocations } from '../../indexing/places-after.ts'
import { plannedServers } from '../../indexing/planned-servers.ts'
import { nameText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint } from './endpoint.ts'
import type { IndexPlan, JobSteps } from './job-results.ts'
import { atHome, orEmpty } from './sources.ts'

const planInput = z.strictObject({
  location: z.string().max(4_000).optional().describe('A file, folder or URL instead of what hosts have.'),
})

/** What an index run would read and start, as `audition index` asks it. */
export const indexPlan = endpoint({
  does: 'Says what hosts have configured here, and which MCP servers would be started to list their tools.',
  effect: 'reads',
  who: 'owner',
  input: planInput,
  handle: async ({ location }, context) =>
    planOf(await placesOf(location, context), context, { signal: context.signal, tell: () => {} }),
})

/** The same for who watches: all that is known is looked at, which may take a while. */
export const planIndex = endpoint({
  does: 'Finds out the same as a job: its events tell what was found, and how many places were looked at.',
  effect: 'reads',
  who: 'owner',
  input: planInput,
  async handle({ location }, context) {
    const places = await placesOf(location, context)
    return context.jobs.start('plan', location ?? 'what your hosts have', (watch) =>
      planOf(places, context, watch),
    )
  },
})

type Places = Awaited<ReturnType<typeof placesOf>>
type Watch = { readonly signal: AbortSignal; readonly tell: (step: JobSteps['plan']) => void }

async function planOf(places: Places, { app }: ApiContext, { signal, tell }: Watch): Promise<IndexPlan> {
  const { found, locations, isNamed, at } = places
  tell({ found, done: 0, total: locations.length })
  const servers = await plannedServers({
    locations,
    how: isNamed ? 'named' : 'found',
    cwd: at.cwd,
    user: at,
    launchOf: await app.launchOf(),
    states: await app.sources().catch((error) => orEmpty(error) ?? []),
    reviews: await app.reviews().catch((error) => orEmpty(error) ?? []),
    refresh: true,
    timeoutMs: 30_000,
    signal,
    onLooked: (done) => tell({ found, done, total: locations.length }),
  })
  return {
    found,
    within: (await app.containment()).within,
    servers: servers.map(({ entry, digest, said, change }) => ({
      name: entry.name,
      config: entry.config,
      digest,
      said,
      starts: displayOf(entry.launch),
      ...(change === undefined ? {} : { change }),
    })),
  }
}

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
        locations: all,
        found: isNamed ? [] : all,
        harvest: 'agreed',
        agreed,
        declined,
        signal,
        refresh: true,
        agreeToSend: () => send,
        onProgress: tell,
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
    return { found: [], locations: [namedLocation(location, at)], at, isNamed: true }
  }
  const discovered = discover(at)
  const places = await app.places().catch((error) => orEmpty(error) ?? [])
  const known = knownLocations(await app.sources().catch((error) => orEmpty(error) ?? []), places)
  return {
    found: discovered.map(({ path, what, scope, host }) => ({ path, what, scope, host: host.title })),
    locations: [...new Set([...discovered.map(({ path }) => path), ...known])],
    at,
    isNamed: false,
  }
}

/** The location that somebody typed. @throws ApiError when it is of this machine, and is not there */
function namedLocation(
  typed: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  if (/^https?:/i.test(typed) || isBundledLocation(typed)) return typed
  const path = resolve(cwd, typed.replace(/^~(?=[\\/])/, home))
  if (existsSync(path) || existsSync(pathAndServer(path).path)) return path
  if (typed === bundledWord) return `${bundledWord}:`
  throw new ApiError(404, `${path} does not exist.`, 'Give a file, a folder or a URL.')
}
