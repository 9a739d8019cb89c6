import { z } from 'zod'
import type { Audition } from '../../compose/audition.ts'
import type { JsonObject } from '../../domain/json.ts'
import { needText } from '../forms/schemas.ts'
import { type EntryFilter, entryOf, filterFields, fits, type SharedAt } from './catalog-entries.ts'
import type { Shared } from './shared-artifacts.ts'

const values = z
  .union([z.string(), z.array(z.string().max(512)).max(50)])
  .transform((given) => [given].flat())

/** The body of `POST /search`, as the specification has it. */
export const searchInput = z.strictObject({
  query: z.strictObject({
    text: needText(),
    filter: z.partialRecord(z.enum(filterFields as [string, ...string[]]), values).default({}),
  }),
  federation: z.enum(['auto', 'referrals', 'none']).default('auto'),
  pageSize: z.number().int().min(1).max(100).default(10),
  pageToken: z
    .string()
    .regex(/^\d{1,4}$/)
    .optional(),
})

/** Candidates of each kind that are looked at. */
const mostCandidates = 100

/** What is found among what is shared, best first; other registries are neither asked nor named. */
export async function searchShared(
  app: Audition,
  {
    shared,
    sources,
    at,
  }: { readonly shared: Shared; readonly sources: readonly string[]; readonly at: SharedAt },
  { input, signal }: { readonly input: z.output<typeof searchInput>; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const { query, federation, pageSize, pageToken = '0' } = input
  const referrals = federation === 'referrals' ? { referrals: [] } : {}
  if (shared.artifacts.size === 0) return { results: [], ...referrals }
  const request = { query: query.text, k: mostCandidates, filter: { sources } }
  const answers = await Promise.all(
    (['tool', 'agent'] as const).map((kind) => app.search({ ...request, kind }, signal)),
  )
  const best = new Map<string, { readonly score: number; readonly tools: string[] }>()
  const candidates = answers.flatMap((answer) => answer.candidates).sort((a, b) => b.score - a.score)
  for (const { card, score } of candidates) {
    const name = shared.ofCard.get(card.id)
    if (name === undefined) continue
    const found = best.get(name) ?? { score, tools: [] }
    if (card.kind === 'tool') found.tools.push(card.name)
    best.set(name, found)
  }
  const entries = [...best].flatMap(([name, { score, tools }]) => {
    const entry = entryOf(shared.artifacts.get(name)!, at)
    if (!fits(entry, query.filter as EntryFilter)) return []
    return [{ ...entry, ...matching(entry, tools), score: Math.round(100 * score), source: at.base }]
  })
  const [from, to] = [Number(pageToken), Number(pageToken) + pageSize]
  return {
    results: entries.slice(from, to),
    ...referrals,
    ...(to < entries.length ? { pageToken: String(to) } : {}),
  }
}

/** The tools that match, before the others of the server. */
function matching({ capabilities }: JsonObject, tools: readonly string[]): JsonObject {
  if (!Array.isArray(capabilities) || tools.length === 0) return {}
  const others = (capabilities as readonly string[]).filter((name) => !tools.includes(name))
  return {
    capabilities: [...(capabilities as readonly string[]).filter((name) => tools.includes(name)), ...others],
  }
}
