import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  houseAlone,
  markOf,
  ownIds,
  sharedIds,
  type TenantsHouse,
  tenantsHouse,
} from '../fixtures/tenants.ts'
import { initialize, plain } from './eras.ts'
import { send, usual } from './send-http.ts'

const names = ['amber', 'cobalt', 'slate'] as const
type Name = (typeof names)[number]

/** What a tenant does: a call, with a choice among all that was seen of ids, its own and the others'. */
type Step = {
  readonly tenant: Name
  readonly does: keyof typeof actions
  readonly word: string
  readonly id: string
  /** Which of the ids that were seen, of whom. */
  readonly of: Name
  readonly at: number
}

/** What was seen so far of each: ids of jobs and outcomes, sessions and reports. */
type Seen = { readonly [name in Name]: { readonly ids: string[]; readonly sessions: string[] } }

type Asked = {
  readonly path: string
  readonly body: unknown
  readonly session?: string
  readonly giveUp?: true
}

const call = (name: string, args: object): Asked => ({
  path: '/mcp',
  body: plain(7, 'tools/call', { name, arguments: args }),
})
const api = (name: string, body: object = {}): Asked => ({ path: `/api/v1/${name}`, body })
const rpc = (method: string, params: object = {}): Asked => ({ path: '/mcp', body: plain(7, method, params) })

/** Everything that callers can ask for, and ways in which somebody would try for what is another's. */
const actions = {
  searchTools: ({ word }) => call('search_tools', { query: word }),
  searchAgents: ({ word }) => call('search_agents', { query: word, detail: 'full' }),
  filtered: ({ word, of }) => call('search_tools', { query: word, servers: [of] }),
  describe: ({ id }) => call('describe', { ids: [id, ...sharedIds] }),
  probe: ({ id }) => call('probe_agent', { agents: [id], task: 'What did I order?' }),
  probeRun: (_, id) => call('probe_agent', { run_id: id }),
  probeStop: (_, id) => call('probe_agent', { run_id: id, stop: true }),
  evaluate: () => call('evaluate', { dataset: 'self', ranker: 'lexical' }),
  evaluateRun: (_, id) => call('evaluate', { run_id: id, stop: true }),
  compare: (_, id) => call('evaluate', { dataset: 'self', ranker: 'lexical', compare: id }),
  resource: ({ id }) => rpc('resources/read', { uri: `audition://tools/${id}` }),
  transcript: (_, id) => rpc('resources/read', { uri: `audition://transcripts/${id}` }),
  report: (_, id) => rpc('resources/read', { uri: `audition://evaluations/self/${id}` }),
  climbing: ({ of }) =>
    rpc('resources/read', { uri: `audition://transcripts/..%2f..%2f${of}%2ftranscripts` }),
  resources: () => rpc('resources/list'),
  completed: ({ word }) =>
    rpc('completion/complete', {
      ref: { type: 'ref/resource', uri: 'audition://tools/{source}/{key}' },
      argument: { name: 'key', value: word.slice(0, 2) },
      context: { arguments: { source: 'kit' } },
    }),
  begin: () => ({ path: '/mcp', body: initialize('2025-06-18') }),
  cancel: (_, __, session) => ({
    path: '/mcp',
    session,
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
  }),
  giveUp: ({ word }) => ({ ...call('search_tools', { query: `${word} and more` }), giveUp: true }),
  apiSession: () => api('session'),
  apiSearch: ({ word }) => api('search', { query: word }),
  apiCard: ({ id }) => api('card', { id }),
  apiRecord: () => api('record'),
  apiTranscript: (_, id) => api('transcript', { outcome: id }),
  apiJobs: () => api('jobs'),
  apiJob: (_, id) => api('job', { id }),
  apiStop: (_, id) => api('stop', { id }),
  apiEvents: (_, id) => ({ path: `/api/v1/events?id=${id}`, body: undefined }),
  apiProbe: ({ id }) => api('probe', { cards: [id], task: 'What did I order?' }),
  apiSources: () => api('sources'),
  apiEvaluations: () => api('evaluations'),
  apiReport: (_, id) => api('report', { dataset: 'self', run: id }),
  apiModels: () => api('models'),
  apiIndex: ({ of }) => api('index', { location: `../${of}` }),
  apiAllow: () => api('allow', { permit: 'command:*' }),
  apiPermits: () => api('permits'),
  apiForget: ({ of }) => api('forget', { sources: [of, 'kit'] }),
  apiTenant: ({ of }) => api(`session?tenant=${of}`),
} as const satisfies {
  readonly [name: string]: (step: Step, id: string, session: string) => Asked
}

const words = [...names.map(markOf), 'orders of a shop', 'note to a customer', 'monthly report', 'helper']
const ids = [...sharedIds, ...names.flatMap(ownIds), '../amber/kit', 'kit/nothing']
const step: fc.Arbitrary<Step> = fc.record({
  tenant: fc.constantFrom(...names),
  does: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(actions) as (keyof typeof actions)[])) },
    { weight: 1, arbitrary: fc.constantFrom('probe', 'apiProbe', 'evaluate', 'begin', 'cancel') },
  ),
  word: fc.constantFrom(...words),
  id: fc.constantFrom(...ids),
  of: fc.constantFrom(...names),
  at: fc.nat({ max: 30 }),
})

