import { readRequestBody } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Audition } from '../../compose/audition.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { BusyError, gatesOf } from '../call-gate.ts'
import {
  catalogOf,
  documentsPath,
  type EntryFilter,
  entryOf,
  filterFields,
  fits,
  sharedAt,
  type SharedAt,
} from './catalog-entries.ts'
import { type Shared, sharedArtifacts } from './shared-artifacts.ts'
import type { JsonObject } from '../../domain/json.ts'
import { needText } from '../schemas.ts'

/** What a person shares with anyone who reaches the server, by Agentic Resource Discovery. */
export type Sharing = {
  /** Whether a path is one of these. */
  answers(path: string): boolean
  /** Never throws. @param request - its address as the client wrote it */
  answer(request: Request): Promise<Response>
}

const catalogPath = '/.well-known/ai-catalog.json'
const optional = ['/explore', '/agents']
/** Bodies of searches hold a request of 8,000 characters, and names. */
const largestBody = 256 * 1024
const nothing: Shared = { artifacts: new Map(), ofCard: new Map() }

/**
 * Serves what is shared: the catalog, documents that are too long to stand in it, and the search of an agent registry.
 *
 * @param publicUrl - where clients reach the MCP endpoint; absent: where they say that they reached it
 * @see https://github.com/ards-project/ard-spec, sections 4 and 7
 */
export function sharingOf(app: Audition, sources: readonly string[], publicUrl?: string): Sharing {
  const read = sharedArtifacts(app, sources)
  const shared = (): Promise<Shared> =>
    read().catch((error: unknown) => {
      if (error instanceof NoIndexError) return nothing
      throw error
    })
  const answered = async (request: Request): Promise<Response> => {
    const { pathname, origin } = new URL(request.url)
    const at = sharedAt(publicUrl ?? `${origin}/`)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (optional.includes(pathname))
      return failure(501, 'This registry has no such endpoint. Search it by POST /search.')
    if (pathname === '/search') {
      if (request.method !== 'POST') return failure(405, 'Search by POST.', { allow: 'POST' })
      const input = await inputOf(request)
      if (input instanceof Response) return input
      const { signal } = request
      const found = async () => searchShared(app, { shared: await shared(), sources, at }, { input, signal })
      return Response.json(await gatesOf(app).reads.run(found, signal), revalidated)
    }
    if (!isReading) return failure(405, 'Read this by GET.', { allow: 'GET, HEAD' })
    const { artifacts } = await shared()
    if (pathname === catalogPath) return Response.json(catalogOf(artifacts.values(), at), revalidated)
    const artifact = artifacts.get(pathname.slice(1 + documentsPath.length))
    if (artifact === undefined) return failure(404, 'Nothing of that name is shared.')
    const { type } = entryOf(artifact, at)
    return Response.json(artifact.document, {
      headers: { ...revalidated.headers, 'content-type': String(type) },
    })
  }
  return {
    answers: (path) =>
      [catalogPath, '/search', ...optional].includes(path) || path.startsWith(`/${documentsPath}`),
    answer: (request) => answered(request).catch(failed),
  }
}

const revalidated = { headers: { 'cache-control': 'no-cache' } }

/** @returns an answer that names the field where it does not fit */
async function inputOf(request: Request): Promise<z.output<typeof searchInput> | Response> {
  const body = await readRequestBody(request, largestBody)
  if (body.tooLarge) return failure(413, `At most ${largestBody} bytes are read.`)
  let given: unknown
  try {
    given = JSON.parse(body.text)
  } catch {
    return failure(400, 'The body is no JSON.')
  }
  const parsed = searchInput.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return failure(400, `"${issue!.path.join('.')}" does not fit: ${issue!.message}.`)
}

const codes: { readonly [status: number]: string } = {
  404: 'NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  501: 'NOT_IMPLEMENTED',
  503: 'UNAVAILABLE',
}

/** An error in the form of the specification. */
export const sharingError = (status: number, message: string) => ({
  errorCode: codes[status] ?? 'INVALID_ARGUMENT',
  message,
})

const failure = (
  status: number,
  message: string,
  headers: { readonly [name: string]: string } = {},
): Response => Response.json(sharingError(status, message), { status, headers })

function failed(error: unknown): Response {
  if (error instanceof BusyError) return failure(503, error.message, { 'retry-after': '5' })
  console.error('audition: what is shared could not be told:', error)
  return failure(500, 'It failed inside.')
}

const values = z
  .union([z.string(), z.array(z.string().max(512)).max(50)])
  .transform((given) => [given].flat())

/** The body of `POST /search`, as the specification has it. */
const searchInput = z.strictObject({
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
async function searchShared(
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