/** What came back, as one text. */
type Told = { readonly step: Step; readonly asked: Asked; readonly text: string }

let house: TenantsHouse
const tokens = {} as { [name in Name]: string }

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  house = tenantsHouse()
  for (const name of names) tokens[name] = await house.add(name, { cards: name !== 'slate' })
})
afterAll(async () => {
  await house.close()
  vi.restoreAllMocks()
})

/** Makes steps, those of a tenant one after another, those of several at once. */
async function made(
  port: number,
  of: readonly Name[],
  steps: readonly Step[],
  chosen: Chosen,
): Promise<Told[]> {
  const told: Told[] = []
  await Promise.all(
    of.map(async (tenant) => {
      for (const one of steps.filter((any) => any.tenant === tenant)) {
        const [id, session] = chosen.of(one)
        const asked = actions[one.does](one, id, session)
        const text = await answer(port, chosen.token(tenant), asked)
        chosen.saw(tenant, text)
        told.push({ step: one, asked, text })
      }
    }),
  )
  return told
}

/** Which ids a step means, and who learns of ids. */
type Chosen = {
  of(step: Step): readonly [id: string, session: string]
  saw(tenant: Name, text: string): void
  token(tenant: Name): string
}

const idsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/"(?:run_?[iI]d|id|outcome|job|run)\\?":\s?\\?"([\w-]{8,})\\?"/g)].map(
    ([, id]) => id!,
  ),
  ...[...text.matchAll(/audition:\/\/transcripts\/([\w-]+)/g)].map(([, id]) => id!),
]

async function answer(port: number, token: string, { path, body, session, giveUp }: Asked): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  }
  if (giveUp) return leaving(port, { path, headers, body: JSON.stringify(body) })
  const sent =
    body === undefined ? { method: 'GET', path, headers } : { path, headers, body: JSON.stringify(body) }
  const { status, headers: got, body: text } = await send(port, sent)
  const job = path.endsWith('/probe') ? /"id":"([\w-]+)"/.exec(text)?.[1] : undefined
  const begun = `${status} ${String(got['mcp-session-id'] ?? '')} ${text}`
  if (job === undefined) return begun
  for (;;) {
    const now = await send(port, { path: '/api/v1/job', headers, body: JSON.stringify({ id: job }) })
    if (!now.body.includes('"state":"running"')) return `${begun} ${now.body}`
  }
}

/** Sends, and closes the connection at once. */
const leaving = (
  port: number,
  { path, headers, body }: { readonly path: string; readonly headers: object; readonly body: string },
): Promise<string> =>
  new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers: { ...usual, ...headers } })
    sent.on('error', () => resolve('left'))
    sent.on('close', () => resolve('left'))
    sent.end(body, () => sent.destroy())
  })

/** What differs from one time to the next: the time itself, and ids, by their order of appearance. */
function comparable(told: readonly Told[]): readonly string[] {
  const known = new Map<string, string>()
  const numbered = (id: string): string => {
    if (!known.has(id)) known.set(id, `<${known.size}>`)
    return known.get(id)!
  }
  return told.map(({ step: { does }, asked, text }) => {
    const own = idsIn(text)
      .concat(/^\d+ ([\w-]{20,}) /.exec(text)?.[1] ?? [])
      .filter((id) => !JSON.stringify(asked).includes(id))
    // A report is a page with the times of its searches.
    let plainText = does === 'report' ? text.slice(0, 200) : text
    for (const id of own) plainText = plainText.replaceAll(id, numbered(id))
    for (const [id, name] of known) plainText = plainText.replaceAll(id, name)
    return `${does}: ${plainText
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '<time>')
      .replace(/"(searchMs|latency_ms)\\?":\s?\{[^}]*\}/g, '"$1":{}')
      .replace(/page\/report\/[\w-]+/g, 'page/report/<secret>')
      .replace(/"(ms|generation|\w*(?:Ms|econds?|atency)\w*)\\?":\s?[\d.e-]+/g, '"$1":0')
      .replace(/\b\d+(\.\d+)? (ms|s|seconds?|minutes?)\b/g, '<time>')}`
  })
}

test('random callers learn nothing of other tenants, and each hears what it would hear alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
      const seen = Object.fromEntries(
        names.map((name) => [name, { ids: [], sessions: [] }]),
      ) as unknown as Seen
      const meant = new Map<Step, readonly [string, string]>()
      const { port, close } = await house.serve()
      const alone = await Promise.all(names.map((name) => houseAlone(house, name)))
      try {
        const told = await made(port, names, steps, {
          of(one) {
            const { ids: known, sessions } = seen[one.of]
            const pick = (list: readonly string[]) => list[one.at % Math.max(1, list.length)] ?? 'unknown0'
            meant.set(one, [pick(known), pick(sessions)])
            return meant.get(one)!
          },
          saw(tenant, text) {
            seen[tenant].ids.push(...idsIn(text))
            const session = /^200 ([\w-]{20,}) /.exec(text)?.[1]
            if (session !== undefined) seen[tenant].sessions.push(session)
          },
          token: (tenant) => tokens[tenant],
        })
        for (const name of names) told.push(...(await asUnknown(port, name, seen)))
        for (const name of names) leaksNothing(name, told, seen)
        await sameAlone(told.slice(0, steps.length), alone, meant)
      } finally {
        await close()
        await Promise.all(alone.map((one) => one.house.close()))
      }
    }),
    { numRuns: Number(process.env.AUDITION_RUNS ?? 4), endOnFailure: true },
  )
}, 300_000)

const takingIds = [
  ...(['probeRun', 'probeStop', 'evaluateRun', 'compare', 'transcript', 'report'] as const),
  ...(['apiTranscript', 'apiJob', 'apiStop', 'apiEvents', 'apiReport'] as const),
]
const lists = ['apiJobs', 'apiRecord', 'apiEvaluations', 'apiModels', 'resources'] as const

/** What a tenant hears of ids that others have, each as of one that never was; and its lists after that. */
async function asUnknown(port: number, tenant: Name, seen: Seen): Promise<readonly Told[]> {
  const foreign = names
    .filter((name) => name !== tenant)
    .flatMap((name) =>
      [...new Set(seen[name].ids)].filter((id) => isHandle(id) && !seen[tenant].ids.includes(id)),
    )
  const told: Told[] = []
  const tell = async (does: Step['does'], id: string) => {
    const one: Step = { tenant, does, word: '', id: '', of: tenant, at: 0 }
    const asked = actions[does](one, id, 'none')
    const text = await answer(port, tokens[tenant], asked)
    told.push({ step: one, asked, text })
    return text.replaceAll(id, '<id>')
  }
  for (const id of foreign.slice(0, 4))
    for (const does of takingIds)
      expect(await tell(does, id), `${does} of ${tenant}`).toBe(await tell(does, '00000000'))
  for (const does of lists) await tell(does, '')
  return told
}

/** Of a job, an outcome or a session: something that nobody guesses. */
const isHandle = (id: string): boolean => /^(?=.*\d)[\da-f-]{8,}$/.test(id)

/** No answer to a tenant holds a word, id, session or token of another that it did not send itself. */
function leaksNothing(name: Name, told: readonly Told[], seen: Seen): void {
  const own = new Set([...seen[name].ids, ...seen[name].sessions])
  const secrets = names
    .filter((other) => other !== name)
    .flatMap((other) => [
      markOf(other),
      ...ownIds(other),
      tokens[other],
      house.base,
      ...seen[other].ids.filter((id) => isHandle(id) && !own.has(id)),
      ...seen[other].sessions,
    ])
  for (const { step: one, asked, text } of told.filter((any) => any.step.tenant === name)) {
    const said = JSON.stringify(asked)
    for (const secret of secrets)
      if (!said.includes(secret)) expect(text, `${one.does} of ${name}`).not.toContain(secret)
    // What it sent itself comes back in its own words at most, never with what stands behind it.
    if (
      !said.includes(markOf(name)) &&
      names.every((other) => other === name || !said.includes(markOf(other)))
    )
      for (const other of names) if (other !== name) expect(text).not.toContain(`serves ${markOf(other)}`)
  }
}

/** The same requests of one tenant, to a server that has no other: ids of its own are those that it has there. */
async function sameAlone(
  told: readonly Told[],
  alone: readonly Awaited<ReturnType<typeof houseAlone>>[],
  meant: ReadonlyMap<Step, readonly [string, string]>,
): Promise<void> {
  for (const [at, name] of names.entries()) {
    const first = told.filter((one) => one.step.tenant === name)
    if (first.length === 0) continue
    const there = new Map<string, string>()
    const idsBefore = first.map(({ text }) => [...idsIn(text), /^200 ([\w-]{20,}) /.exec(text)?.[1] ?? ''])
    const { port, close } = await alone[at]!.house.serve()
    let turn = 0
    const again = await made(
      port,
      [name],
      first.map((one) => one.step),
      {
        of: (one) => meant.get(one)!.map((id) => there.get(id) ?? id) as [string, string],
        saw(_, text) {
          const now = [...idsIn(text), /^200 ([\w-]{20,}) /.exec(text)?.[1] ?? '']
          for (const [place, id] of (idsBefore[turn] ?? []).entries())
            if (id !== '') there.set(id, now[place] ?? id)
          turn += 1
        },
        token: () => alone[at]!.token,
      },
    )
    await close()
    for (const [place, text] of comparable(again).entries()) expect(text).toBe(comparable(first)[place])
  }
}
